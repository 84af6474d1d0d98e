"""What an artefact rests on, as rows for people: every upstream asset with its hashes and its pins."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from genoplatform.provenance.sidecar import Sidecar, iter_artefacts, read_sidecar
from genoplatform.provenance.verify import NodeKey, lineage_roots


def upstream_rows(store: Path, assets: Collection[str]) -> list[dict[str, Any]]:
    """One row per artefact at or above `assets`, sorted by asset and partition.

    Args:
        store: root of a profile's store.
        assets: asset names, all their partitions.

    Returns:
        asset, partition, sha256, data_version, pins (sorted "id sha256" texts).
    """
    sidecars = [read_sidecar(path) for path in iter_artefacts(store)]
    nodes = {(sidecar.asset, sidecar.partition): sidecar for sidecar in sidecars}
    wanted = _closure([key for key in nodes if key[0] in assets], nodes)
    return [
        {
            "asset": nodes[key].asset,
            "partition": nodes[key].partition,
            "sha256": nodes[key].sha256,
            "data_version": nodes[key].data_version,
            "pins": lineage_roots(key, nodes),
        }
        for key in sorted(wanted, key=lambda key: (key[0], key[1] or ""))
    ]


def _closure(start: list[NodeKey], nodes: dict[NodeKey, Sidecar]) -> set[NodeKey]:
    seen: set[NodeKey] = set()
    stack = list(start)
    while stack:
        key = stack.pop()
        if key in nodes and key not in seen:
            seen.add(key)
            stack.extend((used.asset, used.partition) for used in nodes[key].inputs)
    return seen
