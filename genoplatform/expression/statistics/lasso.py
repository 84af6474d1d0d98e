"""The Lasso with unpenalised covariates, converged at every penalty.

Covariates and intercept are taken out of target AND genes before the path is followed (Frisch-Waugh-Lovell), which is
the same as fitting them beside the genes without a penalty.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from genoplatform.expression.statistics.arrays import Floats, Indices, Samples, Scaling
from genoplatform.expression.statistics.lasso_path import lasso_path
from genoplatform.expression.statistics.linear_model import Facts, LinearModel, independent, with_intercept


def fit_lasso(samples: Samples, penalties: Sequence[float]) -> list[LinearModel]:
    """Fit at every penalty; see `LinearModel` for what comes back.

    Args:
        samples: training rows.
        penalties: positive.
    """
    x, y, z = samples.x, samples.y, samples.z
    scaling, z_scaling = Scaling.of(x), Scaling.of(z)
    genes, covariates = scaling.apply(x), with_intercept(z_scaling.apply(z))
    basis, _ = np.linalg.qr(independent(covariates))
    free_y = y - basis @ (basis.T @ y)
    free_x = genes
    if z.shape[1]:  # z-scores are orthogonal to the intercept already
        free_x -= basis @ (basis.T @ genes)
    models = []
    for fit in lasso_path(free_x, free_y, penalties, intercept=False):
        used = np.flatnonzero(fit.coefficients).astype(np.intp)
        rest = y - scaled_columns(x, scaling, used) @ fit.coefficients[used]
        fixed = np.asarray(np.linalg.lstsq(covariates, rest, rcond=None)[0], dtype=np.float64)
        facts: Facts = {"converged": fit.converged}
        covariate, intercept, gap = fixed[1:], float(fixed[0]), fit.relative_gap
        models.append(
            LinearModel(fit.alpha, fit.coefficients, covariate, intercept, scaling, z_scaling, None, gap, facts=facts)
        )
    return models


def scaled_columns(x: Floats, scaling: Scaling, which: Indices) -> Floats:
    """z-scores of some columns of raw rows, shape (n, len(which))."""
    return np.asarray((x[:, which] - scaling.mean[which]) / scaling.sd[which])
