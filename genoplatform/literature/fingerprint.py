"""The fingerprint of a corpus of chunks (rare_disease.md section 2.6): the same chunks, in any order, the same digests.

Sorting happens outside of memory, so what is held at a time does not grow with the corpus.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

from genoplatform.errors import BadInputError
from genoplatform.literature.chunk_table import iter_chunks
from genoplatform.literature.external_sort import RUN_LINES, sorted_lines

FINGERPRINT, COUNTS = "fingerprint.json", "chunks_by_article.tsv"


@dataclass(frozen=True)
class Fingerprint:
    """Counts and digests of a corpus.

    Attributes:
        chunks: chunk records.
        distinct: distinct chunk ids; what an index must hold.
        duplicates: records beyond the first of their id.
        articles: articles with at least one chunk.
        chunk_ids_sha256: digest of the distinct ids in byte order, a line each.
        article_counts_sha256: digest of the lines `pmcid TAB distinct chunks`, in byte order of the pmcid.
    """

    chunks: int
    distinct: int
    duplicates: int
    articles: int
    chunk_ids_sha256: str
    article_counts_sha256: str


def fingerprint(pairs: Iterable[tuple[str, str]], folder: Path, *, run_lines: int = RUN_LINES) -> Fingerprint:
    """Write `fingerprint.json` and `chunks_by_article.tsv` of a corpus.

    Args:
        pairs: (chunk id, pmcid) of every chunk record, in any order.
        folder: where to; also holds the scratch files while sorting.
        run_lines: lines in memory at a time.

    Raises:
        BadInputError: one chunk id belongs to two articles.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix=".sort-") as name:
        by_chunk, by_article = Path(name, "chunks"), Path(name, "articles")
        by_chunk.mkdir()
        by_article.mkdir()
        ids = _Ids()
        lines = (f"{chunk}\t{pmcid}".encode() for chunk, pmcid in pairs)
        articles = ids.articles_of(sorted_lines(lines, by_chunk, run_lines=run_lines))
        counts, digest = 0, hashlib.sha256()
        with (folder / COUNTS).open("wb") as out:
            for pmcid, group in groupby(sorted_lines(articles, by_article, run_lines=run_lines)):
                line = b"%b\t%d\n" % (pmcid, sum(1 for _ in group))
                counts += 1
                digest.update(line)
                out.write(line)
    found = Fingerprint(
        ids.records, ids.distinct, ids.records - ids.distinct, counts, ids.digest.hexdigest(), digest.hexdigest()
    )
    (folder / FINGERPRINT).write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")
    return found


class _Ids:
    """Counts and digests ids on the way from sorted pairs to the articles of distinct ones."""

    def __init__(self) -> None:
        self.records = self.distinct = 0
        self.digest = hashlib.sha256()

    def articles_of(self, lines: Iterator[bytes]) -> Iterator[bytes]:
        before, owner = b"", b""
        for line in lines:
            self.records += 1
            chunk, _, pmcid = line.partition(b"\t")
            if chunk == before:
                if pmcid != owner:
                    found = f"chunk {chunk.decode()} belongs to {owner.decode()} and to {pmcid.decode()}"
                    raise BadInputError("taking the fingerprint", found, "chunk ids and articles are mixed up")
                continue
            before, owner = chunk, pmcid
            self.distinct += 1
            self.digest.update(chunk + b"\n")
            yield pmcid


def chunk_pairs(directories: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """(chunk id, pmcid) of every chunk in some chunk directories."""
    for directory in directories:
        for batch in iter_chunks(directory, ["chunk_id", "pmcid"], rows=50_000):
            yield from zip(batch["chunk_id"].to_pylist(), batch["pmcid"].to_pylist(), strict=True)


def read_fingerprint(folder: Path) -> Fingerprint:
    """The fingerprint that `fingerprint` wrote."""
    return Fingerprint(**json.loads((folder / FINGERPRINT).read_bytes()))
