"""`Searcher` over a vector index: queries to vectors, both sides asked, fused, and the hits filled from the payload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from genoplatform.errors import BadInputError
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.fusion import reciprocal_ranks
from genoplatform.retrieval.hits import Hit, Mode
from genoplatform.retrieval.index import Filter, IndexQuery, Scored, VectorIndex
from genoplatform.retrieval.settled import settled
from genoplatform.retrieval.vectors import Embedder

_MODES = ("hybrid", "dense", "sparse")


@dataclass(frozen=True)
class _Ranked:
    """Of one query: (id, score the list is sorted by), and each side's scores by id."""

    order: list[tuple[str, float]]
    dense: dict[str, float]
    sparse: dict[str, float]
    fused: bool

    def scores(self, chunk_id: str, score: float) -> dict[str, float | None]:
        """The score fields of a hit."""
        return {
            "score": score,
            "score_dense": self.dense.get(chunk_id),
            "score_bm25": self.sparse.get(chunk_id),
            "score_rrf": score if self.fused else None,
        }


class IndexSearcher:
    """Searches one index with the embedder its vectors were made with.

    Args:
        index: open.
        embedder: of the index's dense vectors.
        bm25: query side of its sparse vectors.
        rrf_constant: see `fusion.reciprocal_ranks`.
        prefetch_factor: depth of either side before fusion, as a multiple of the hits asked for.
        exact: compare with every dense vector, instead of walking the graph.
    """

    def __init__(
        self,
        index: VectorIndex,
        embedder: Embedder,
        bm25: Bm25,
        *,
        rrf_constant: int = 2,
        prefetch_factor: int = 4,
        exact: bool = False,
    ) -> None:
        self.index, self.embedder, self.bm25 = index, embedder, bm25
        self._constant, self._factor, self._exact = rrf_constant, prefetch_factor, exact

    def search(
        self,
        queries: Sequence[str],
        *,
        mode: Mode = "hybrid",
        limit: int = 10,
        prefetch: int | None = None,
        gene: str | None = None,
        years: tuple[int | None, int | None] | None = None,
    ) -> list[list[Hit]]:
        """Hits of each query, best first; see `hits.Searcher`.

        Raises:
            BadInputError: an unknown mode, or a limit below 1.
        """
        if mode not in _MODES or limit < 1:
            raise BadInputError("searching", f"mode {mode!r}, limit {limit}", f"one of {_MODES}, at least one hit")
        depth = limit if mode != "hybrid" else max(limit, prefetch or self._factor * limit)
        only = Filter(gene or None, *(years or (None, None)))
        nothing: list[list[Scored]] = [[] for _ in queries]
        dense = self._dense(queries, depth, only) if mode != "sparse" else nothing
        sparse = self._sparse(queries, depth, only) if mode != "dense" else nothing
        ranked = [self._rank(*sides, mode == "hybrid", limit) for sides in zip(dense, sparse, strict=True)]
        found = {chunk_id for item in ranked for chunk_id, _ in item.order}
        payloads = self.index.payloads(sorted(found)) if found else {}
        return [
            [_hit(chunk_id, payloads[chunk_id], item.scores(chunk_id, score)) for chunk_id, score in item.order]
            for item in ranked
        ]

    def _dense(self, queries: Sequence[str], depth: int, only: Filter) -> list[list[Scored]]:
        vectors = self.embedder.embed(queries)
        return settled(self.index, [IndexQuery(vector, depth, only, self._exact) for vector in vectors])

    def _sparse(self, queries: Sequence[str], depth: int, only: Filter) -> list[list[Scored]]:
        vectors = [self.bm25.query(query) for query in queries]
        asked = [position for position, vector in enumerate(vectors) if len(vector)]  # only stopwords: nothing found
        found: list[list[Scored]] = [[] for _ in queries]
        lists = settled(self.index, [IndexQuery(vectors[i], depth, only) for i in asked])
        for position, answer in zip(asked, lists, strict=True):
            found[position] = answer
        return found

    def _rank(self, dense: list[Scored], sparse: list[Scored], fused: bool, limit: int) -> _Ranked:
        sides = [{point.chunk_id: point.score for point in side} for side in (dense, sparse)]
        if fused:
            order = reciprocal_ranks([list(side) for side in sides], self._constant)[:limit]
        else:
            order = [*sides[0].items(), *sides[1].items()]
        return _Ranked(order, sides[0], sides[1], fused)


def _hit(chunk_id: str, payload: Mapping[str, Any], scores: dict[str, Any]) -> Hit:
    return Hit(
        chunk_id=chunk_id,
        pmcid=payload.get("pmcid") or "",
        text=payload.get("text") or "",
        section_type=payload.get("section_type") or "",
        pmid=payload.get("pmid") or "",
        title=payload.get("title") or "",
        section_heading=payload.get("section_heading") or "",
        pub_year=payload.get("pub_year"),
        **scores,
    )
