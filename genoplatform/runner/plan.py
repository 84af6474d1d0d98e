"""What has to run, in which order: the stale ones among the selected assets, cut into Dagster runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import dagster as dg

from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.nodes import Node, SelectionError, needed_by
from genoplatform.runner.staleness import why_stale, why_unusable


@dataclass(frozen=True)
class Task:
    """One asset and partition; `reason` says why it must run, or is None if it is up to date."""

    asset: str
    partition: str | None
    reason: str | None

    @property
    def label(self) -> str:
        """`asset` or `asset[partition]`."""
        return self.asset if self.partition is None else f"{self.asset}[{self.partition}]"

    @property
    def key(self) -> dg.AssetKey:
        """The Dagster key."""
        return dg.AssetKey(self.asset.split("/"))


def make_plan(
    nodes: dict[str, Node],
    platform: PlatformResource,
    selected: set[str],
    partition: str | None = None,
    force: bool = False,
) -> list[Task]:
    """Tasks for the selected assets, in topological order, each with its reason or None.

    Args:
        nodes: from `read_nodes`.
        platform: home and profile.
        selected: asset names.
        partition: only this partition of the partitioned assets, and nothing that is made from all partitions; None
            for everything.
        force: run everything selected, stale or not.

    Raises:
        SelectionError: no selected asset has the partition, or a task needs what is neither made nor selected.
    """
    tasks: list[Task] = []
    stale: dict[tuple[str, str | None], str] = {}
    beyond = _over_all_partitions(nodes) if partition is not None else frozenset()
    for node in nodes.values():
        if node.asset not in selected or node.asset in beyond:
            continue
        for key in _wanted_partitions(node, partition):
            reason = "asked for" if force else why_stale(node, key, nodes, platform, stale)
            if reason:
                stale[node.asset, key] = reason
            tasks.append(Task(node.asset, key, reason))
    if partition is not None and not any(task.partition == partition for task in tasks):
        known = sorted({key for node in nodes.values() for key in node.partitions if key})
        raise SelectionError(f"partition {partition!r}", "no selected asset has it", f"one of {', '.join(known)}")
    _refuse_unmet(nodes, platform, tasks)
    return tasks


def _over_all_partitions(nodes: dict[str, Node]) -> frozenset[str]:
    """Unpartitioned assets made from partitioned ones, and what follows from them."""
    found: set[str] = set()
    for node in nodes.values():
        gathers = any(name in found or nodes[name].partitions != (None,) for name in node.inputs)
        if node.partitions == (None,) and gathers:
            found.add(node.asset)
    return frozenset(found)


def _refuse_unmet(nodes: dict[str, Node], platform: PlatformResource, tasks: list[Task]) -> None:
    """A run may use what an earlier one left, but not what is missing or has not passed its blocking checks there.

    What is published answers for everything it rests on, not only for what it reads itself.
    """
    planned = {(task.asset, task.partition) for task in tasks}
    for task in tasks:
        if not task.reason:
            continue
        needed = needed_by(nodes[task.asset], task.partition, nodes)
        if task.asset.startswith("out/"):
            needed = _everything_above(nodes, needed)
        for name, key in sorted(needed - planned, key=str):
            if problem := why_unusable(nodes[name], key, platform):
                raise SelectionError(
                    f"planning {task.label}",
                    f"it needs {Task(name, key, None).label}: {problem}",
                    "select that too: put + before the selection for everything upstream",
                )


def _everything_above(nodes: dict[str, Node], start: set[tuple[str, str | None]]) -> set[tuple[str, str | None]]:
    seen: set[tuple[str, str | None]] = set()
    waiting = list(start)
    while waiting:
        name, key = waiting.pop()
        if (name, key) not in seen:
            seen.add((name, key))
            waiting.extend(needed_by(nodes[name], key, nodes))
    return seen


def stages(nodes: dict[str, Node], tasks: list[Task]) -> Iterator[list[Task]]:
    """Cut the stale tasks into Dagster runs: each of one partition (or none), each after what it needs."""
    waiting = [task for task in tasks if task.reason]
    while waiting:
        pending = {(task.asset, task.partition) for task in waiting}
        partition = _first_ready(nodes, waiting, pending).partition
        stage: list[Task] = []
        for task in waiting:
            if task.partition == partition and not (needed_by(nodes[task.asset], task.partition, nodes) & pending):
                stage.append(task)
                pending.discard((task.asset, task.partition))
        waiting = [task for task in waiting if task not in stage]
        yield stage


def _first_ready(nodes: dict[str, Node], waiting: list[Task], pending: set[tuple[str, str | None]]) -> Task:
    ready = [task for task in waiting if not (needed_by(nodes[task.asset], task.partition, nodes) & pending)]
    # Unpartitioned first: a partition started only when all it needs is there runs once, not in pieces.
    return next((task for task in ready if task.partition is None), ready[0])


def _wanted_partitions(node: Node, partition: str | None) -> Iterable[str | None]:
    if partition is None or node.partitions == (None,):
        return node.partitions
    return [key for key in node.partitions if key == partition]
