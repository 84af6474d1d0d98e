"""One stretch of the Lasso path on a working set: from a solution at one penalty to that at a smaller one.

Homotopy with joins and drops (Osborne, Presnell & Turlach 2000), on |y - X beta|^2 / 2 + level * |beta|_1. A column
that lies in the span of the active ones cannot join (it would not change the fit); it is set aside until one leaves.
Belongs here: knots. Does not belong here: which columns are in the working set, or penalties.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs, dtrtrs

from genoplatform.expression.statistics.arrays import Floats, Indices

# Share of a column's length that must lie outside the span of the active columns for it to join.
_INDEPENDENT = 1e-12
_MOST_KNOTS_PER_ROW = 60


@dataclass(frozen=True)
class Stretch:
    """A solution: penalty level (n * alpha), active columns of the working set, their signs and coefficients."""

    level: float
    active: Indices
    signs: Floats
    beta: Floats

    @classmethod
    def start(cls, level: float) -> Stretch:
        """No column is active."""
        return cls(level, np.empty(0, dtype=np.intp), np.empty(0), np.empty(0))


class WorkingSet:
    """Centred columns that may become active.

    Attributes:
        columns: their indices among all columns, in the order they came.
    """

    def __init__(self, x: Floats, columns: Indices, y: Floats) -> None:
        self.x, self.columns, self.y = x, columns, y

    def add(self, x: Floats, columns: Indices) -> None:
        """Take in further columns; those there keep their places."""
        self.x = np.asfortranarray(np.hstack([self.x, x]))
        self.columns = np.concatenate([self.columns, columns])

    def residual(self, at: Stretch) -> Floats:
        """y - X beta."""
        return np.asarray(self.y - self.x[:, at.active] @ at.beta)

    def follow(self, start: Stretch, target: float) -> Stretch:
        """The solution at level `target`, not above the start's."""
        walk = _Walk(self.x, self.residual(start), start)
        for _ in range(_MOST_KNOTS_PER_ROW * len(self.y)):
            if walk.step(target):
                break
        return walk.stretch()


class _Walk:
    def __init__(self, x: Floats, residual: Floats, start: Stretch) -> None:
        self.x, self.level = x, start.level
        self.active = [int(j) for j in start.active]
        self.signs, self.beta = start.signs.copy(), start.beta.copy()
        self.squares = np.einsum("ij,ij->j", x, x)
        # Active columns lie beside each other: gathering them at every knot costs as much as a product with them.
        self.columns = np.empty((len(x), len(x) + 1), order="F")
        self.columns[:, : len(self.active)] = x[:, self.active]
        self.gram = self._now().T @ self._now()
        self.lower = _factor(self.gram)
        self.correlation = np.asarray(x.T @ residual)
        self.barred = np.zeros(x.shape[1], dtype=bool)  # active, or in the span of the active ones
        self.barred[self.active] = True
        self.dropped: int | None = None

    def _now(self) -> Floats:
        return self.columns[:, : len(self.active)]

    def stretch(self) -> Stretch:
        return Stretch(self.level, np.array(self.active, dtype=np.intp), self.signs, self.beta)

    def step(self, target: float) -> bool:
        """Go to the next knot, or to `target` if that comes first; whether it did."""
        if self.active:
            direction = dpotrs(self.lower, self.signs, lower=1)[0]
            change = (self._now() @ direction) @ self.x
        else:
            direction, change = np.empty(0), np.zeros(self.x.shape[1])
        join, join_at = self._next_join(change)
        drop, drop_at = self._next_drop(direction)
        arrived = self.level - target <= min(join_at, drop_at)
        by = self.level - target if arrived else min(join_at, drop_at)
        self.beta = self.beta + by * direction
        self.correlation -= by * change
        self.level = target if arrived else self.level - by
        self.dropped = None
        if not arrived and drop_at <= join_at:
            self._drop(drop)
        elif not arrived:
            self._join(join)
        return arrived

    def _next_join(self, change: Floats) -> tuple[int, float]:
        """The column whose correlation meets the level first, and how far below the present level that is."""
        c, level = self.correlation, self.level
        with np.errstate(divide="ignore", invalid="ignore"):
            above, below = (level - c) / (1.0 - change), (level + c) / (1.0 + change)
        # A column at the level whose correlation falls no faster than the level is on its way out already.
        above[(change >= 1.0) | self.barred] = np.inf
        below[(change <= -1.0) | self.barred] = np.inf
        if self.dropped is not None:  # it has just left with this sign and cannot come back with it
            side = above if c[self.dropped] > 0 else below
            side[self.dropped] = np.inf
        nearest = np.minimum(above, below)
        j = int(np.argmin(nearest)) if len(nearest) else 0
        return j, max(0.0, float(nearest[j])) if len(nearest) else np.inf

    def _next_drop(self, direction: Floats) -> tuple[int, float]:
        """Which active column's coefficient comes to zero first, and how far below the present level that is."""
        shrinking = direction * self.signs < 0
        if not shrinking.any():
            return -1, np.inf
        steps = np.full(len(direction), np.inf)
        steps[shrinking] = -self.beta[shrinking] / direction[shrinking]
        i = int(np.argmin(steps))
        return i, max(0.0, float(steps[i]))

    def _join(self, j: int) -> None:
        self.barred[j] = True
        m = len(self.active)
        cross = self._now().T @ self.x[:, j]
        row = dtrtrs(self.lower, cross, lower=1)[0] if m else cross
        outside = self.squares[j] - row @ row
        if outside <= _INDEPENDENT * self.squares[j]:
            return
        gram, lower = np.empty((m + 1, m + 1)), np.zeros((m + 1, m + 1), order="F")
        gram[:m, :m], gram[m, :m], gram[:m, m], gram[m, m] = self.gram, cross, cross, self.squares[j]
        lower[:m, :m], lower[m, :m], lower[m, m] = self.lower, row, np.sqrt(outside)
        self.gram, self.lower = gram, lower
        self.columns[:, m] = self.x[:, j]
        self.active.append(j)
        self.signs = np.append(self.signs, np.sign(self.correlation[j]))
        self.beta = np.append(self.beta, 0.0)

    def _drop(self, i: int) -> None:
        self.dropped = self.active.pop(i)
        self.columns[:, i : len(self.active)] = self.columns[:, i + 1 : len(self.active) + 1]
        self.gram = np.delete(np.delete(self.gram, i, axis=0), i, axis=1)
        self.lower = _factor(self.gram)
        self.signs, self.beta = np.delete(self.signs, i), np.delete(self.beta, i)
        self.barred[:] = False
        self.barred[self.active] = True


def _factor(gram: Floats) -> Floats:
    """Lower Cholesky factor; LAPACK directly, since the wrappers' checks cost as much as a step."""
    return np.asarray(dpotrf(gram, lower=1, clean=1)[0]) if len(gram) else gram
