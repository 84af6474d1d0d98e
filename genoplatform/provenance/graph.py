"""A store or a crate as a graph: every artefact's sidecar with its check results, and what lies upstream of which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from genoplatform.errors import BadInputError
from genoplatform.provenance.sidecar import CheckRecord, Sidecar, iter_artefacts, read_checks, read_sidecar

NodeKey = tuple[str, str | None]
RECORDS, DATA = "records", "data"


@dataclass(frozen=True)
class GraphNode:
    """One artefact: its record, the check results of this state (None if there are none), and its bytes where here."""

    sidecar: Sidecar
    checks: CheckRecord | None
    record: Path
    data: Path | None

    @property
    def key(self) -> NodeKey:
        """Asset and partition."""
        return self.sidecar.asset, self.sidecar.partition

    @property
    def inputs(self) -> list[NodeKey]:
        """Keys of what it was made from, sorted."""
        return sorted(((used.asset, used.partition) for used in self.sidecar.inputs), key=order)


Graph = Mapping[NodeKey, GraphNode]


def order(key: NodeKey) -> tuple[str, str]:
    """Sort key of nodes: by asset, then partition."""
    return key[0], key[1] or ""


def label_of(key: NodeKey) -> str:
    """`asset` or `asset[partition]`."""
    return key[0] if key[1] is None else f"{key[0]}[{key[1]}]"


def read_graph(root: Path) -> dict[NodeKey, GraphNode]:
    """Every artefact of a store, or of an exported crate, by asset and partition, sorted.

    Raises:
        BadInputError: there is nothing of the kind.
        SidecarError: a record cannot be read.
    """
    records = root / RECORDS if (root / RECORDS).is_dir() else root
    found = {}
    for path in iter_artefacts(records) if records.is_dir() else ():
        sidecar, checks = read_sidecar(path), read_checks(path)
        current = checks if checks is not None and checks.sha256 == sidecar.sha256 else None
        data = path if records == root else root / DATA / path.relative_to(records)
        found[sidecar.asset, sidecar.partition] = GraphNode(sidecar, current, path, data if data.exists() else None)
    if not found:
        raise BadInputError(f"reading {root}", "no provenance records", "name a home, a store or an exported crate")
    return {key: found[key] for key in sorted(found, key=order)}


def upstream(graph: Graph, start: Iterable[NodeKey]) -> list[NodeKey]:
    """`start` and all above it that the graph holds, each once, inputs before what is made of them."""
    done: dict[NodeKey, None] = {}
    waiting = [(key, False) for key in sorted(start, key=order, reverse=True)]
    while waiting:
        key, ready = waiting.pop()
        if key in done or key not in graph:
            continue
        if ready:
            done[key] = None
            continue
        waiting.append((key, True))
        waiting += [(other, False) for other in reversed(graph[key].inputs) if other not in done]
    return list(done)


def artefacts_of(graph: Graph, asset: str) -> list[NodeKey]:
    """Every partition of an asset.

    Raises:
        BadInputError: the graph has none.
    """
    if found := [key for key in graph if asset in (key[0], label_of(key))]:
        return found
    near = sorted({key[0] for key in graph if key[0].rpartition("/")[2] == asset.rpartition("/")[2]})
    hint = f"did you mean {', '.join(near)}?" if near else "see `genoplatform run --plan` for the assets"
    raise BadInputError(f"looking for {asset}", "it is not there", hint)


def row_count(node: GraphNode) -> int | None:
    """Rows of a parquet artefact (of several tables, in all), read from the footers; None for other artefacts."""
    if node.data is None or node.data.suffix not in (".parquet", ".tables"):
        return None
    import pyarrow.parquet as pq

    files = [node.data] if node.data.is_file() else sorted(node.data.glob("*.parquet"))
    return sum(int(pq.read_metadata(path).num_rows) for path in files)
