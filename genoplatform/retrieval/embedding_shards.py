"""Chunk shards in, embedding shards out: the 19 chunk columns, the dense vector as bytes, and the sparse one.

A block of rows is written at a time, each whole or not at all, so a kill costs at most a block and a run that comes
after goes on where the last block ended. A finished shard is the join of its blocks. What is there from other input
or another model is thrown away first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.errors import BadInputError
from genoplatform.literature.chunk_table import CHUNK_SCHEMA, chunk_shards
from genoplatform.provenance import atomic
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.sampled import kept_rows
from genoplatform.retrieval.vectors import Embedder, SparseVector

EMBEDDING_SCHEMA = pa.schema(
    [
        *CHUNK_SCHEMA,
        ("dense_embedding", pa.binary()),
        ("bm25_indices", pa.list_(pa.int32())),
        ("bm25_values", pa.list_(pa.float32())),
    ]
)
"""rare_disease.md section 2.3; the dense vector is float32, little-endian."""
_PLAN = "plan.json"
MADE_WITH = "embedder.json"
"""Identity of the embedder, beside the shards."""


def embed_chunks(
    chunks: Path,
    work: Path,
    embedder: Embedder,
    bm25: Bm25,
    *,
    plan: str,
    block_rows: int,
    per_article: int | None = None,
    progress: Callable[[int], None] = lambda rows: None,
) -> Path:
    """Embed a directory of chunk shards.

    Args:
        chunks: `shard_NNNN.parquet`, chunk table.
        work: where blocks and shards are staged; may hold what an interrupted run left.
        embedder: the dense side.
        bm25: the sparse side.
        plan: digest of everything the vectors depend on; what was staged under another one is removed.
        block_rows: rows a block.
        per_article: see `sampled.kept_rows`.
        progress: told the rows embedded, a block at a time; rows found staged are not told.

    Returns:
        The finished directory, one shard a chunk shard.
    """
    work.mkdir(parents=True, exist_ok=True)
    atomic.sweep_partials(work)
    done, blocks = work / "shards", work / "blocks"
    if not (work / _PLAN).is_file() or json.loads((work / _PLAN).read_bytes()) != plan:
        atomic.remove(done)
        atomic.remove(blocks)
        atomic.write_text(work / _PLAN, json.dumps(plan))
    done.mkdir(exist_ok=True)
    kept = kept_rows(chunks, per_article)
    for shard in chunk_shards(chunks):
        target = done / shard.name
        if not target.exists():
            staged = blocks / shard.stem
            for number, rows in enumerate(_blocks(shard, kept, block_rows)):
                _embed_block(rows, staged / f"block_{number:05d}.parquet", embedder, bm25, progress)
            _join(staged, target)
        atomic.remove(blocks / shard.stem)
    atomic.remove(blocks)
    atomic.write_text(done / MADE_WITH, json.dumps(dict(embedder.identity), indent=1, sort_keys=True) + "\n")
    (work / _PLAN).unlink()
    return done


def made_with(directories: Iterable[Path]) -> dict[str, Any]:
    """Identity of the embedder that made some embedding directories.

    Raises:
        BadInputError: they are of different ones.
    """
    found = [json.loads((directory / MADE_WITH).read_bytes()) for directory in directories]
    if any(other != found[0] for other in found):
        raise BadInputError("joining embeddings", "they were made with different models", "make all of them again")
    identity: dict[str, Any] = found[0]
    return identity


def _blocks(shard: Path, kept: set[str] | None, rows: int) -> Iterator[pa.Table]:
    """Wanted rows of a shard, `rows` at a time; the last block may be shorter."""
    waiting: pa.Table = CHUNK_SCHEMA.empty_table()
    with pq.ParquetFile(shard) as file:
        for batch in file.iter_batches(batch_size=rows):
            table = pa.Table.from_batches([batch]).cast(CHUNK_SCHEMA)
            if kept is not None:
                table = table.filter(pa.array([chunk in kept for chunk in table["chunk_id"].to_pylist()]))
            waiting = pa.concat_tables([waiting, table])
            while len(waiting) >= rows:
                yield waiting.slice(0, rows)
                waiting = waiting.slice(rows)
    if len(waiting):
        yield waiting


def _embed_block(rows: pa.Table, target: Path, embedder: Embedder, bm25: Bm25, progress: Callable[[int], None]) -> None:
    if target.exists():
        return
    texts = rows["text"].to_pylist()
    dense = embedder.embed(texts)
    sparse = [bm25.document(text) for text in texts]
    table = pa.table(
        [
            *rows.columns,
            pa.array([row.astype("<f4").tobytes() for row in dense], pa.binary()),
            pa.array([item.indices for item in sparse], pa.list_(pa.int32())),
            pa.array([item.values for item in sparse], pa.list_(pa.float32())),
        ],
        schema=EMBEDDING_SCHEMA,
    )
    with atomic.atomic_path(target) as temporary:
        pq.write_table(table.combine_chunks(), temporary, compression="zstd")
    progress(len(rows))


def _join(staged: Path, target: Path) -> None:
    with (
        atomic.atomic_path(target) as temporary,
        pq.ParquetWriter(temporary, EMBEDDING_SCHEMA, compression="zstd") as out,
    ):
        for block in sorted(staged.glob("block_*.parquet")):
            out.write_table(pq.read_table(block))


def dense_of(column: pa.ChunkedArray, dimension: int) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """The column `dense_embedding` as (rows, dimension)."""
    joined = b"".join(column.to_pylist())
    return np.frombuffer(joined, dtype="<f4").reshape(-1, dimension).astype(np.float32)


def sparse_of(indices: pa.ChunkedArray, values: pa.ChunkedArray) -> list[SparseVector]:
    """The columns `bm25_indices` and `bm25_values` as vectors."""
    pairs = zip(indices.to_pylist(), values.to_pylist(), strict=True)
    return [SparseVector(np.asarray(i, dtype=np.int32), np.asarray(v, dtype=np.float32)) for i, v in pairs]
