"""Reading, deciding and chunking small corpora in one call, as the assets do it."""

from pathlib import Path

import pyarrow.parquet as pq

from genoplatform.literature.chunking import ChunkCounts, chunk_package
from genoplatform.literature.packages import Package
from genoplatform.literature.precedence import decide, kept_positions
from genoplatform.literature.reading import CLAIMS, NOTICES, ReadOptions, read_package
from genoplatform.literature.staging import Staging
from genoplatform.literature.windows import Chunker, Windowing

OPTIONS = ReadOptions(("pmc",), only_relevant=True)


def read(source: Path, folder: Path, name: str = "package", options: ReadOptions = OPTIONS) -> Path:
    """Read a package into `folder`."""
    read_package(source, Package.named(name), Staging(folder, {"source": source.name}), options)
    return folder


def claims(folder: Path) -> dict[str, str]:
    """Member -> outcome, of every file."""
    rows = [row for path in sorted(folder.glob(f"{CLAIMS}_*")) for row in pq.read_table(path).to_pylist()]
    assert [row["position"] for row in rows] == list(range(len(rows)))
    return {row["member"]: row["outcome"] for row in rows}


def notices(folder: Path) -> dict[str, str]:
    """Member -> outcome, of every notice."""
    return {row["member"]: row["outcome"] for row in pq.read_table(folder / f"{NOTICES}_0000.parquet").to_pylist()}


def chunk(source: Path, tokenizer: Path, folder: Path, shard_rows: int = 7) -> tuple[Path, ChunkCounts]:
    """Read, decide and chunk one package; the directory of its shards, and what chunking counted."""
    articles = read(source, folder / "articles")
    decide({"package": articles}, Staging(folder / "kept", {}))
    staging = Staging(folder / "chunks", {"shard_rows": shard_rows})
    counts = chunk_package(
        articles,
        kept_positions(folder / "kept", "package"),
        "local",
        Chunker(tokenizer, Windowing(60, 10)),
        staging,
        shard_rows=shard_rows,
    )
    return staging.folder, counts
