"""Genes chosen by their p-values in a mixed model, as a model that can be cross-validated.

It predicts from covariates and the sample's random effect alone; no gene has a coefficient of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from genoplatform.expression.statistics.arrays import Samples, Scaling
from genoplatform.expression.statistics.kernel import Kernel, gene_kernel
from genoplatform.expression.statistics.linear_model import Fitter, LinearModel, independent, with_intercept
from genoplatform.expression.statistics.mixed_lasso import mean_and_blup, null_facts
from genoplatform.expression.statistics.mixed_test import benjamini_hochberg
from genoplatform.expression.statistics.null_model import fit_null
from genoplatform.expression.statistics.screen import screen_genes

NO_PENALTY = 1.0


def fit_screened(samples: Samples, *, fdr: float = 0.05, reml: bool = True) -> LinearModel:
    """Choose genes at a false-discovery level, and fit the null model as a predictor.

    Args:
        samples: training rows. fdr: level of Benjamini and Hochberg's procedure. reml: restricted likelihood.
    """
    scaling, z_scaling = Scaling.of(samples.x), Scaling.of(samples.z)
    genes, covariates = scaling.apply(samples.x), with_intercept(z_scaling.apply(samples.z))
    kernel = Kernel.of(gene_kernel(genes))
    null = fit_null(kernel, samples.y, independent(covariates), reml=reml)
    fixed, background = mean_and_blup(kernel, null, lambda v: v.T @ genes, samples.y[:, None], covariates)
    chosen = np.flatnonzero(benjamini_hochberg(screen_genes(samples, reml=reml).tests.p) < fdr)
    return LinearModel(
        penalty=NO_PENALTY,
        coefficients=np.zeros(samples.x.shape[1]),
        covariates=fixed[1:, 0],
        intercept=float(fixed[0, 0]),
        scaling=scaling,
        covariate_scaling=z_scaling,
        background=background[0] / max(1, samples.x.shape[1]),
        tested=tuple(int(j) for j in chosen),
        facts=null_facts(null),
    )


def screened_fitter(fdr: float, reml: bool) -> Fitter:
    """`fit_screened` where a penalty is expected: there is none, so one fit serves all."""

    def fit(samples: Samples, penalties: Sequence[float]) -> list[LinearModel]:
        return [fit_screened(samples, fdr=fdr, reml=reml)] * len(penalties)

    return fit
