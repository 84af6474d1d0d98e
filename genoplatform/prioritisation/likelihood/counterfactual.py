"""Likelihood-ratio scores of each case without the case's own publication.

Here: the diseases that a removal changes, pooled and scored again. Not here: which rows those are
(removal.py), ranks, and the estimates made from both (genoplatform.inference).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.prioritisation.counterfactual import Removal, Scope
from genoplatform.prioritisation.likelihood.log_ratios import LogRatios
from genoplatform.prioritisation.likelihood.queries import LikelihoodQueries
from genoplatform.prioritisation.likelihood.ranker import CHUNK, LikelihoodRanker
from genoplatform.prioritisation.likelihood.ratios import RatioModel
from genoplatform.prioritisation.likelihood.removal import CitedRows, ItemRows, ReducedDiseases, removals_of
from genoplatform.prioritisation.likelihood.tables import DiseaseTables
from genoplatform.prioritisation.resnik import case_slices

BackgroundMode = Literal["fixed", "recomputed"]


@dataclass(frozen=True)
class LikelihoodCounterfactual:
    """Scores cases as if their own publication had never been read into the annotations.

    Attributes:
        ranker: the ranker over the full annotations.
        cited: its rows by publication.
        scope: remove the publication's rows of "all_diseases", or of the case's "own_disease" only. A disease
            that loses every row stays ranked, as one without a phenotype does.
        background: background frequencies "fixed" at the full annotations, so that only the changed diseases
            change, or "recomputed" without them, which moves every ratio a little.
    """

    ranker: LikelihoodRanker
    cited: CitedRows
    scope: Scope = "all_diseases"
    background: BackgroundMode = "fixed"

    @classmethod
    def from_rows(
        cls,
        ranker: LikelihoodRanker,
        rows: pd.DataFrame,
        *,
        scope: Scope = "all_diseases",
        background: BackgroundMode = "fixed",
    ) -> LikelihoodCounterfactual:
        """Build from the frame that the ranker was made from, with its `pmids`."""
        used = ranker.rows
        cited = CitedRows.from_rows(rows["pmids"].iloc[used.row], used.disease, used.diseases)
        return cls(ranker, cited, scope, background)

    def iter_scores(
        self, cases: pd.DataFrame, queries: LikelihoodQueries, *, chunk: int = CHUNK
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their gene scores [n, n_genes]) in order, as the ranker does.

        Args:
            cases: source_pmid ("" = nothing is removed), disease_ids.
            queries: the resolved terms of the same cases.
            chunk: cases in memory at a time; with a recomputed background, cases of one publication share
                work within a chunk.
        """
        removals = removals_of(cases, self.scope)
        number = {removal: at for at, removal in enumerate(dict.fromkeys(removals))}
        of_case = np.array([number[removal] for removal in removals], dtype=np.intp)
        fixed = self._reduced(list(number)) if self.background == "fixed" else None
        for part in case_slices(len(removals), chunk):
            if fixed is None:
                scores = self._recomputed(removals[part], *queries.matrices(part))
            else:
                scores = self.ranker.disease_scores(queries, part)
                fixed.put(scores, of_case[part], *queries.matrices(part))
            yield part, self.ranker.gene_diseases.best(scores)

    def summary(self, cases: pd.DataFrame) -> pd.DataFrame:
        """What is removed for each case, see CitedRows.summary."""
        return self.cited.summary(cases, self.ranker.gene_diseases, self.scope)

    def _recomputed(
        self, removals: Sequence[Removal], observed: csr_array, excluded: csr_array | None
    ) -> NDArray[np.float64]:
        """Cases of one removal at a time, since each has a background of its own."""
        scores = np.empty((len(removals), len(self.ranker.diseases)))
        for removal in dict.fromkeys(removals):
            mine = np.flatnonzero([other == removal for other in removals])
            terms = observed[mine], None if excluded is None else excluded[mine]
            reduced = self._reduced([removal])
            base = reduced.whole if len(reduced.items) else self.ranker.log_ratios
            block = base.sums(*terms)
            reduced.put(block, np.zeros(len(mine), np.intp), *terms)
            scores[mine] = block
        return scores

    def _reduced(self, removals: Sequence[Removal]) -> _Reduced:
        reduced = self.cited.reduce(removals)
        model = self.ranker.model
        after = self._tables(reduced.after, len(reduced))
        if self.background == "recomputed":
            before = self._tables(reduced.before, len(reduced))
            model = replace(model, background=model.background.exchange(before.carried, after.carried))
        return _Reduced(reduced, model, LogRatios(replace(model, tables=after)))

    def _tables(self, rows: ItemRows, n_items: int) -> DiseaseTables:
        pooled = self.ranker.rows.pool_as(rows.row, rows.item, n_items)
        return DiseaseTables.from_annotations(pooled, self.ranker.model.ancestors, self.ranker.decay)


@dataclass(frozen=True)
class _Reduced:
    """Changed diseases of some removals.

    Attributes:
        items: what changed.
        model: all diseases as they were, under the background that applies.
        log_ratios: the changed diseases, under the same background.
    """

    items: ReducedDiseases
    model: RatioModel
    log_ratios: LogRatios

    @property
    def whole(self) -> LogRatios:
        return LogRatios(self.model)

    def put(
        self,
        scores: NDArray[np.float64],
        removal_of_case: NDArray[np.intp],
        observed: csr_array,
        excluded: csr_array | None,
    ) -> None:
        """Score the changed diseases and put them over the scores of each case's own removal, in place."""
        if len(self.items):
            self.items.patch(scores, self.log_ratios.sums(observed, excluded), removal_of_case)
