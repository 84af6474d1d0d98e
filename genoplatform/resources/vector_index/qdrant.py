"""`VectorIndex` through qdrant-client: a Qdrant server, or the client's own in-memory mode (for tests).

The collection is the one of rare_disease.md section 2.4, with a text index for the gene filter beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from genoplatform.errors import GenoplatformError
from genoplatform.retrieval.index import DENSE, KEYWORD_FIELDS, SPARSE, TEXT, YEAR, Filter, IndexQuery, Point, Scored
from genoplatform.retrieval.vectors import SparseVector
from genoplatform.settings.retrieval import IndexSettings

T = TypeVar("T")
TRIES = 6
_BUSY = {429, 500, 502, 503, 504}


class IndexUnavailableError(GenoplatformError):
    """The Qdrant server did not answer."""


class CollectionMismatchError(GenoplatformError):
    """A collection of this name exists and is not what the profile declares."""


class QdrantIndex:
    """A collection of a client, created if it is not there, checked if it is.

    Args:
        client: of a server, or `QdrantClient(":memory:")`.
        name: of the collection.
        settings: how it is built.
        dimension: of its dense vectors.
        engine: how to name the engine.
        sleep: waits between tries, in seconds.

    Raises:
        CollectionMismatchError: its vectors are others than declared.
        IndexUnavailableError: the server does not answer, after `TRIES` tries.
    """

    def __init__(
        self,
        client: QdrantClient,
        name: str,
        settings: IndexSettings,
        dimension: int,
        engine: str,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client, self._name, self._settings, self._sleep = client, name, settings, sleep
        self.engine = engine
        if not self._try(lambda: client.collection_exists(name)):
            self._try(lambda: _create(client, name, settings, dimension))
            _index_payload(client, name)
        else:
            _refuse_other(self._try(lambda: client.get_collection(name)).config.params, name, dimension)

    def upsert(self, points: Sequence[Point]) -> None:
        """Insert points, replacing those of the same id; batches in parallel, each waited for."""
        size = self._settings.batch
        batches = [points[start : start + size] for start in range(0, len(points), size)]
        with ThreadPoolExecutor(self._settings.parallel) as pool:
            list(pool.map(self._upsert_batch, batches))

    def _upsert_batch(self, points: Sequence[Point]) -> None:
        content = [_point(point) for point in points]
        self._try(lambda: self._client.upsert(self._name, content, wait=True))

    def flush(self) -> None:
        """Every upsert has waited for the server already."""

    def finish(self) -> None:
        """Wait until the optimiser has nothing left to do."""
        while True:
            status = self._try(lambda: self._client.get_collection(self._name)).status
            if status != models.CollectionStatus.YELLOW:
                return
            self._sleep(1.0)

    def count(self) -> int:
        """Exact number of points."""
        return int(self._try(lambda: self._client.count(self._name, exact=True)).count)

    def query(self, queries: Sequence[IndexQuery]) -> list[list[Scored]]:
        """Points of each query, best first."""
        if not queries:
            return []
        requests = [_request(query) for query in queries]
        found = self._try(lambda: self._client.query_batch_points(self._name, requests))
        return [[Scored(str(point.id), float(point.score)) for point in answer.points] for answer in found]

    def payloads(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Payload by id of those that exist."""
        ids = list(chunk_ids)
        records = self._try(lambda: self._client.retrieve(self._name, ids, with_payload=True, with_vectors=False))
        return {str(record.id): dict(record.payload or {}) for record in records}

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _try(self, call: Callable[[], T]) -> T:
        for attempt in range(TRIES):
            try:
                return call()
            except (ResponseHandlingException, UnexpectedResponse) as error:
                busy = not isinstance(error, UnexpectedResponse) or error.status_code in _BUSY
                if not busy or attempt + 1 == TRIES:
                    raise IndexUnavailableError(
                        f"asking the Qdrant server about {self._name}",
                        f"{type(error).__name__}: {error}",
                        "check GENOPLATFORM_QDRANT_URL, and that the server runs",
                    ) from error
                self._sleep(2.0**attempt)
        raise AssertionError("unreachable")


def _create(client: QdrantClient, name: str, settings: IndexSettings, dimension: int) -> None:
    hnsw = models.HnswConfigDiff(
        m=settings.hnsw_m, ef_construct=settings.ef_construct, full_scan_threshold=settings.full_scan_threshold
    )
    dense = models.VectorParams(
        size=dimension, distance=models.Distance.COSINE, on_disk=settings.on_disk, hnsw_config=hnsw
    )
    client.create_collection(
        name,
        vectors_config={DENSE: dense},
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        on_disk_payload=settings.on_disk,
        optimizers_config=models.OptimizersConfigDiff(indexing_threshold=settings.indexing_threshold),
    )


def _index_payload(client: QdrantClient, name: str) -> None:
    schemas: dict[str, Any] = dict.fromkeys(KEYWORD_FIELDS, models.PayloadSchemaType.KEYWORD)
    schemas[YEAR] = models.PayloadSchemaType.INTEGER
    schemas[TEXT] = models.TextIndexParams(
        type=models.TextIndexType.TEXT, tokenizer=models.TokenizerType.WORD, lowercase=True
    )
    for field, schema in schemas.items():
        client.create_payload_index(name, field, schema, wait=True)


def _refuse_other(params: Any, name: str, dimension: int) -> None:
    dense, sparse = (params.vectors or {}).get(DENSE), (params.sparse_vectors or {}).get(SPARSE)
    found = (
        dense and dense.size,
        dense and dense.distance,
        sparse and sparse.modifier,
    )
    if found != (dimension, models.Distance.COSINE, models.Modifier.IDF):
        raise CollectionMismatchError(
            f"opening the collection {name}",
            f"(size, distance, sparse modifier) are {found}, declared {dimension}, Cosine, idf",
            "remove the collection, or give another name",
        )


def _point(point: Point) -> models.PointStruct:
    vectors: dict[str, Any] = {DENSE: point.dense.tolist(), SPARSE: _sparse(point.sparse)}
    return models.PointStruct(id=point.chunk_id, vector=vectors, payload=dict(point.payload))


def _sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())


def _request(query: IndexQuery) -> models.QueryRequest:
    sparse = isinstance(query.vector, SparseVector)
    return models.QueryRequest(
        query=_sparse(query.vector) if isinstance(query.vector, SparseVector) else query.vector.tolist(),
        using=SPARSE if sparse else DENSE,
        limit=query.limit,
        filter=_filter(query.only),
        params=models.SearchParams(exact=query.exact),
        with_payload=False,
        with_vector=False,
    )


def _filter(only: Filter) -> models.Filter | None:
    conditions: list[Any] = []
    if only.gene is not None:
        conditions.append(models.FieldCondition(key=TEXT, match=models.MatchText(text=only.gene)))
    if only.first is not None or only.last is not None:
        conditions.append(models.FieldCondition(key=YEAR, range=models.Range(gte=only.first, lte=only.last)))
    return models.Filter(must=conditions) if conditions else None
