"""Small directories of chunk shards."""

import uuid
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.chunk_table import CHUNK_SCHEMA


def chunk(article: int, number: int, text: str, **other) -> dict:
    """A row of the chunk table."""
    row = dict.fromkeys(CHUNK_SCHEMA.names)
    row |= {"pmcid": f"PMC{article}", "pmid": str(900 + article), "title": f"About thing{article} and others"}
    row |= {"pub_year": 2000 + article, "mesh_terms": ["Genetics"], "authors": ["One, A"], "tier": "local"}
    row |= {"chunk_id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{article}|{number}|{text}")), "section_type": "results"}
    return row | {"chunk_index": number, "total_chunks_in_section": 1, "text": text} | other


def articles(number: int, chunks: int = 4) -> list[dict]:
    """Rows of some articles, each with words of its own."""
    return [
        chunk(
            article,
            place,
            f"We saw thing{article} in part {place} of it, with words to fill a sentence. "
            f"The middle of part{place} tells of thing{article} and of nothing else at all. The end is short.",
        )
        for article in range(1, number + 1)
        for place in range(chunks)
    ]


def write_chunks(folder: Path, rows: list[dict], shard_rows: int = 10) -> Path:
    """A chunk directory."""
    folder.mkdir(parents=True)
    table = pa.Table.from_pylist(rows, schema=CHUNK_SCHEMA)
    for start in range(0, len(rows), shard_rows):
        pq.write_table(table.slice(start, shard_rows), folder / f"shard_{start // shard_rows:04d}.parquet")
    return folder
