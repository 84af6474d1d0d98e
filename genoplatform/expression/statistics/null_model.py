"""The mixed model without genes: y ~ N(C b, sg2 (K + delta I)), fitted by maximum or restricted likelihood.

Given the eigenvectors of K the likelihood of every delta is a sum over samples (Kang et al. 2008; Lippert et al. 2011),
so the whole grid is one matrix product; the best point is refined. An optimum on the edge of the grid is said, not
hidden.
Belongs here: variance components. Does not belong here: tests of genes, or penalties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import minimize_scalar

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.kernel import Kernel

# ln delta from "all of the variance is relatedness" to "none is", for a kernel with ones on its diagonal.
LOW, HIGH, POINTS = -10.0, 10.0, 401
_EDGE = 1e-3


@dataclass(frozen=True)
class NullModel:
    """A fitted null model.

    Attributes:
        delta: residual over kernel variance, se2 / sg2.
        kernel_variance: sg2. residual_variance: se2 = delta * sg2.
        fixed: b, shape (q,). fixed_se: standard errors, shape (q,).
        log_likelihood: at the optimum (restricted if `reml`).
        reml: which likelihood.
        edge: "low" or "high" if the optimum lies on the edge of the grid: all, or none, of the variance is the
            kernel's.
    """

    delta: float
    kernel_variance: float
    residual_variance: float
    fixed: Floats
    fixed_se: Floats
    log_likelihood: float
    reml: bool
    edge: Literal["low", "high"] | None

    @property
    def heritability(self) -> float:
        """Share of variance that is the kernel's, 1 / (1 + delta)."""
        return 1.0 / (1.0 + self.delta)


def intercept_only(n: int) -> Floats:
    """The covariates of a model with an intercept alone, shape (n, 1)."""
    return np.ones((n, 1))


def fit_null(
    kernel: Kernel, y: Floats, covariates: Floats, *, reml: bool = True, low: float = LOW, high: float = HIGH
) -> NullModel:
    """Fit the variance components.

    Args:
        kernel: of n samples.
        y: shape (n,).
        covariates: C with its intercept, shape (n, q), of full column rank; (n, 0) for no fixed effects.
        reml: restricted likelihood, which does not count the fixed effects as known.
        low, high: ends of the grid of ln delta.

    Raises:
        BadInputError: shapes do not fit, or no degrees of freedom are left.
    """
    n, q = covariates.shape
    if y.shape != (n,) or len(kernel.eigenvalues) != n or n <= q + 1:
        raise BadInputError(
            "fitting a mixed model", f"{len(y)} values, {n} x {q} covariates, {len(kernel.vectors)} in K"
        )
    profile = _Profile(kernel.eigenvalues, kernel.rotate(y), kernel.rotate(covariates), reml)
    grid = np.linspace(low, high, POINTS)
    best = int(np.argmax(profile.log_likelihood(grid)))
    left, right = grid[max(0, best - 1)], grid[min(POINTS - 1, best + 1)]
    found = minimize_scalar(
        lambda at: -float(profile.log_likelihood(np.array([at]))[0]),
        bounds=(left, right),
        method="bounded",
        options={"xatol": 1e-9},
    )
    at = float(found.x)
    edge: Literal["low", "high"] | None = "low" if at < low + _EDGE else "high" if at > high - _EDGE else None
    return profile.model(at, edge)


class _Profile:
    """Likelihood of ln delta with fixed effects and variance at their optimum."""

    def __init__(self, eigenvalues: Floats, y: Floats, covariates: Floats, reml: bool) -> None:
        self.s, self.y, self.c, self.reml = eigenvalues, y, covariates, reml
        n, q = covariates.shape
        self.n, self.q = n, q
        self.cc = (covariates[:, :, None] * covariates[:, None, :]).reshape(n, q * q)
        self.cy = covariates * y[:, None]
        self.log_det_cc = float(np.linalg.slogdet(covariates.T @ covariates)[1])

    def log_likelihood(self, log_delta: Floats) -> Floats:
        """One value a point, shape (m,)."""
        spread = self.s[None, :] + np.exp(log_delta)[:, None]
        information, _, rss = self._solve(1.0 / spread)
        log_det = np.log(spread).sum(axis=1)
        if not self.reml:
            return np.asarray(-0.5 * (self.n * np.log(2 * np.pi * rss / self.n) + log_det + self.n))
        free = self.n - self.q
        fixed = np.linalg.slogdet(information)[1] - self.log_det_cc
        return np.asarray(-0.5 * (free * np.log(2 * np.pi * rss / free) + log_det + fixed + free))

    def _solve(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        information = (weights @ self.cc).reshape(-1, self.q, self.q)
        score = weights @ self.cy
        fixed = np.linalg.solve(information, score[:, :, None])[:, :, 0]
        rss = weights @ (self.y**2) - np.einsum("mq,mq->m", score, fixed)
        return np.asarray(information), np.asarray(fixed), np.asarray(np.maximum(rss, np.finfo(np.float64).tiny))

    def model(self, log_delta: float, edge: Literal["low", "high"] | None) -> NullModel:
        delta = float(np.exp(log_delta))
        information, fixed, _ = self._solve(1.0 / (self.s + delta)[None, :])
        residual = self.y - self.c @ fixed[0]
        rss = float((residual**2 / (self.s + delta)).sum())
        variance = rss / (self.n - self.q if self.reml else self.n)
        return NullModel(
            delta=delta,
            kernel_variance=variance,
            residual_variance=variance * delta,
            fixed=fixed[0],
            fixed_se=np.sqrt(variance * np.diag(np.linalg.inv(information[0]))),
            log_likelihood=float(self.log_likelihood(np.array([log_delta]))[0]),
            reml=self.reml,
            edge=edge,
        )
