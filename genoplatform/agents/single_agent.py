"""The single agents A and B: one search a gene, and the sum of its chunks' scores; nothing is graded.

Belongs here: their query and score. Does not belong here: searching (retriever).
Source: rare-disease specification, section 8. A searches one side of the index (dense), B both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.planner import plan_queries
from genoplatform.agents.retriever import Retriever
from genoplatform.agents.state import AgentState, Candidate, Case
from genoplatform.agents.synthesizer import SUPPORTING
from genoplatform.retrieval.hits import Hit

SUMMED = 10


@dataclass(frozen=True)
class SingleAgent:
    """Ranks a case by retrieval scores."""

    lexicon: Lexicon
    retriever: Retriever

    def run(self, case: Case) -> AgentState:
        """The final state of one case; the query holds the symbol and all labels."""
        labels = self.lexicon.labels(self.lexicon.resolve(case.hpo_terms))
        queries = plan_queries(case.candidate_genes, labels, None)
        found = self.retriever.search(queries, {})
        retrieved = {gene: list(found[query]) for gene, query in queries.items()}
        return {
            "case": case,
            "labels": labels,
            "queries": queries,
            "retrieved": retrieved,
            "ranked": score_ranking(case.candidate_genes, retrieved),
            "logs": [],
        }


def score_ranking(genes: Sequence[str], retrieved: dict[str, list[Hit]]) -> list[Candidate]:
    """Genes by the sum of their `SUMMED` best chunk scores, equal ones in the order given."""
    scored = [(gene, sum(hit.score for hit in retrieved[gene][:SUMMED])) for gene in genes]
    scored.sort(key=lambda item: -item[1])
    return [
        Candidate(gene, score, tuple(hit.chunk_id for hit in retrieved[gene][:SUPPORTING]), at)
        for at, (gene, score) in enumerate(scored, 1)
    ]
