"""PhenoDigm scores of each case without the case's own publication.

Here: the models that a removal changes, scored again. Not here: which rows those are
(likelihood.removal), ranks, and the estimates made from both (genoplatform.inference).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.counterfactual import ContentMode, Removal, Scope
from genoplatform.prioritisation.information_content import InformationContent, propagate
from genoplatform.prioritisation.likelihood.removal import CitedRows, ItemRows, ReducedDiseases, removals_of
from genoplatform.prioritisation.phenodigm.ranker import CHUNK, PhenodigmRanker, bits
from genoplatform.prioritisation.phenodigm.scores import ModelScores
from genoplatform.prioritisation.queries import Queries
from genoplatform.prioritisation.resnik import case_slices


@dataclass(frozen=True)
class PhenodigmCounterfactual:
    """Scores cases as if their own publication had never been read into the annotations.

    Attributes:
        ranker: the ranker over the full annotations.
        cited: its rows by publication.
        scope: remove the publication's rows of "all_diseases", or of the case's "own_disease" only. A disease
            that loses every row scores 0.
        content: information content "fixed" at the full annotations, so that only the changed models change,
            or "recomputed" without them (over diseases only).
    """

    ranker: PhenodigmRanker
    cited: CitedRows
    scope: Scope = "all_diseases"
    content: ContentMode = "fixed"

    def __post_init__(self) -> None:
        if self.content == "recomputed" and self.ranker.corpus != "diseases":
            raise SettingsError(
                "removing a publication from the information content",
                f"content counted over {self.ranker.corpus}",
                'use content="fixed", or count over diseases',
            )

    @classmethod
    def from_rows(
        cls,
        ranker: PhenodigmRanker,
        rows: pd.DataFrame,
        *,
        scope: Scope = "all_diseases",
        content: ContentMode = "fixed",
    ) -> PhenodigmCounterfactual:
        """Build from the frame that the ranker was made from, with its `pmids`."""
        used = ranker.rows
        cited = CitedRows.from_rows(rows["pmids"].iloc[used.row], used.disease, used.diseases)
        return cls(ranker, cited, scope, content)

    def iter_scores(
        self, cases: pd.DataFrame, queries: Queries, *, chunk: int = CHUNK
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their gene scores [n, n_genes]) in order, as the ranker does.

        Args:
            cases: source_pmid ("" = nothing is removed), disease_ids.
            queries: the resolved terms of the same cases.
            chunk: cases in memory at a time; with recomputed content, cases of one publication share work
                within a chunk.
        """
        removals = removals_of(cases, self.scope)
        number = {removal: at for at, removal in enumerate(dict.fromkeys(removals))}
        of_case = np.array([number[removal] for removal in removals], dtype=np.intp)
        fixed = self._fixed(list(number)) if self.content == "fixed" else None
        for part in case_slices(len(removals), chunk):
            matrix = queries.matrix[part]
            if fixed is None:
                scores = self._recomputed(removals[part], matrix)
            else:
                scores = self.ranker.models.scores(matrix)
                fixed.put(scores, of_case[part], matrix)
            yield part, self.ranker.gene_diseases.best(scores)

    def summary(self, cases: pd.DataFrame) -> pd.DataFrame:
        """What is removed for each case, see CitedRows.summary; diseases without a gene count too."""
        return self.cited.summary(cases, self.ranker.gene_diseases, self.scope)

    def _fixed(self, removals: Sequence[Removal]) -> _Reduced:
        items = self.cited.reduce(removals)
        after = self._matrix(items.after, len(items))
        return _Reduced(items, ModelScores.from_models(self.ranker.models.similarity, after))

    def _recomputed(self, removals: Sequence[Removal], queries: csr_array) -> NDArray[np.float64]:
        """Cases of one removal at a time, since each has an information content of its own."""
        models = self.ranker.models
        scores = np.empty((len(removals), models.models.shape[0]))
        for removal in dict.fromkeys(removals):
            mine = np.flatnonzero([other == removal for other in removals])
            items = self.cited.reduce([removal])
            after = self._matrix(items.after, len(items))
            similarity = models.similarity
            if len(items):
                similarity = replace(similarity, content=bits(self._content(items, after)))
            whole = replace(models, similarity=similarity, _cache={}) if len(items) else models
            block = whole.scores(queries[mine])
            reduced = _Reduced(items, ModelScores.from_models(similarity, after))
            reduced.put(block, np.zeros(len(mine), np.intp), queries[mine])
            scores[mine] = block
        return scores

    def _content(self, items: ReducedDiseases, after: csr_array) -> InformationContent:
        """Content over all diseases after a single removal, from the content before it."""
        full, ancestors = self.ranker.content, csr_array(self.ranker.graph.ancestors)
        n_terms = len(full.counts)
        taken = propagate(self._matrix(items.before, len(items)), ancestors)
        left = propagate(after, ancestors)
        counts = full.counts - np.bincount(taken.indices, minlength=n_terms)
        counts = counts + np.bincount(left.indices, minlength=n_terms)
        emptied = int((np.diff(left.indptr) == 0).sum())
        return InformationContent.from_counts(counts, full.n_items - emptied)

    def _matrix(self, rows: ItemRows, n_items: int) -> csr_array:
        return self.ranker.rows.matrix_as(rows.row, rows.item, (n_items, len(self.ranker.graph.ids)))


@dataclass(frozen=True)
class _Reduced:
    """Changed diseases of some removals, and scores of what is left of them."""

    items: ReducedDiseases
    models: ModelScores

    def put(self, scores: NDArray[np.float64], removal_of_case: NDArray[np.intp], queries: csr_array) -> None:
        """Score the changed models and put them over the scores of each case's own removal, in place."""
        if len(self.items):
            self.items.patch(scores, self.models.scores(queries), removal_of_case)
