"""Peak memory of embedding and fingerprinting a package, by its size: it must not grow with the corpus.

Each size runs in a process of its own, with an embedder that costs nothing, so that what is measured is ours.

    python benchmarks/retrieval_memory.py [--shards 2 8 32] [--rows 1000]
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.chunk_table import CHUNK_SCHEMA
from genoplatform.literature.fingerprint import chunk_pairs, fingerprint
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.embedding_shards import embed_chunks
from genoplatform.retrieval.points import embedding_shards, iter_points


class Free:
    """An embedder that gives every text the same vector."""

    def __init__(self) -> None:
        self.dimension, self.identity, self.usage = 768, {"dimension": 768}, {}

    def embed(self, texts: list[str]) -> np.ndarray:
        """Ones."""
        return np.ones((len(texts), 768), dtype=np.float32)


def write(folder: Path, shards: int, rows: int) -> Path:
    folder.mkdir()
    rng = np.random.default_rng(1)
    words = np.array([f"word{n}" for n in range(20_000)])
    for shard in range(shards):
        table = []
        for row in range(rows):
            key = f"{shard:08d}-0000-0000-0000-{row:012d}"
            values = dict.fromkeys(CHUNK_SCHEMA.names) | {"chunk_id": key, "pmcid": f"PMC{shard}{row // 20:05d}"}
            table.append(values | {"mesh_terms": [], "authors": [], "text": " ".join(rng.choice(words, 350))})
        pq.write_table(pa.Table.from_pylist(table, schema=CHUNK_SCHEMA), folder / f"shard_{shard:04d}.parquet")
    return folder


def child(folder: Path) -> None:
    made = embed_chunks(folder / "chunks", folder / "work", Free(), Bm25(), plan="", block_rows=512)
    points = sum(len(batch) for shard in embedding_shards([made]) for batch in iter_points(shard, 768, 256))
    fingerprint(chunk_pairs([made]), folder)
    print(json.dumps({"points": points, "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, nargs="+", default=[2, 8, 32])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        child(asked.child)
        return
    peaks = []
    for shards in asked.shards:
        with tempfile.TemporaryDirectory() as scratch:
            write(Path(scratch) / "chunks", shards, asked.rows)
            done = subprocess.run(
                [sys.executable, __file__, "--child", scratch], check=True, capture_output=True, text=True
            )
        found = json.loads(done.stdout)
        peaks.append(found["peak_mib"])
        print(f"{found['points']:>8} chunks: peak {found['peak_mib']:.0f} MiB", flush=True)
    print(f"{asked.shards[-1] // asked.shards[0]} times the chunks, {peaks[-1] / peaks[0]:.2f} times the memory")


if __name__ == "__main__":
    main()
