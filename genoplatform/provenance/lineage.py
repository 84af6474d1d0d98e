"""What an artefact is made from, as a tree with versions and pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from genoplatform.provenance.graph import Graph, GraphNode, NodeKey, artefacts_of, label_of, row_count, upstream


def lineage_rows(graph: Graph, asset: str) -> list[dict[str, Any]]:
    """One row per artefact at or above an asset, inputs first: label, versions, digests, inputs, pin, rows, checks."""
    return [_row(graph[key]) for key in upstream(graph, artefacts_of(graph, asset))]


def _row(node: GraphNode) -> dict[str, Any]:
    sidecar, checks = node.sidecar, node.checks.checks if node.checks else []
    return {
        "artefact": label_of(node.key),
        "code_version": sidecar.code_version,
        "data_version": sidecar.data_version,
        "sha256": sidecar.sha256,
        "package_version": sidecar.code.package_version,
        "commit": sidecar.code.commit,
        "parameters": sidecar.parameters,
        "inputs": [label_of(key) for key in node.inputs],
        "pin": None if sidecar.pin is None else sidecar.pin.model_dump(mode="json"),
        "rows": row_count(node),
        "checks": {"passed": sum(item.passed for item in checks), "failed": [c.name for c in checks if not c.passed]},
    }


def lineage_text(graph: Graph, asset: str) -> Iterator[str]:
    """The tree as lines; what was shown already is named again without what is above it."""
    shown: set[NodeKey] = set()
    for key in artefacts_of(graph, asset):
        yield from _branch(graph, key, "", "", shown)


def _branch(graph: Graph, key: NodeKey, first: str, further: str, shown: set[NodeKey]) -> Iterator[str]:
    if key not in graph:
        yield f"{first}{label_of(key)}  is not here"
        return
    node = graph[key]
    again = key in shown and bool(node.inputs)
    yield f"{first}{_words(node)}{'  (above)' if again else ''}"
    shown.add(key)
    inputs = [] if again else node.inputs
    for place, other in enumerate(inputs):
        last = place == len(inputs) - 1
        yield from _branch(
            graph, other, further + ("└─ " if last else "├─ "), further + ("   " if last else "│  "), shown
        )


def _words(node: GraphNode) -> str:
    sidecar = node.sidecar
    parts = [label_of(node.key), f"code {sidecar.code_version}", f"data {sidecar.data_version[:12]}"]
    if (rows := row_count(node)) is not None:
        parts.append(f"{rows:,} rows")
    if sidecar.pin is not None:
        parts.append(f"pin {sidecar.pin.source_id}")
    if node.checks is not None:
        failed = sum(not check.passed for check in node.checks.checks)
        parts.append(f"{len(node.checks.checks)} checks" + (f", {failed} FAILED" if failed else ""))
    return "  ".join(parts)
