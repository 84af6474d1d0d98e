"""Keeping the best of many chunks by a reranker: cells L and S fetch 50 and keep 10.

Belongs here: who keeps what. Does not belong here: the model that scores (resources), the grades (critic).
Source: rare-disease specification, section 8: the score only chooses the chunks and enters no gene's score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from genoplatform.agents.llm import Reranker
from genoplatform.agents.state import Retrieved
from genoplatform.retrieval.hits import Hit

FETCHED, KEPT = 50, 10


@dataclass(frozen=True)
class RerankSelection:
    """Keeps the chunks that a reranker scores highest for the gene's query."""

    reranker: Reranker
    kept: int = KEPT

    def __call__(self, retrieved: Retrieved, queries: Mapping[str, str]) -> dict[str, list[Hit]]:
        """Gene -> its best `kept` chunks, by falling score; equal scores as retrieved."""
        return {gene: self._best(queries.get(gene, gene), hits) for gene, hits in retrieved.items()}

    def _best(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        if not hits:
            return []
        scores = self.reranker.score(query, [hit.text for hit in hits])
        order = sorted(range(len(hits)), key=lambda at: -scores[at])
        return [hits[at] for at in order[: self.kept]]
