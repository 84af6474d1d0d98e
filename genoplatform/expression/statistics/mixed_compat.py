"""The benchmark's default mixed model, kept for comparison only (expression.md C.9, mode `modified`).

Its genes are turned into the kernel's eigenvectors while its target is not (!), so that a sample's value is paired with
an eigenvector's: which genes it chooses depends on the order and the arbitrary signs of eigenvectors, that is on the
linear-algebra library and its number of threads. The kernel is not divided by the number of genes, which puts the
variance ratio on the edge of its grid (!). Predictions use genes that are not turned (!).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import brent

from genoplatform.expression.statistics.arrays import Floats, Samples, Scaling
from genoplatform.expression.statistics.lasso_compat import cold_lasso, residualise
from genoplatform.expression.statistics.linear_model import Facts, LinearModel

LOW, HIGH, POINTS = -5.0, 5.0, 501


def fit_mixed_compat(samples: Samples, penalties: Sequence[float]) -> list[LinearModel]:
    """Fit at every penalty, each from zero; arguments as `lasso.fit_lasso`."""
    x, y, z = samples.x, samples.y, samples.z
    scaling, z_scaling = Scaling.of(x), Scaling.of(z)
    genes = scaling.apply(x)
    fixed, residual = residualise(y, z_scaling.apply(z))
    eigenvalues, vectors = eigh(genes @ genes.T)
    log_delta = compat_log_delta(eigenvalues, vectors.T @ residual)
    turned = np.asfortranarray((vectors / np.sqrt(eigenvalues + np.exp(log_delta))).T @ genes)
    models = []
    for penalty in penalties:
        solver = cold_lasso(turned, residual, penalty)
        facts: Facts = {"log_delta": log_delta, "sweeps": float(solver.n_iter_)}
        intercept = float(fixed[0] + solver.intercept_)
        models.append(LinearModel(penalty, solver.coef_, fixed[1:], intercept, scaling, z_scaling, facts=facts))
    return models


def compat_log_delta(eigenvalues: Floats, turned_y: Floats) -> float:
    """ln delta by likelihood without fixed effects: best of 501 points on [-5, 5] and of refined interior optima."""

    def loss(log_delta: Floats | float) -> Floats:
        spread = eigenvalues + np.exp(np.atleast_1d(log_delta))[:, None]
        variance = (turned_y**2 / spread).mean(axis=1)
        n = len(turned_y)
        return np.asarray(0.5 * (n * np.log(2 * np.pi) + np.log(spread).sum(axis=1) + n + n * np.log(variance)))

    grid = np.linspace(LOW, HIGH, POINTS)
    values = loss(grid)
    best_value, best = float(values.min()), float(grid[np.argmin(values)])
    inner = np.flatnonzero((values[1:-1] < values[:-2]) & (values[1:-1] < values[2:])) + 1
    for i in inner:
        at = float(brent(lambda point: float(loss(point)[0]), brack=tuple(grid[i - 1 : i + 2])))
        if (value := float(loss(at)[0])) < best_value:
            best_value, best = value, at
    return best
