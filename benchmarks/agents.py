"""What the graph, its bookkeeping and its files cost beside retrieval, for cell D on an index of 50,000 chunks.

One run, one input, three clocks of processor time: the searches alone, the whole cell on what they found, and the
agents' own functions called bare on the same hits. Goals: what is neither (graph, state, files) at most 5 % of it all;
1,047 cases in under 15 minutes on two cores; memory that does not grow with the cases. The dense side is random
vectors: an embedder's time comes on top, and makes the share of the rest smaller.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from genoplatform.agents.campaign import Campaign
from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.cells import Tools
from genoplatform.agents.critic import Critic
from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.planner import plan_queries
from genoplatform.agents.state import Case
from genoplatform.agents.synthesizer import synthesize
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.obo import read_obo
from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.hits import Hit
from genoplatform.retrieval.index import Point
from genoplatform.retrieval.searcher import IndexSearcher
from genoplatform.retrieval.vectors import DenseVectors, normalised
from genoplatform.settings.retrieval import IndexSettings

DIMENSION, COHORT = 384, 1047
GENES = [f"GEN{n}" for n in range(2000)]
WORDS = [f"word{n}" for n in range(20_000)]
CUES = ["patient", "cohort", "family", "in vitro", "odds ratio", "seizures", "hypotonia", "ataxia", "hearing loss"]


class RandomVectors:
    """An embedder that costs nothing."""

    identity = {"backend": "random"}  # noqa: RUF012
    usage: dict[str, str] = {}  # noqa: RUF012
    dimension = DIMENSION

    def __init__(self) -> None:
        self.rng = np.random.default_rng(7)

    def embed(self, texts: list[str]) -> DenseVectors:
        """Unit vectors of no meaning."""
        return normalised(self.rng.standard_normal((len(texts), DIMENSION)).astype(np.float32))


class Recorded:
    """Answers from what was found before."""

    def __init__(self, found: dict[str, list[Hit]]) -> None:
        self.found = found

    def search(self, queries: list[str], **_: object) -> list[list[Hit]]:
        """Hits of each query."""
        return [self.found[query] for query in queries]


def article_words(rng: random.Random) -> list[str]:
    return [*rng.choices(WORDS, k=300), *rng.choices(CUES, k=6), *rng.choices(GENES, k=3)]


def built(folder: Path, chunks: int) -> EdgeIndex:
    rng, bm25, vectors = random.Random(1), Bm25(), RandomVectors()
    index = EdgeIndex(folder, IndexSettings(engine="edge", collection="bench"), DIMENSION)
    for start in range(0, chunks, 1000):
        texts = []
        for _ in range(min(1000, chunks - start)):
            words = article_words(rng)
            rng.shuffle(words)
            texts.append(" ".join(words))
        points = []
        for at, (text, dense) in enumerate(zip(texts, vectors.embed(texts), strict=True), start):
            chunk_id = f"00000000-0000-4000-8000-{at:012d}"
            payload = {"chunk_id": chunk_id, "pmcid": f"PMC{at // 9}", "text": text, "section_type": "results"}
            points.append(Point(chunk_id, dense, bm25.document(text), payload))
        index.upsert(points)
    index.finish()
    return index


def cases(n: int, terms: list[str]) -> list[CaseFacts]:
    rng = random.Random(2)
    made = [Case(f"bench:{i}", tuple(rng.sample(terms, 8)), tuple(rng.sample(GENES, 50))) for i in range(n)]
    return [CaseFacts(case, case.candidate_genes[0], "bench") for case in made]


def queries_of(lexicon: Lexicon, facts: CaseFacts) -> dict[str, str]:
    labels = lexicon.labels(lexicon.expand(lexicon.resolve(facts.case.hpo_terms)))
    return plan_queries(facts.case.candidate_genes, labels)


def searched(searcher: IndexSearcher, lexicon: Lexicon, cohort: list[CaseFacts]) -> dict[str, list[Hit]]:
    """Every case's queries, a batch a case."""
    found: dict[str, list[Hit]] = {}
    for facts in cohort:
        queries = list(queries_of(lexicon, facts).values())
        found |= dict(zip(queries, searcher.search(queries, limit=10, prefetch=40), strict=True))
    return found


def bare(lexicon: Lexicon, cohort: list[CaseFacts], found: dict[str, list[Hit]]) -> None:
    """Critic and synthesizer without graph or files."""
    critic = Critic(GeneNames({}))
    for facts in cohort:
        labels = lexicon.labels(lexicon.expand(lexicon.resolve(facts.case.hpo_terms)))
        hits = {gene: found[query] for gene, query in queries_of(lexicon, facts).items()}
        synthesize(facts.case.candidate_genes, critic.grade(hits, labels))


def clocked(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """A result, and its seconds of processor and of wall clock."""
    processor, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, time.process_time() - processor, time.perf_counter() - wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hpo", type=Path, help="hp.obo")
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--cases", type=int, default=40)
    options = parser.parse_args()
    release = read_obo(options.hpo)
    graph = OntologyGraph.from_tables(release.terms, release.edges)
    lexicon, n = Lexicon(graph), options.cases
    cohort = cases(n, sorted(graph.ids)[200:8000])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = built(folder / "index", options.chunks)
        searcher = IndexSearcher(index, RandomVectors(), Bm25())
        searched(searcher, lexicon, cohort[:2])
        found, search, search_wall = clocked(lambda: searched(searcher, lexicon, cohort))
        index.close()
        campaign = Campaign(Tools(lexicon, {}, Recorded(found)), "standard", cohort, {})
        campaign.run(["D"], folder / "first")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        _, cell, cell_wall = clocked(lambda: campaign.run(["D"], folder / "second"))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    _, own, _ = clocked(lambda: bare(lexicon, cohort, found))
    whole, wall = search + cell, search_wall + cell_wall
    print(f"cell D, {options.chunks:,} chunks: {1000 * whole / n:.0f} ms of processor a case")
    print(f"  searches {search / whole:.1%}, critic and synthesizer {own / whole:.1%}")
    print(f"  graph, state and files {(cell - own) / whole:.1%} (goal: 5 %), {1000 * (cell - own) / n:.0f} ms a case")
    print(f"  {COHORT:,} cases in {COHORT * wall / n / 60:.1f} min of wall clock (goal: 15, with the embedder's)")
    print(f"  peak memory grown by {grown / 1024:.0f} MB over {n} cases after the first {n}")


if __name__ == "__main__":
    main()
