"""Array types of the statistics: samples as models take them, and the z-scores they are fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.intp]


# Spreads are taken of so many columns at a time: NumPy's std makes a copy of what it is given.
_BLOCK = 1024


@dataclass(frozen=True)
class Samples:
    """Rows that a model is fitted on.

    Attributes:
        x: genes, not scaled, shape (n, p).
        y: the trait, shape (n,).
        z: covariates without an intercept, shape (n, q); q may be 0.
        groups: person of each row where persons repeat, else None.
    """

    x: Floats
    y: Floats
    z: Floats
    groups: Sequence[str] | None = None

    def take(self, rows: Indices) -> Samples:
        """These rows."""
        groups = None if self.groups is None else [self.groups[i] for i in rows]
        return Samples(self.x[rows], self.y[rows], self.z[rows], groups)


@dataclass(frozen=True)
class Scaling:
    """Mean and population standard deviation of training columns (expression.md C.6).

    Attributes:
        mean: shape (p,).
        sd: shape (p,), 1 where a column is constant.
    """

    mean: Floats
    sd: Floats

    @classmethod
    def of(cls, x: Floats) -> Scaling:
        """Scaling of training rows, shape (n, p)."""
        blocks = range(0, x.shape[1], _BLOCK)
        sd = np.concatenate([np.empty(0), *(x[:, i : i + _BLOCK].std(axis=0) for i in blocks)])
        return cls(x.mean(axis=0), np.where(sd == 0, 1.0, sd))

    def apply(self, x: Floats) -> Floats:
        """z-scores of rows, shape (m, p); one copy."""
        scaled = x - self.mean
        scaled /= self.sd
        return scaled


def is_binary(y: Floats) -> bool:
    """Exactly two distinct values (expression.md B.10)."""
    return len(np.unique(y)) == 2
