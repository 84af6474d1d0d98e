"""PhenoDigm scores of cases against disease models.

Here: the semi-symmetric score of term sets, over whole cohorts, with what depends on one query term alone kept
once made. Not here: similarity of two terms (termsim.py), genes (ranker.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.prioritisation.phenodigm.termsim import TermSimilarity


@dataclass(frozen=True)
class _QueryTerm:
    """What one query term brings to every score.

    Attributes:
        best: its best score with any term of the ontology, normally itself.
        columns: model terms that it matches, as columns of ModelScores.
        scores: its score with each of those.
        forward: its best score within each model, [n_models].
    """

    best: float
    columns: NDArray[np.intp]
    scores: NDArray[np.float64]
    forward: NDArray[np.float64]


@dataclass(frozen=True)
class ModelScores:
    """Scores cases against models.

    Attributes:
        similarity: of two terms.
        terms: ontology positions of the terms that any model has, [n_columns].
        models: [n_models, n_columns] of ones.
        carriers: their transpose.
    """

    similarity: TermSimilarity
    terms: NDArray[np.intp]
    models: csr_array
    carriers: csr_array
    _cache: dict[int, _QueryTerm] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_models(cls, similarity: TermSimilarity, models: csr_array) -> ModelScores:
        """Build from models over all terms of the ontology, [n_models, n_terms] of ones."""
        terms, column = np.unique(models.indices, return_inverse=True)
        narrow = csr_array((models.data, column, models.indptr), shape=(models.shape[0], len(terms)))
        return cls(similarity, terms.astype(np.intp), narrow, csr_array(narrow.T))

    def scores(self, queries: csr_array) -> NDArray[np.float64]:
        """Score of each case with each model.

        With the best score of every query term in the model (forward) and of every matched model term in the
        query (backward): half the sum of the largest of them over the largest a perfect model could reach, and
        of their mean over the mean a perfect model could reach, at most 1.

        Args:
            queries: [n_cases, n_terms], distinct terms.

        Returns:
            [n_cases, n_models] in [0, 1]; 0 where nothing matches.
        """
        n_cases, n_models = queries.shape[0], self.models.shape[0]
        largest = np.zeros((n_cases, n_models))
        total = np.zeros((n_cases, n_models))
        backward = np.zeros((n_cases, len(self.terms)))
        perfect = np.zeros((n_cases, 2))
        for case in range(n_cases):
            mine = queries.indices[queries.indptr[case] : queries.indptr[case + 1]]
            parts = [self._query_term(int(term)) for term in mine]
            for part in parts:
                np.maximum(largest[case], part.forward, out=largest[case])
                total[case] += part.forward
                backward[case, part.columns] = np.maximum(backward[case, part.columns], part.scores)
            best = [part.best for part in parts]
            perfect[case] = max(best, default=0.0), sum(best) / max(len(best), 1)
        matched = np.asarray(self.models @ (backward > 0).T.astype(np.float64)).T
        total += np.asarray(self.models @ backward.T).T
        matched += np.diff(queries.indptr)[:, None]
        return _combine(largest, total, matched, perfect)

    def _query_term(self, term: int) -> _QueryTerm:
        made = self._cache.get(term)
        if made is None:
            terms, scores = self.similarity.matches(term)
            at = np.searchsorted(self.terms, terms)
            known = np.flatnonzero(at < len(self.terms))
            known = known[self.terms[at[known]] == terms[known]]
            columns = at[known]
            forward = largest_by_model(self.carriers, columns, scores[known])
            made = _QueryTerm(float(scores.max(initial=0.0)), columns, scores[known], forward)
            self._cache[term] = made
        return made


def largest_by_model(
    carriers: csr_array, columns: NDArray[np.intp], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Largest value among the terms of each model, [n_models]; 0 where a model has none of them.

    Args:
        carriers: models of each term, [n_columns, n_models].
        columns: terms that have a value above 0.
        values: of each of `columns`.
    """
    largest = np.zeros(carriers.shape[1])
    ascending = np.argsort(values, kind="stable")
    rows = carriers[columns[ascending]]
    # Of several values for one model the last assigned stays, which is the largest.
    largest[rows.indices] = np.repeat(values[ascending], np.diff(rows.indptr))
    return largest


def _combine(
    largest: NDArray[np.float64],
    total: NDArray[np.float64],
    count: NDArray[np.float64],
    perfect: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Half of largest/perfect largest plus half of mean/perfect mean, at most 1; rewrites its arguments."""
    reachable = np.where(perfect > 0, perfect, np.inf)
    largest /= reachable[:, :1]
    total /= np.maximum(count, 1.0)
    total /= reachable[:, 1:]
    largest += total
    largest *= 0.5
    return np.minimum(largest, 1.0, out=largest)
