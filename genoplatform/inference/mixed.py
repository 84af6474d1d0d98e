"""Linear mixed model with one random intercept per group, by REML.

Belongs here: the estimator. For a random intercept the marginal covariance of a group of n is
s2 * (I + theta * J), whose inverse and determinant are closed forms, so the likelihood needs group sums only
and the fit is a search over the single variance ratio theta (Laird & Ware 1982; Bates & DebRoy 2004).
Does not belong here: which model the paper fits (`did.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from genoplatform.errors import BadInputError
from genoplatform.inference.groups import GroupSums
from genoplatform.inference.resampling import FloatArray, IntArray

_LOG_THETA = (-14.0, 10.0)


@dataclass(frozen=True)
class MixedFit:
    """A fitted random-intercept model.

    Attributes:
        names: fixed-effect names.
        coef: fixed effects, outcome scale (top-1 probability when the outcome is a hit).
        se: their standard errors from the generalised-least-squares covariance.
        z: coef / se.
        p: two-sided normal p-values.
        residual_variance: s2.
        group_variance: variance of the random intercept.
        restricted_loglik: maximised REML log-likelihood.
        n_obs: rows.
        n_groups: groups.
    """

    names: tuple[str, ...]
    coef: FloatArray
    se: FloatArray
    z: FloatArray
    p: FloatArray
    residual_variance: float
    group_variance: float
    restricted_loglik: float
    n_obs: int
    n_groups: int


def fit_random_intercept(y: FloatArray, design: FloatArray, names: tuple[str, ...], groups: IntArray) -> MixedFit:
    """Fit y = design b + u[group] + e by REML.

    Args:
        y: n outcomes.
        design: n x p fixed effects, intercept included.
        names: p names.
        groups: n group codes 0..G-1.

    Raises:
        BadInputError: the design is rank deficient.
    """
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise BadInputError("fitting the mixed model", "the fixed effects are linearly dependent")
    model = _Reml(y, design, groups)
    best = minimize_scalar(
        lambda log_theta: model.deviance(float(np.exp(log_theta))),
        bounds=_LOG_THETA,
        method="bounded",
        options={"xatol": 1e-10},
    )
    theta = float(np.exp(best.x))
    if model.deviance(0.0) <= model.deviance(theta):
        theta = 0.0
    information, coef, s2 = model.solve(theta)
    se = np.sqrt(s2 * np.diag(np.linalg.inv(information)))
    z = coef / se
    return MixedFit(
        names,
        coef,
        se,
        z,
        2.0 * norm.sf(np.abs(z)),
        s2,
        theta * s2,
        -0.5 * model.deviance(theta),
        len(y),
        model.sums.n_groups,
    )


class _Reml:
    """The profiled restricted likelihood as a function of theta = group variance / residual variance."""

    def __init__(self, y: FloatArray, design: FloatArray, groups: IntArray) -> None:
        self.sums = GroupSums(groups)
        self.sizes = self.sums.sizes
        self.df = len(y) - design.shape[1]
        self.xx, self.xy, self.yy = design.T @ design, design.T @ y, float(y @ y)
        self.gx, self.gy = self.sums.of(design), self.sums.of(y[:, None])[:, 0]

    def solve(self, theta: float) -> tuple[FloatArray, FloatArray, float]:
        """Information matrix (per unit s2), fixed effects and s2 at theta."""
        shrink = theta / (1.0 + theta * self.sizes)
        weighted = self.gx * shrink[:, None]
        information = self.xx - weighted.T @ self.gx
        xy = self.xy - weighted.T @ self.gy
        yy = self.yy - float(shrink @ self.gy**2)
        coef = np.asarray(np.linalg.solve(information, xy), dtype=np.float64)
        return information, coef, float(yy - coef @ xy) / self.df

    def deviance(self, theta: float) -> float:
        """-2 x restricted log-likelihood, s2 profiled out."""
        information, _, s2 = self.solve(theta)
        log_det = np.linalg.slogdet(information)[1]
        spread = float(np.log1p(theta * self.sizes).sum())
        return float(self.df * (np.log(2 * np.pi * s2) + 1.0) + spread + log_det)
