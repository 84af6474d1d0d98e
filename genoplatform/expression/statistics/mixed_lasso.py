"""A Lasso in a mixed model: sparse effects beside relatedness (Rakitsch et al. 2013), target and intercept turned too.

The variance ratio comes from the null model. Everything is whitened alike, covariates and intercept are unpenalised,
and a prediction is the mean of the fixed and sparse effects plus the best linear prediction of the sample's random
effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from genoplatform.expression.statistics.arrays import Floats, Samples, Scaling
from genoplatform.expression.statistics.kernel import Kernel, gene_kernel
from genoplatform.expression.statistics.lasso import scaled_columns
from genoplatform.expression.statistics.lasso_path import lasso_path
from genoplatform.expression.statistics.linear_model import Facts, Fitter, LinearModel, independent, with_intercept
from genoplatform.expression.statistics.null_model import NullModel, fit_null
from genoplatform.expression.statistics.whitening import root_weights, whiten


def fit_mixed_lasso(samples: Samples, penalties: Sequence[float], *, reml: bool = True) -> list[LinearModel]:
    """Fit at every penalty; arguments as `lasso.fit_lasso`.

    Args:
        samples: training rows.
        penalties: positive, on the scale of data whose kernel has equal eigenvalues.
        reml: restricted likelihood for the variance ratio.
    """
    x, y, z = samples.x, samples.y, samples.z
    scaling, z_scaling = Scaling.of(x), Scaling.of(z)
    genes, covariates = scaling.apply(x), with_intercept(z_scaling.apply(z))
    kernel = Kernel.of(gene_kernel(genes))
    free = independent(covariates)
    null = fit_null(kernel, y, free, reml=reml)
    white = whiten(kernel, null.delta, genes, y, free, overwrite=True)
    del genes  # its place holds the whitened ones
    fits = lasso_path(white.x, white.y, penalties, intercept=False)
    rests = np.column_stack([y - _part(x, scaling, fit.coefficients) for fit in fits])
    fixed, background = mean_and_blup(kernel, null, white.onto_genes, rests, covariates)
    background /= max(1, x.shape[1])
    models = []
    for i, fit in enumerate(fits):
        facts = null_facts(null) | {"converged": fit.converged}
        covariate, intercept, gap = fixed[1:, i], float(fixed[0, i]), fit.relative_gap
        models.append(
            LinearModel(
                fit.alpha, fit.coefficients, covariate, intercept, scaling, z_scaling, background[i], gap, facts=facts
            )
        )
    return models


def _part(x: Floats, scaling: Scaling, coefficients: Floats) -> Floats:
    used = np.flatnonzero(coefficients).astype(np.intp)
    return np.asarray(scaled_columns(x, scaling, used) @ coefficients[used])


def mixed_lasso_fitter(reml: bool) -> Fitter:
    """`fit_mixed_lasso` with its likelihood chosen."""
    return lambda samples, penalties: fit_mixed_lasso(samples, penalties, reml=reml)


def mean_and_blup(
    kernel: Kernel, null: NullModel, onto_genes: Callable[[Floats], Floats], rests: Floats, covariates: Floats
) -> tuple[Floats, Floats]:
    """Covariates by generalised least squares, and what predicts a random effect from genes.

    Args:
        kernel: of n samples. null: its variance ratio. onto_genes: v -> v'X of z-scored genes, (n, m) -> (m, p).
        rests: targets without sparse effects, shape (n, m). covariates: with the intercept, shape (n, q).

    Returns:
        Coefficients (q, m), and gene weights X'(K + delta I)^-1 (rest - C b), shape (m, p): over p they predict.
    """
    root = root_weights(kernel, null.delta)[:, None]
    fixed = np.linalg.lstsq(root * kernel.rotate(covariates), root * kernel.rotate(rests), rcond=None)[0]
    left = kernel.rotate(rests - covariates @ fixed) / (kernel.eigenvalues + null.delta)[:, None]
    return np.asarray(fixed, dtype=np.float64), onto_genes(kernel.vectors @ left)


def null_facts(null: NullModel) -> Facts:
    """What a fit tells of its null model."""
    return {"log_delta": float(np.log(null.delta)), "heritability": null.heritability, "edge": null.edge}
