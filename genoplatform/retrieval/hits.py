"""What a search gives back, and the interface that whoever searches relies on. No engine is known here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Mode = Literal["hybrid", "dense", "sparse"]


@dataclass(frozen=True)
class Hit:
    """One chunk found. `score` sorts the list; a side's own score is None where that side did not find the chunk."""

    chunk_id: str
    pmcid: str
    text: str
    section_type: str
    score: float
    score_dense: float | None = None
    score_bm25: float | None = None
    score_rrf: float | None = None
    pmid: str = ""
    title: str = ""
    section_heading: str = ""
    pub_year: int | None = None


class Searcher(Protocol):
    """Finds chunks for queries; ties are broken by chunk id, so that the same index gives the same list."""

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
        """Hits of each query, best first.

        Args:
            queries: texts, in the order of the result.
            mode: both sides fused by reciprocal rank, or one of them.
            limit: hits a query, at most.
            prefetch: depth of either side before fusion; by default 4 x limit (rare_disease.md section 2.5).
            gene: only chunks whose text holds this symbol as a word.
            years: first and last publication year, each optional.
        """
        ...
