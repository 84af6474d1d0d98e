"""Background frequency of a term: how often a patient with any of the diseases is expected to show it.

Here: the mean over diseases, and the mean with a few diseases exchanged. Not here: ratios.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from genoplatform.prioritisation.likelihood.tables import DiseaseTables, TermRows

# No term is rarer than this in the denominator of a ratio.
FLOOR = 1e-4


@dataclass(frozen=True)
class Background:
    """Frequencies of all terms over a set of diseases.

    Attributes:
        sums: sum over diseases of the largest frequency at or below the term, [n_terms].
        n_diseases: how many diseases, also those without a phenotype.
    """

    sums: NDArray[np.float64]
    n_diseases: int

    @classmethod
    def from_tables(cls, tables: DiseaseTables) -> Background:
        """Over all diseases of `tables`."""
        return cls(_sums(tables.carried), tables.n_diseases)

    @cached_property
    def raw(self) -> NDArray[np.float64]:
        """Mean frequency, [n_terms]; 0 for a term that no disease has."""
        return self.sums / self.n_diseases

    @cached_property
    def floored(self) -> NDArray[np.float64]:
        """Mean frequency, at least FLOOR, [n_terms]."""
        return np.maximum(self.raw, FLOOR)

    def exchange(self, before: TermRows, after: TermRows) -> Background:
        """The background once some diseases have other annotations.

        Args:
            before: carried frequencies of those diseases as they are counted now.
            after: carried frequencies that take their place.
        """
        return Background(np.maximum(self.sums - _sums(before) + _sums(after), 0.0), self.n_diseases)


def _sums(carried: TermRows) -> NDArray[np.float64]:
    """Sum of each term's values, added in the order of the diseases."""
    n_terms = len(carried.offsets) - 1
    term = np.repeat(np.arange(n_terms), np.diff(carried.offsets))
    return np.bincount(term, weights=carried.values, minlength=n_terms).astype(np.float64)
