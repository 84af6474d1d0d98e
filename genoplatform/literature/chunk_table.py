"""The table of chunks: its columns, and reading its shards without holding them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.article import Article, Section
from genoplatform.literature.ids import chunk_id

SHARD = "shard"

CHUNK_SCHEMA = pa.schema(
    [
        ("pmcid", pa.string()),
        ("pmid", pa.string()),
        ("doi", pa.string()),
        ("title", pa.string()),
        ("article_type", pa.string()),
        ("pub_year", pa.int64()),
        ("journal_title", pa.string()),
        ("issn", pa.string()),
        ("publisher", pa.string()),
        ("license_url", pa.string()),
        ("tier", pa.string()),
        ("mesh_terms", pa.list_(pa.string())),
        ("authors", pa.list_(pa.string())),
        ("chunk_id", pa.string()),
        ("section_type", pa.string()),
        ("section_heading", pa.string()),
        ("chunk_index", pa.int64()),
        ("total_chunks_in_section", pa.int64()),
        ("text", pa.string()),
    ]
)
"""rare_disease.md section 2.1; what the article does not say is null."""

CHUNK_COLUMNS = tuple(CHUNK_SCHEMA.names)
_OF_ARTICLE = CHUNK_COLUMNS[: CHUNK_COLUMNS.index("tier")]


def article_columns(article: Article, tier: str) -> tuple[Any, ...]:
    """The columns of `CHUNK_SCHEMA` that all chunks of an article share, in order."""
    plain = (getattr(article, name) for name in _OF_ARTICLE)
    return (*plain, tier, list(article.mesh_terms), [str(author) for author in article.authors])


def section_rows(
    article: Article, shared: tuple[Any, ...], section: Section, texts: Sequence[str]
) -> list[tuple[Any, ...]]:
    """Rows of `CHUNK_SCHEMA`, one a chunk text of a section."""
    identifier, kind, total = article.pmcid or "", section.section_type, len(texts)
    return [
        (*shared, chunk_id(identifier, kind, index, text), kind, section.heading, index, total, text)
        for index, text in enumerate(texts)
    ]


def chunk_shards(directory: Path) -> list[Path]:
    """Shards of a chunk directory, in order."""
    return sorted(directory.glob(f"{SHARD}_*.parquet"))


def iter_chunks(directory: Path, columns: Sequence[str] | None = None, rows: int = 2_000) -> Iterator[pa.RecordBatch]:
    """Chunks of a directory, in order, a batch at a time.

    Args:
        directory: a chunk directory.
        columns: which columns; None takes all.
        rows: most rows a batch.
    """
    for shard in chunk_shards(directory):
        with pq.ParquetFile(shard) as file:
            yield from file.iter_batches(batch_size=rows, columns=list(columns) if columns else None)
