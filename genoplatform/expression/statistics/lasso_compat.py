"""The Lasso as the benchmark runs it: scikit-learn from zero at each penalty, 1,000 sweeps, tolerance 1e-4.

Kept for comparison (expression.md C.7, C.8). At small penalties it stops long before convergence (!); the duality gap
it stops at is reported. Covariates are regressed out of the target alone (!).
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from genoplatform.expression.statistics.arrays import Floats, Samples, Scaling
from genoplatform.expression.statistics.lasso_path import relative_gap
from genoplatform.expression.statistics.linear_model import Facts, LinearModel, with_intercept


def fit_lasso_compat(samples: Samples, penalties: Sequence[float]) -> list[LinearModel]:
    """Fit at every penalty, each from zero; arguments as `lasso.fit_lasso`."""
    x, y, z = samples.x, samples.y, samples.z
    scaling, z_scaling = Scaling.of(x), Scaling.of(z)
    genes = np.asfortranarray(scaling.apply(x))
    fixed, residual = residualise(y, z_scaling.apply(z))
    models = []
    for penalty in penalties:
        solver = cold_lasso(genes, residual, penalty)
        gap = _gap(genes, residual, solver)
        facts: Facts = {"sweeps": float(solver.n_iter_)}
        intercept = float(fixed[0] + solver.intercept_)
        models.append(
            LinearModel(penalty, solver.coef_, fixed[1:], intercept, scaling, z_scaling, None, gap, facts=facts)
        )
    return models


def cold_lasso(x: Floats, y: Floats, penalty: float) -> Lasso:
    """scikit-learn's Lasso from zero with its own limits; that it did not converge is in the gap, not in a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return Lasso(alpha=penalty).fit(x, y)


def residualise(y: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Coefficients of [1, z] by pseudo-inverse (q + 1,) and the residual; no change to y without covariates (C.7)."""
    if not z.shape[1]:
        return np.zeros(1), y
    design = with_intercept(z)
    fixed = np.linalg.pinv(design) @ y
    return fixed, y - design @ fixed


def _gap(x: Floats, y: Floats, solver: Lasso) -> float:
    used = np.flatnonzero(solver.coef_)
    residual = y - x[:, used] @ solver.coef_[used] - solver.intercept_
    l1, level = float(np.abs(solver.coef_).sum()), float(solver.alpha) * len(y)
    return relative_gap(residual, y - y.mean(), l1, x.T @ residual, level)
