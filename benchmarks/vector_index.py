"""Vector indexes at 50,000 chunks: build time, query p50 and p95, and what the graph finds, ours beside three peers.

Texts are sentences of the PLOS articles in new company, vectors are clustered (as embeddings are) and random; all
engines get the same ones, in one run. Ours is the embedded Qdrant engine behind `VectorIndex`, asked one query at a
time through `IndexSearcher`, fusion and payload included. Peers, each skipped with a message where not installed:
`QdrantClient(path=)` (the client's own local mode), LanceDB, and tantivy for words with numpy for vectors.

    python benchmarks/vector_index.py [--points 50000] [--queries 200] [--slow-queries 10] [--only WORD ...]
        [--json]
"""

import argparse
import json
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from index_peers import PEERS, Data, Peer
from plos import plos_corpus

from genoplatform.retrieval.bm25 import Bm25

DIMENSION, CLUSTERS, TOP = 384, 500, 10
MODES = ("dense", "sparse", "hybrid")


def made_up(folder: Path, points: int, queries: int, seed: int = 3) -> Data:
    """Texts of eight sentences, vectors around cluster centres, and queries near some of both."""
    rng = np.random.default_rng(seed)
    split = re.compile(r"(?<=[.!?])\s+")
    sentences = [s for text in plos_corpus(folder).texts() for s in split.split(text) if 40 < len(s) < 400]
    texts = [" ".join(sentences[i] for i in rng.integers(0, len(sentences), 8)) for _ in range(points)]
    centres = rng.normal(size=(CLUSTERS, DIMENSION))
    vectors = _unit(centres[rng.integers(0, CLUSTERS, points)] + rng.normal(scale=0.7, size=(points, DIMENSION)))
    near = rng.integers(0, points, queries)
    asked = [" ".join(texts[i].split()[5:13]) for i in near]
    towards = _unit(vectors[near] + rng.normal(scale=0.03, size=(queries, DIMENSION)))
    return Data(texts, vectors, asked, towards)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def latencies(ask: Callable[[int], object], number: int) -> dict[str, float]:
    """p50 and p95 in ms, the first three queries left out."""
    taken = []
    for query in range(number):
        start = time.perf_counter()
        ask(query)
        taken.append(1000 * (time.perf_counter() - start))
    cuts = statistics.quantiles(taken[3:] or taken, n=20)
    return {"p50": statistics.median(taken[3:] or taken), "p95": cuts[-1]}


def measured(peer: Peer, data: Data, folder: Path, number: int) -> dict[str, object]:
    start = time.perf_counter()
    peer.build(data, folder)
    row: dict[str, object] = {"engine": peer.name, "build_s": time.perf_counter() - start}
    for mode in MODES:
        row[mode] = latencies(
            lambda query, mode=mode: peer.search(mode, data.asked[query], data.towards[query]), number
        )
    true = np.argsort(-(data.towards[:number] @ data.vectors.T), axis=1)[:, :TOP]
    found = [set(peer.search("dense", data.asked[query], data.towards[query])) for query in range(number)]
    row["recall"] = float(
        np.mean([len(set(map(int, best)) & mine) / TOP for best, mine in zip(true, found, strict=True)])
    )
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--slow-queries", type=int, default=10, help="of QdrantClient(path=), which compares in Python")
    parser.add_argument("--only", nargs="+", metavar="WORD", default=[""], help="engines whose names hold one of these")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        data = made_up(Path(scratch) / "plos", asked.points, asked.queries)
        sparse = [Bm25().document(text) for text in data.texts]
        for make in [peer for peer in PEERS if any(word in peer.name for word in asked.only)]:
            try:
                peer = make(sparse)
            except ImportError as error:
                rows.append({"engine": make.name, "missing": str(error)})
                continue
            folder = Path(scratch) / "index" / str(len(rows))
            folder.mkdir(parents=True)
            number = min(asked.slow_queries, asked.queries) if make.slow else asked.queries
            rows.append(measured(peer, data, folder, number))
            if not asked.json:
                print(line(rows[-1]), flush=True)
    if asked.json:
        print(json.dumps({"points": asked.points, "rows": rows}))


def line(row: dict[str, object]) -> str:
    if "missing" in row:
        return f"{row['engine']:<22} not installed ({row['missing']})"
    parts = [f"{mode} {row[mode]['p50']:.1f} / {row[mode]['p95']:.1f} ms" for mode in MODES]
    return f"{row['engine']:<22} build {row['build_s']:.1f} s; {'; '.join(parts)}; recall@10 {row['recall']:.3f}"


if __name__ == "__main__":
    main()
