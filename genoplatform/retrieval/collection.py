"""What a collection is: the record of what an index holds and was made with, and filling an index from shards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from genoplatform.literature.fingerprint import Fingerprint
from genoplatform.provenance import atomic
from genoplatform.provenance.canonical import content_sha256
from genoplatform.retrieval.index import VectorIndex
from genoplatform.retrieval.points import iter_points
from genoplatform.settings.retrieval import Bm25Settings, IndexSettings


@dataclass(frozen=True)
class CollectionRecord:
    """An index as the store records it.

    Attributes:
        engine: `edge` or `server`.
        collection: name, ending in the digest of all that follows: another content is another collection.
        fingerprint: counts and digests of the chunks (rare_disease.md section 2.6).
        embedder: identity of the dense side.
        bm25: parameters of the sparse side.
        hnsw: parameters of the graph.
        corpus: counts and digests of all chunks there are; more than `fingerprint` where a sample is embedded.
        points: what the index held when it was built.
    """

    engine: str
    collection: str
    fingerprint: dict[str, Any]
    embedder: dict[str, Any]
    bm25: dict[str, Any]
    hnsw: dict[str, Any]
    corpus: dict[str, Any]
    points: int = 0

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def planned_record(
    index: IndexSettings,
    embedder: Mapping[str, Any],
    bm25: Bm25Settings,
    fingerprint: Fingerprint,
    corpus: Fingerprint,
) -> CollectionRecord:
    """The record of a collection that is about to be built."""
    hnsw = index.model_dump(include={"hnsw_m", "ef_construct", "full_scan_threshold", "indexing_threshold"})
    decides: dict[str, Any] = {
        "fingerprint": asdict(fingerprint),
        "embedder": dict(embedder),
        "bm25": bm25.model_dump(),
        "hnsw": hnsw,
    }
    name = f"{index.collection}_{content_sha256(decides)[:12]}"
    return CollectionRecord(engine=index.engine, collection=name, corpus=asdict(corpus), **decides)


def fill(
    index: VectorIndex,
    shards: Sequence[tuple[str, Path]],
    dimension: int,
    *,
    batch: int,
    done: Path,
    progress: Callable[[int], None] = lambda points: None,
) -> int:
    """Insert all shards that are not in the index yet; doing it again changes nothing.

    Args:
        index: open.
        shards: (label, embedding shard), in order.
        dimension: of the dense vectors.
        batch: points an upsert.
        done: file that names the shards inserted so far; without points in the index it counts for nothing.
        progress: told the points inserted, a batch at a time.

    Returns:
        Points the index holds.
    """
    finished: list[str] = json.loads(done.read_bytes()) if done.is_file() and index.count() else []
    for label, shard in shards:
        if label in finished:
            continue
        for points in iter_points(shard, dimension, batch):
            index.upsert(points)
            progress(len(points))
        index.flush()
        finished.append(label)
        atomic.write_text(done, json.dumps(finished))
    index.finish()
    return index.count()


def point_faults(record: CollectionRecord, live: int, *, whole: bool) -> list[str]:
    """What is wrong between an index and the fingerprint of what it should hold (section 2.6); empty if nothing.

    Args:
        record: of the collection.
        live: points the index holds now.
        whole: every chunk is embedded, none left out by a sample.
    """
    wanted = record.fingerprint["distinct"]
    faults = [
        f"{what}: {number} points, the fingerprint has {wanted} distinct chunks"
        for what, number in (("when built", record.points), ("now", live))
        if number != wanted
    ]
    for name in ("chunk_ids_sha256", "article_counts_sha256") if whole else ():
        if record.fingerprint[name] != record.corpus[name]:
            faults.append(f"{name}: embedded {record.fingerprint[name]}, corpus {record.corpus[name]}")
    return faults
