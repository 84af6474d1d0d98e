"""The asset graph as the planner sees it: what each asset is made from, by which code, and where it lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path

import dagster as dg

from genoplatform.assets.declare import asset_name
from genoplatform.assets.upstream import STORED, Choice
from genoplatform.dbt_like_checks.guard import PublishingGuard
from genoplatform.errors import GenoplatformError
from genoplatform.resources.partition_keys import keys_in
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import PIN


class SelectionError(GenoplatformError):
    """The selection or partition asked for does not exist."""

    exit_code = 2


@dataclass(frozen=True)
class Node:
    """What the planner needs to know of an asset; `checked` names all its checks, `blocking` those that block."""

    asset: str
    kind: str
    code_version: str
    reads: tuple[str, ...]
    slot: str | None
    inputs: tuple[str, ...]
    partitions: tuple[str | None, ...]
    checked: frozenset[str]
    blocking: frozenset[str] = frozenset()
    choices: Mapping[str, Choice] = field(default_factory=dict)


def read_nodes(defs: dg.Definitions, platform: PlatformResource) -> dict[str, Node]:
    """Every asset of a code location with the partitions it has in the profile in force, in topological order."""
    checks: dict[str, set[str]] = {}
    for check in defs.asset_checks or ():
        for key in check.check_keys:
            checks.setdefault(asset_name(key.asset_key), set()).add(key.name)
    guard = PublishingGuard.of(defs.asset_checks or ())
    nodes = {}
    for definition in _assets(defs):
        (spec,) = definition.specs
        name = asset_name(spec.key)
        partitions = definition.partitions_def
        nodes[name] = Node(
            asset=name,
            kind=spec.metadata["genoplatform/io"],
            code_version=spec.code_version or "",
            reads=tuple(spec.metadata["genoplatform/reads"]),
            slot=spec.metadata.get("genoplatform/slot"),
            inputs=tuple(sorted(asset_name(dep.asset_key) for dep in spec.deps)),
            partitions=tuple(keys_in(partitions, platform)) if partitions else (None,),
            checked=frozenset(checks.get(name, ())),
            blocking=guard.blocking.get(name, frozenset()),
            choices=STORED[name].choices,
        )
    order = TopologicalSorter({name: nodes[name].inputs for name in sorted(nodes)}).static_order()
    return {name: nodes[name] for name in order}


def select(defs: dg.Definitions, selection: str | None) -> set[str]:
    """Resolve a Dagster selection string ("*", "+key:out/*", "group:core_cohort") to asset names.

    Raises:
        SelectionError: the string does not parse, or selects nothing.
    """
    assets = _assets(defs)
    try:
        keys = dg.AssetSelection.from_string(selection or "*").resolve(assets)
    except Exception as error:  # the selection parser raises its own, undocumented types
        raise SelectionError(
            f"selecting {selection!r}", str(error).splitlines()[0], "see README, 'Selecting'"
        ) from error
    if not keys:
        known = ", ".join(sorted(asset_name(key) for item in assets for key in item.keys))
        raise SelectionError(f"selecting {selection!r}", "it matches no asset", f"assets: {known}")
    return {asset_name(key) for key in keys}


def _assets(defs: dg.Definitions) -> list[dg.AssetsDefinition]:
    return [item for item in defs.assets or () if isinstance(item, dg.AssetsDefinition)]


def needed_by(node: Node, partition: str | None, nodes: dict[str, Node]) -> set[tuple[str, str | None]]:
    """Asset and partition of every artefact that one partition of `node` is made from.

    Of an asset with the same partitions it is the same one; of any other asset, all there are, or those it chooses.
    """
    needed: set[tuple[str, str | None]] = set()
    for name in node.inputs:
        keys: Iterable[str | None] = nodes[name].partitions
        if name in node.choices:
            keys = node.choices[name](partition, [key for key in keys if key is not None])
        elif partition in nodes[name].partitions:
            keys = (partition,)
        needed |= {(name, key) for key in keys}
    return needed


def artefact_of(node: Node, partition: str | None, platform: PlatformResource) -> Path:
    """Path of a node's artefact."""
    return platform.artefact(node.asset, partition, "json" if node.kind == PIN else node.kind)
