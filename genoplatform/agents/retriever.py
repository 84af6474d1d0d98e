"""The retriever: all queries of a case in one batch, each asked once.

Belongs here: what is asked of a `Searcher` for a case. Does not belong here: the engine (retrieval).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from genoplatform.agents.state import Retrieved
from genoplatform.retrieval.hits import Hit, Mode, Searcher

PREFETCH_FACTOR = 4
"""Depth of either side before fusion, as a multiple of the hits asked for (rare-disease specification, section 2.5)."""


@dataclass(frozen=True)
class Retriever:
    """Searches for the genes of one case.

    Attributes:
        searcher: the index.
        limit: chunks a gene.
        mode: both sides of the index, or one.
    """

    searcher: Searcher
    limit: int
    mode: Mode = "hybrid"

    def search(self, queries: Mapping[str, str], known: Mapping[str, Sequence[Hit]]) -> dict[str, list[Hit]]:
        """Query -> hits of the queries not in `known`, in one call.

        The published loop repeats its queries. A searcher gives the same list for the same query, so searching
        again would cost time and change nothing.
        """
        fresh = list(dict.fromkeys(query for query in queries.values() if query not in known))
        if not fresh:
            return {}
        found = self.searcher.search(fresh, mode=self.mode, limit=self.limit, prefetch=PREFETCH_FACTOR * self.limit)
        return dict(zip(fresh, found, strict=True))


def wanted(genes: Sequence[str], queries: Mapping[str, str]) -> dict[str, str]:
    """The query of every gene; one without a query is searched by its symbol."""
    return {gene: queries.get(gene, gene) for gene in genes}


def merged(before: Retrieved, found: Retrieved) -> dict[str, list[Hit]]:
    """Chunks of `before` and, after them, those of `found` not among them, gene by gene."""
    out = {}
    for gene in dict.fromkeys([*before, *found]):
        kept = list(before.get(gene, ()))
        seen = {hit.chunk_id for hit in kept}
        for hit in found.get(gene, ()):
            if hit.chunk_id not in seen:
                seen.add(hit.chunk_id)
                kept.append(hit)
        out[gene] = kept
    return out
