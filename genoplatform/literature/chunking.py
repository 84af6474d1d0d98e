"""The kept articles of a package to shards of chunks, going on after the last whole shard of a killed run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, groupby, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.article import Article, from_row
from genoplatform.literature.chunk_table import CHUNK_SCHEMA, SHARD, article_columns, section_rows
from genoplatform.literature.reading import ARTICLES
from genoplatform.literature.staging import Staging, rows_in
from genoplatform.literature.windows import Chunker
from genoplatform.provenance import atomic

BATCH = 32
"""Articles tokenised together."""
ROW_GROUP = 2_000
"""Chunks a row group of a shard; at most so many wait in memory."""
Row = tuple[Any, ...]
Positions = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class ChunkCounts:
    """What chunking a package gave."""

    articles: int
    articles_without_chunk: int
    chunks: int


def chunk_package(
    read: Path, kept: Positions, tier: str, chunker: Chunker, staging: Staging, *, shard_rows: int
) -> ChunkCounts:
    """Write `shard_NNNN.parquet`, the chunks of the kept articles in the package's order.

    Args:
        read: directory that `read_package` made.
        kept: places of the articles to chunk, ascending.
        tier: licence tier of the package.
        chunker: splits texts.
        staging: where to; whole shards already there are kept.
        shard_rows: chunks a shard; the last has what remains.
    """
    shards = staging.committed(SHARD)
    last, written = _last_article(shards)
    articles = iter_articles(read, kept)
    if last is not None:
        articles = dropwhile(lambda article: article.pmcid != last, articles)
    _write_shards(islice(article_chunks(articles, tier, chunker), written, None), staging, len(shards), shard_rows)
    return _counted(staging.committed(SHARD), len(kept))


def iter_articles(read: Path, kept: Positions) -> Iterator[Article]:
    """Articles of a package at the given places, in order, a few in memory at a time."""
    for path in sorted(read.glob(f"{ARTICLES}_*.parquet")):
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=BATCH):
                wanted = np.isin(batch["position"].to_numpy(), kept, assume_unique=True)
                yield from map(from_row, batch.filter(pa.array(wanted)).to_pylist())


def article_chunks(articles: Iterable[Article], tier: str, chunker: Chunker) -> Iterator[Row]:
    """Rows of `CHUNK_SCHEMA` of each article, in order."""
    source = iter(articles)
    while batch := list(islice(source, BATCH)):
        texts = chunker.split([section.text for article in batch for section in article.sections])
        split = iter(texts)
        for article in batch:
            shared = article_columns(article, tier)
            for section in article.sections:
                yield from section_rows(article, shared, section, next(split))


def _last_article(shards: Sequence[Path]) -> tuple[str | None, int]:
    """The article of the last chunk written, and how many of its chunks are written; they may reach over shards."""
    last, written = None, 0
    for path in reversed(shards):
        for pmcid in reversed(pq.read_table(path, columns=["pmcid"])["pmcid"].to_pylist()):
            if last is None:
                last = pmcid
            if pmcid != last:
                return last, written
            written += 1
    return last, written


def _write_shards(rows: Iterator[Row], staging: Staging, number: int, shard_rows: int) -> None:
    while group := list(islice(rows, min(ROW_GROUP, shard_rows))):
        with (
            atomic.atomic_path(staging.path(SHARD, number)) as temporary,
            pq.ParquetWriter(temporary, CHUNK_SCHEMA, compression="zstd") as writer,
        ):
            missing = shard_rows
            while group:
                writer.write_table(_table(group))
                missing -= len(group)
                group = list(islice(rows, min(ROW_GROUP, missing)))
        number += 1


def _table(rows: list[Row]) -> pa.Table:
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, CHUNK_SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=CHUNK_SCHEMA)


def _counted(shards: Sequence[Path], articles: int) -> ChunkCounts:
    def pmcids() -> Iterator[str]:
        for path in shards:
            yield from pq.read_table(path, columns=["pmcid"])["pmcid"].to_pylist()

    with_chunks = sum(1 for _ in groupby(pmcids()))
    return ChunkCounts(articles, articles - with_chunks, rows_in([*shards]))
