"""The Lasso at every penalty asked for, exactly: homotopy on a working set, checked against all columns.

Minimises |y - b - X beta|^2 / (2n) + alpha |beta|_1. Between two penalties the solution is piecewise linear in the
penalty (Osborne, Presnell & Turlach 2000; Efron et al. 2004), so it is followed from knot to knot on a working set of
columns; at each penalty all columns are checked, those that violate the optimality conditions join the working set, and
the stretch is followed again. The duality gap of each solution over all columns is reported: it bounds the distance to
the optimum whatever happened on the way.
Belongs here: the path over all columns. Does not belong here: one stretch of it (homotopy), tuning, the benchmark's
solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Floats, Indices
from genoplatform.expression.statistics.homotopy import Stretch, WorkingSet

# A column violates optimality if its correlation with the residual exceeds the penalty by more than this share of it.
_TOLERANCE = 1e-9
_MOST_ROUNDS = 60


@dataclass(frozen=True)
class LassoFit:
    """The solution at one penalty.

    Attributes:
        alpha: the penalty.
        coefficients: shape (p,), in the units of the columns given.
        intercept: b.
        relative_gap: duality gap over the primal value; the relative distance to the optimum is at most this.
        converged: whether every column meets the optimality conditions to 1e-9 of the penalty.
    """

    alpha: float
    coefficients: Floats
    intercept: float
    relative_gap: float
    converged: bool

    def predict(self, x: Floats) -> Floats:
        """Predictions for rows of the columns fitted on, shape (m,)."""
        used = np.flatnonzero(self.coefficients)
        return np.asarray(x[:, used] @ self.coefficients[used] + self.intercept)


def lasso_path(x: Floats, y: Floats, alphas: Sequence[float], *, intercept: bool = True) -> list[LassoFit]:
    """Solve the Lasso at every penalty of `alphas`.

    Args:
        x: shape (n, p), finite; not modified.
        y: shape (n,).
        alphas: positive penalties, any order.
        intercept: fit b; else b = 0.

    Returns:
        One fit a penalty, in the order given.

    Raises:
        BadInputError: a penalty is not positive, or shapes do not fit.
    """
    if min(alphas, default=1.0) <= 0:
        raise BadInputError("following the Lasso path", f"penalties {list(alphas)}", "penalties are positive")
    if x.ndim != 2 or y.shape != (len(x),):
        raise BadInputError("following the Lasso path", f"X {x.shape} and y {y.shape}", "X is (n, p) and y is (n,)")
    mean_x = x.mean(axis=0) if intercept else np.zeros(x.shape[1])
    mean_y = float(y.mean()) if intercept else 0.0
    path = _Path(x, mean_x, y - mean_y)
    found = {alpha: path.advance(alpha) for alpha in sorted(set(map(float, alphas)), reverse=True)}
    fits = []
    for alpha in map(float, alphas):
        beta, gap, converged = found[alpha]
        fits.append(LassoFit(alpha, beta, mean_y - float(mean_x @ beta), gap, converged))
    return fits


def largest_alpha(x: Floats, y: Floats) -> float:
    """The smallest penalty at which every coefficient is zero, with an intercept."""
    centred = y - y.mean()
    return float(np.abs(x.T @ centred - x.mean(axis=0) * centred.sum()).max() / len(y)) if x.shape[1] else 0.0


class _Path:
    """State of the path over all columns: the working set, and the solution at the last penalty."""

    def __init__(self, x: Floats, mean: Floats, y: Floats) -> None:
        # Columns are centred when they are gathered, so that no second copy of X is held. A centred y makes the
        # correlation of a residual with a raw column equal that with the centred one.
        self.x, self.mean, self.y, self.n = x, mean, y, len(y)
        self.centred = bool(np.any(mean))
        correlation = np.abs(self._correlations(y))
        self.level = float(correlation.max()) if len(correlation) else 0.0  # in units of n * alpha
        start = np.argsort(-correlation, kind="stable")[: 2 * self.n]
        self.working = WorkingSet(self._columns(start), np.asarray(start, dtype=np.intp), y)
        self.state = Stretch.start(self.level)

    def advance(self, alpha: float) -> tuple[Floats, float, bool]:
        """Solution, relative gap and whether it converged at a penalty not above the last one."""
        target, before = alpha * self.n, self.state
        for _ in range(_MOST_ROUNDS):
            after = self.working.follow(before, target) if target < before.level else before
            residual = self.working.residual(after)
            correlation = self._correlations(residual)
            violating = self._violating(correlation, target)
            if not len(violating):
                break
            self.working.add(self._columns(violating), violating)
        self.state = after
        beta = np.zeros(self.x.shape[1])
        beta[self.working.columns[after.active]] = after.beta
        gap = relative_gap(residual, self.y, float(np.abs(after.beta).sum()), correlation, target)
        return beta, gap, not len(violating) and after.level <= target

    def _violating(self, correlation: Floats, target: float) -> Indices:
        size = np.abs(correlation)
        size[self.working.columns] = 0.0
        found = np.flatnonzero(size > target * (1 + _TOLERANCE))
        worst = found[np.argsort(-size[found], kind="stable")][: self.n]
        return np.asarray(worst, dtype=np.intp)

    def _columns(self, which: Indices) -> Floats:
        gathered = np.asfortranarray(self.x[:, which])
        gathered -= self.mean[which]
        return gathered

    def _correlations(self, residual: Floats) -> Floats:
        found = self.x.T @ residual
        if self.centred:
            found -= self.mean * residual.sum()
        return np.asarray(found)


def relative_gap(residual: Floats, y: Floats, l1: float, correlation: Floats, level: float) -> float:
    """Duality gap over the primal value, for |residual|^2 / 2 + level * l1 (level = n * alpha).

    The dual point is the residual, scaled until no column's correlation with it exceeds the level.

    Args:
        residual: y - X beta, shape (n,).
        y: the target without its mean, shape (n,).
        l1: sum of |beta|.
        correlation: X'residual over all columns, shape (p,).
        level: n * alpha.
    """
    primal = 0.5 * float(residual @ residual) + level * l1
    largest = float(np.abs(correlation).max()) if len(correlation) else 0.0
    dual_point = residual * min(1.0, level / largest) if largest > 0 else residual
    dual = float(y @ dual_point) - 0.5 * float(dual_point @ dual_point)
    return max(0.0, primal - dual) / primal if primal > 0 else 0.0
