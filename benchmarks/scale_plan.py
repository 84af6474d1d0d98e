"""What the paper's corpus would take: 2.25 million articles, 52.8 million chunks, from rates measured here and now.

Measures every stage on the PLOS articles (reading, chunking, sparse and dense vectors, inserting and the graph), then
extrapolates to the corpus, and simulates its packages as partitions on a number of workers: a package is one run, the
longest first, and a worker takes the next when it is free. The graph is scaled by n log n. Prices and the speed of a
GPU are assumptions, printed as such: `--gpu-chunks` takes a measured figure in their place.

    python benchmarks/scale_plan.py [--chunks 40] [--points 4000] [--core-hour 0.04] [--gpu-hour 2.0] [--json]
"""

import argparse
import heapq
import json
import math
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np
from plos import NAME, Corpus, plos_corpus

from genoplatform.literature.packages import Package
from genoplatform.literature.reading import ReadOptions, read_package
from genoplatform.literature.staging import Staging
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment
from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.index import Point
from genoplatform.settings.retrieval import EmbedderSettings, IndexSettings

ARTICLES, CHUNKS, PACKAGES, DIMENSION = 2_254_388, 52_782_789, 400, 768
WORKERS = (1, 4, 16, 64)
SHARD_POINTS = 10_000_000


def seconds(call: Callable[[], object]) -> float:
    """Processor time, all threads: other work on the machine does not count, and cores need no dividing by."""
    start = time.process_time()
    call()
    return time.process_time() - start


def rates(folder: Path, chunks: int, points: int) -> dict[str, float]:
    """Units a core second of each stage."""
    package = SourceStore(Path(".genoplatform"), mirror_dir=mirror_from_environment()).fetch(NAME).path
    options = ReadOptions(["pmc", "pmcid", "doi"], False)
    reading = seconds(lambda: read_package(package, Package.named(NAME), Staging(folder / "read", {}), options))
    made: list[Corpus] = []
    both = seconds(lambda: made.append(plos_corpus(folder / "plos")))
    texts = made[0].texts()
    bm25 = Bm25()
    found = {"read (articles)": 122 / reading, "chunk (chunks)": len(texts) / max(both - reading, 1e-9)}
    found["sparse (chunks)"] = len(texts) / seconds(lambda: [bm25.document(text) for text in texts])
    settings = EmbedderSettings(backend="onnx", model="m", dimension=384, max_tokens=512)
    with EmbedderResource().open(settings, made[0].model, made[0].tokenizer) as embedder:
        sample = made[0].sample(chunks, 1)
        found["dense (chunks)"] = len(sample) / seconds(lambda: embedder.embed(sample))
    insert, graph = index_seconds(folder / "index", texts, points)
    return found | {"insert (points)": points / insert, "graph (points)": points / graph}


def index_seconds(folder: Path, texts: list[str], points: int) -> tuple[float, float]:
    """Inserting points of 768, and building their graph."""
    rng, bm25 = np.random.default_rng(1), Bm25()
    settings = IndexSettings(engine="edge", collection="scale", full_scan_threshold=10, indexing_threshold=10)
    index = EdgeIndex(folder, settings, DIMENSION)
    made = []
    for number in range(points):
        text = texts[number % len(texts)]
        payload = {"text": text, "pmcid": f"PMC{number // 23}", "section_type": "results", "pub_year": 2010}
        vector = rng.normal(size=DIMENSION).astype(np.float32)
        made.append(Point(str(uuid.UUID(int=number)), vector, bm25.document(text), payload))
    insert = seconds(lambda: [index.upsert(made[start : start + 256]) for start in range(0, points, 256)])
    graph = seconds(index.finish)
    index.close()
    return insert, graph


def core_hours(measured: dict[str, float], points: int) -> dict[str, float]:
    """Hours of one core for the whole corpus, by stage."""
    hours = {}
    for stage, rate in measured.items():
        units = ARTICLES if "articles" in stage else CHUNKS
        growth = math.log(SHARD_POINTS) / math.log(points) if stage.startswith("graph") else 1.0
        hours[stage] = units / rate * growth / 3600
    return hours


def makespan(hours: float, workers: int, seed: int = 5) -> float:
    """Hours until the last package is done: packages of uneven size (lognormal), longest first."""
    sizes = np.random.default_rng(seed).lognormal(sigma=0.8, size=PACKAGES)
    free = [0.0] * workers
    for size in sorted(sizes / sizes.sum() * hours, reverse=True):
        heapq.heapreplace(free, free[0] + size)
    return max(free)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=40)
    parser.add_argument("--points", type=int, default=4000)
    parser.add_argument("--core-hour", type=float, default=0.04, help="price, assumed")
    parser.add_argument("--gpu-hour", type=float, default=2.0, help="price, assumed")
    parser.add_argument("--gpu-chunks", type=float, default=1500.0, help="chunks/s of PubMedBERT on a GPU, assumed")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measured = rates(Path(scratch), asked.chunks, asked.points)
    hours = core_hours(measured, asked.points)
    spans = {stage: {n: makespan(value, n) for n in WORKERS} for stage, value in hours.items()}
    if asked.json:
        print(json.dumps({"rates": measured, "core_hours": hours, "hours_by_workers": spans}))
        return
    print(f"{ARTICLES:,} articles, {CHUNKS:,} chunks, {PACKAGES} packages; rates of one core of this machine")
    print(f"{'stage':<18}{'a core s':>10}{'core hours':>12}{'price':>10}  hours on {WORKERS} one-core workers")
    for stage, value in hours.items():
        when = "  ".join(f"{spans[stage][n]:.1f}" for n in WORKERS)
        print(f"{stage:<18}{measured[stage]:>10.1f}{value:>12.0f}{value * asked.core_hour:>10.0f}  {when}")
    gpu = CHUNKS / asked.gpu_chunks / 3600
    print(
        f"dense on a GPU: {gpu:.1f} h, price {gpu * asked.gpu_hour:.0f}, at {asked.gpu_chunks:.0f} chunks/s (assumed)"
    )
    vectors = CHUNKS * DIMENSION * 4 / 2**30
    print(
        f"vectors {vectors:.0f} GiB, graph about {CHUNKS * 16 * 2 * 4 / 2**30:.0f} GiB; "
        f"{math.ceil(CHUNKS / SHARD_POINTS)} shards of at most {SHARD_POINTS:,} points"
    )


if __name__ == "__main__":
    main()
