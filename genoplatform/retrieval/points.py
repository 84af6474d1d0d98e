"""Embedding shards as points of an index, a batch at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from genoplatform.literature.chunk_table import CHUNK_COLUMNS, chunk_shards
from genoplatform.retrieval.embedding_shards import dense_of, sparse_of
from genoplatform.retrieval.index import Point


def embedding_shards(directories: Iterable[Path]) -> list[Path]:
    """Shards of some embedding directories, in order."""
    return [shard for directory in directories for shard in chunk_shards(directory)]


def iter_points(shard: Path, dimension: int, batch: int) -> Iterator[list[Point]]:
    """Points of one shard, `batch` at a time."""
    with pq.ParquetFile(shard) as file:
        for rows in file.iter_batches(batch_size=batch):
            dense = dense_of(rows["dense_embedding"], dimension)
            sparse = sparse_of(rows["bm25_indices"], rows["bm25_values"])
            payloads: list[dict[str, Any]] = rows.select(list(CHUNK_COLUMNS)).to_pylist()
            yield [
                Point(payload["chunk_id"], vector, terms, payload)
                for payload, vector, terms in zip(payloads, dense, sparse, strict=True)
            ]
