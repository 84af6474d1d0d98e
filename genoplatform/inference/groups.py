"""Sums by group over arrays, for the estimators that need a panel only through its publications' totals.

Belongs here: that one primitive. Does not belong here: how publications are coded or drawn (`resampling.py`).
"""

from __future__ import annotations

import numpy as np

from genoplatform.inference.resampling import FloatArray, IntArray


class GroupSums:
    """Adds up rows by group code.

    Attributes:
        n_groups: number of groups.
        sizes: rows per group.
    """

    def __init__(self, groups: IntArray) -> None:
        self._order = np.argsort(groups, kind="stable")
        counts = np.bincount(groups)
        if (counts == 0).any():
            raise ValueError("group codes must be 0..G-1 without gaps")
        self._starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        self.n_groups = len(counts)
        self.sizes: FloatArray = counts.astype(np.float64)

    def of(self, values: FloatArray) -> FloatArray:
        """G x k sums of the n x k rows of `values`."""
        sums: FloatArray = np.add.reduceat(values[self._order], self._starts, axis=0)
        return sums
