"""`VectorIndex` on the Qdrant engine embedded in the process (qdrant-edge-py): a directory, one opener at a time."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import qdrant_edge as edge

from genoplatform.resources.vector_index.one_opener import OneOpener
from genoplatform.retrieval.index import DENSE, KEYWORD_FIELDS, SPARSE, TEXT, YEAR, Filter, IndexQuery, Point, Scored
from genoplatform.retrieval.vectors import SparseVector
from genoplatform.settings.retrieval import IndexSettings


class EdgeIndex:
    """A collection in a directory, created if it is not there.

    Raises:
        IndexInUseError: it is open elsewhere.
    """

    def __init__(self, directory: Path, settings: IndexSettings, dimension: int, wait_s: float = 0.0) -> None:
        self._opener = OneOpener(directory, wait_s)
        try:
            if directory.is_dir() and any(directory.iterdir()):
                self._shard = edge.EdgeShard.load(str(directory))
            else:
                directory.mkdir(parents=True, exist_ok=True)
                self._shard = edge.EdgeShard.create(str(directory), _config(settings, dimension))
                _index_payload(self._shard)
        except BaseException:
            self._opener.release()
            raise

    @property
    def engine(self) -> str:
        """Engine and version."""
        return f"qdrant-edge {version('qdrant-edge-py')}"

    def upsert(self, points: Sequence[Point]) -> None:
        """Insert points, replacing those of the same id."""
        self._shard.update(edge.UpdateOperation.upsert_points([_point(point) for point in points]))

    def flush(self) -> None:
        """Write everything to disk."""
        self._shard.flush()

    def finish(self) -> None:
        """Build the graphs, and write everything to disk."""
        self._shard.optimize()
        self._shard.flush()

    def count(self) -> int:
        """Exact number of points."""
        return int(self._shard.count(edge.CountRequest(exact=True)))

    def query(self, queries: Sequence[IndexQuery]) -> list[list[Scored]]:
        """Points of each query, best first."""
        if not queries:
            return []
        requests = edge.QueryBatchRequest([_request(query) for query in queries])
        return [[Scored(str(point.id), float(point.score)) for point in found] for found in self._batch(requests)]

    def _batch(self, requests: Any) -> list[list[Any]]:
        found: list[list[Any]] = self._shard.query_batch(requests)
        return found

    def payloads(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Payload by id of those that exist."""
        records = self._shard.retrieve(list(chunk_ids), with_payload=True, with_vector=False)
        return {str(record.id): dict(record.payload or {}) for record in records}

    def close(self) -> None:
        """Close the shard and release the lock."""
        self._shard.close()
        self._opener.release()


def _config(settings: IndexSettings, dimension: int) -> Any:
    memory = edge.Memory.Cold if settings.on_disk else edge.Memory.Cached
    return edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(dimension, edge.Distance.Cosine, memory=edge.Memory.Cached)},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        payload_memory=memory,
        hnsw_config=edge.HnswIndexConfig(settings.hnsw_m, settings.ef_construct, settings.full_scan_threshold),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=settings.indexing_threshold),
    )


def _index_payload(shard: Any) -> None:
    create = edge.UpdateOperation.create_field_index
    for name in KEYWORD_FIELDS:
        shard.update(create(name, edge.PayloadSchemaType.Keyword))
    shard.update(create(YEAR, edge.PayloadSchemaType.Integer))
    shard.update(create(TEXT, edge.TextIndexParams(tokenizer=edge.TokenizerType.Word, lowercase=True)))


def _point(point: Point) -> Any:
    vectors = {DENSE: point.dense.tolist(), SPARSE: _sparse(point.sparse)}
    return edge.Point(id=point.chunk_id, vector=vectors, payload=dict(point.payload))


def _sparse(vector: SparseVector) -> Any:
    return edge.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())


def _request(query: IndexQuery) -> Any:
    if isinstance(query.vector, SparseVector):
        nearest = edge.Query.Nearest(_sparse(query.vector), using=SPARSE)
    else:
        nearest = edge.Query.Nearest(query.vector.tolist(), using=DENSE)
    return edge.QueryRequest(
        limit=query.limit,
        query=nearest,
        filter=_filter(query.only),
        params=edge.SearchParams(exact=query.exact),
        with_payload=False,
        with_vector=False,
    )


def _filter(only: Filter) -> Any:
    conditions: list[Any] = []
    if only.gene is not None:
        conditions.append(edge.FieldCondition(TEXT, match=edge.MatchText(only.gene)))
    if only.first is not None or only.last is not None:
        conditions.append(edge.FieldCondition(YEAR, range=edge.RangeFloat(gte=only.first, lte=only.last)))
    return edge.Filter(must=conditions) if conditions else None
