"""Generalised estimating equations with an exchangeable working correlation (Liang & Zeger 1986).

Belongs here: the estimator for identity and logit links and its sandwich covariance. The exchangeable
correlation of a group of n inverts in closed form, so each step needs sums by group only.
Does not belong here: which models are fitted (`did.py`, `density.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import expit
from scipy.stats import norm

from genoplatform.errors import BadInputError
from genoplatform.inference.groups import GroupSums
from genoplatform.inference.resampling import FloatArray, IntArray

Family = Literal["gaussian", "binomial"]

_MAX_STEPS = 200
_TOLERANCE = 1e-10
_SINGULAR = 1e-6
_NO_SPREAD = 1e-10
_IMPOSSIBLE = "impossible working correlation"
_SEPARATED = 25.0
"""A linear predictor beyond this says a fitted probability is 0 or 1: the estimate is at infinity."""


@dataclass(frozen=True)
class GeeFit:
    """A fitted GEE.

    Attributes:
        names: coefficient names.
        coef: coefficients, link scale.
        se: robust (sandwich) standard errors; NaN when not converged.
        z: coef / se.
        p: two-sided normal p-values.
        correlation: the exchangeable working correlation.
        converged: whether the equations were solved.
        note: why not, or what was assumed to solve them; empty as a rule.
        n_obs: rows.
        n_groups: groups.
    """

    names: tuple[str, ...]
    coef: FloatArray
    se: FloatArray
    z: FloatArray
    p: FloatArray
    correlation: float
    converged: bool
    note: str
    n_obs: int
    n_groups: int


def fit_gee(y: FloatArray, design: FloatArray, names: tuple[str, ...], groups: IntArray, family: Family) -> GeeFit:
    """Solve the estimating equations.

    Args:
        y: n outcomes (0/1 for binomial).
        design: n x p, intercept included.
        names: p names.
        groups: n group codes 0..G-1.
        family: "gaussian" (identity link) or "binomial" (logit link).

    Returns:
        The fit; with separated data `converged` is False and all estimates are NaN. Where the estimated
        correlation is too negative for the largest group, the working correlation is 0 and `note` says so: any
        working correlation estimates the same coefficients, and the sandwich covers the rest.

    Raises:
        BadInputError: the design is rank deficient.
    """
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise BadInputError("fitting the GEE", "the columns of the design are linearly dependent")
    equations = _Equations(y, design, groups, family)
    independent, _, note = equations.solve(np.zeros(design.shape[1]), exchangeable=False)
    coef, alpha = independent, 0.0
    if not note:
        coef, alpha, note = equations.solve(independent, exchangeable=True)
    solved = not note
    if note.startswith(_IMPOSSIBLE):
        coef, alpha, solved = independent, 0.0, True
    se = equations.robust_se(coef, alpha) if solved else np.full_like(coef, np.nan)
    coef = coef if solved else np.full_like(coef, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        # A contrast without any spread (two systems with the same hits) has no test, however small the remainder.
        z = np.where(se > _NO_SPREAD, coef / se, np.nan)
    sizes = (len(y), equations.sums.n_groups)
    return GeeFit(names, coef, se, z, 2.0 * norm.sf(np.abs(z)), alpha, solved, note, *sizes)


class _Equations:
    """The estimating equations of one data set."""

    def __init__(self, y: FloatArray, design: FloatArray, groups: IntArray, family: Family) -> None:
        self.y, self.x, self.family = y, design, family
        self.sums = GroupSums(groups)
        self.n_pairs = float((self.sums.sizes * (self.sums.sizes - 1.0)).sum() / 2.0)

    def pearson(self, coef: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Design and residuals, both scaled to unit variance (canonical links)."""
        eta = self.x @ coef
        if self.family == "gaussian":
            return self.x, self.y - eta
        mean = expit(eta)
        spread = np.sqrt(mean * (1.0 - mean))
        return self.x * spread[:, None], (self.y - mean) / spread

    def weights(self, alpha: float) -> tuple[float, FloatArray]:
        """a and b of the inverse correlation a*I - b*J of each group."""
        return 1.0 / (1.0 - alpha), alpha / ((1.0 - alpha) * (1.0 + (self.sums.sizes - 1.0) * alpha))

    def correlation(self, residuals: FloatArray) -> float:
        """Moment estimate of the common correlation, with the small-sample divisors of Liang & Zeger."""
        n, p = self.x.shape
        if self.n_pairs <= p:
            return 0.0
        squares = residuals**2
        totals = self.sums.of(np.column_stack([residuals, squares]))
        products = float((totals[:, 0] ** 2 - totals[:, 1]).sum() / 2.0)
        scale = float(squares.sum()) / (n - p)
        if scale < _TOLERANCE:
            return 0.0
        return float(products / scale / (self.n_pairs - p))

    def step(self, coef: FloatArray, alpha: float) -> FloatArray:
        """The Fisher-scoring step at coef."""
        x, r = self.pearson(coef)
        a, b = self.weights(alpha)
        gx, gr = self.sums.of(x), self.sums.of(r[:, None])[:, 0]
        information = a * (x.T @ x) - (gx * b[:, None]).T @ gx
        score = a * (x.T @ r) - gx.T @ (b * gr)
        return np.asarray(np.linalg.solve(information, score), dtype=np.float64)

    def solve(self, coef: FloatArray, *, exchangeable: bool) -> tuple[FloatArray, float, str]:
        """Coefficients, correlation and a note that is empty on success."""
        coef, alpha = coef.copy(), 0.0
        for _ in range(_MAX_STEPS):
            if self.family == "binomial" and np.abs(self.x @ coef).max() > _SEPARATED:
                return coef, alpha, "separated: a group of rows is all hits or all misses"
            if exchangeable:
                alpha = self.correlation(self.pearson(coef)[1])
                if 1.0 + (self.sums.sizes.max() - 1.0) * alpha < _SINGULAR or alpha >= 1.0:
                    return coef, alpha, f"{_IMPOSSIBLE} of {alpha:.4f}; 0 taken"
            step = self.step(coef, alpha)
            coef += step
            if np.abs(step).max() < _TOLERANCE:
                return coef, alpha, ""
        return coef, alpha, f"no solution in {_MAX_STEPS} steps"

    def robust_se(self, coef: FloatArray, alpha: float) -> FloatArray:
        """Square roots of the sandwich covariance's diagonal."""
        x, r = self.pearson(coef)
        a, b = self.weights(alpha)
        gx, gr = self.sums.of(x), self.sums.of(r[:, None])[:, 0]
        bread = np.linalg.inv(a * (x.T @ x) - (gx * b[:, None]).T @ gx)
        scores = a * self.sums.of(x * r[:, None]) - gx * (b * gr)[:, None]
        variance = np.diag(bread @ (scores.T @ scores) @ bread)
        se: FloatArray = np.sqrt(np.clip(variance, 0.0, None))  # a perfect fit leaves rounding, of either sign
        return se
