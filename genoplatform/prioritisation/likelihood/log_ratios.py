"""Sums of log likelihood ratios over the terms of cases, with every term's column kept once made.

Here: caching and adding columns. Not here: what a ratio is (ratios.py), genes (ranker.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.prioritisation.likelihood.ratios import RatioModel, Ratios


@dataclass(frozen=True)
class _Excluded:
    """log10 ratios of an excluded term: one value nearly everywhere, and the diseases that differ from it."""

    common: float
    diseases: NDArray[np.intp]
    difference: NDArray[np.float64]

    @classmethod
    def from_ratios(cls, ratios: Ratios) -> _Excluded:
        rules, counts = np.unique(ratios.rules, return_counts=True)
        typical = float(ratios.values[np.argmax(ratios.rules == rules[np.argmax(counts)])])
        diseases = np.flatnonzero(ratios.values != typical)
        return cls(float(np.log10(typical)), diseases, np.log10(ratios.values[diseases] / typical))


@dataclass(frozen=True)
class LogRatios:
    """Adds log10 ratios of `model`.

    Columns stay in memory: 8 bytes a disease for an observed term, less for an excluded one; some 300 MB for
    all terms of 9,500 cases.
    """

    model: RatioModel
    _observed: dict[int, NDArray[np.float64]] = field(default_factory=dict, repr=False, compare=False)
    _excluded: dict[int, _Excluded] = field(default_factory=dict, repr=False, compare=False)

    def sums(self, observed: csr_array, excluded: csr_array | None = None) -> NDArray[np.float64]:
        """log10 of the product of the ratios of each case's terms.

        Args:
            observed: [n_cases, n_terms].
            excluded: of the same shape; None leaves excluded terms out.

        Returns:
            [n_cases, n_diseases]; 0 where a case has no term, -inf where a ratio is 0.
        """
        totals = np.zeros((observed.shape[0], self.model.tables.n_diseases))
        for case in range(len(totals)):
            for term in _terms(observed, case):
                totals[case] += self._observed_column(term)
            for term in _terms(excluded, case) if excluded is not None else ():
                column = self._excluded_column(term)
                totals[case] += column.common
                totals[case, column.diseases] += column.difference
        return totals

    def _observed_column(self, term: int) -> NDArray[np.float64]:
        column = self._observed.get(term)
        if column is None:
            with np.errstate(divide="ignore"):
                column = np.log10(self.model.observed(term).values)
            self._observed[term] = column
        return column

    def _excluded_column(self, term: int) -> _Excluded:
        column = self._excluded.get(term)
        if column is None:
            column = self._excluded[term] = _Excluded.from_ratios(self.model.excluded(term))
        return column


def _terms(cases: csr_array, case: int) -> list[int]:
    return [int(term) for term in cases.indices[cases.indptr[case] : cases.indptr[case + 1]]]
