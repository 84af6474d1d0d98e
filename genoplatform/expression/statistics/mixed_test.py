"""Every gene tested in a mixed model, all at once: generalised least squares given the null model's variance ratio.

The variance ratio is estimated once, without genes (Kang et al. 2010), as usual for many small effects. Each test is
that of gene j beside the covariates; residual variance is estimated with the gene in. `compat` repeats the benchmark's
library: residual variance over n and n - 1 degrees of freedom, whatever was fitted.
Belongs here: tests and false-discovery control. Does not belong here: variance components, choice of genes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.kernel import Kernel
from genoplatform.expression.statistics.whitening import whiten

# Share of a gene's squared length that covariates must leave for it to be testable.
_INDEPENDENT = 1e-10


@dataclass(frozen=True)
class GeneTests:
    """Tests of p genes.

    Attributes:
        beta: effect per unit of the gene, shape (p,). se: standard errors. t: their ratio.
        p: two-sided p-values; 1 where a gene does not vary beside the covariates.
        untestable: how many genes those are.
        degrees: degrees of freedom.
    """

    beta: Floats
    se: Floats
    t: Floats
    p: Floats
    untestable: int
    degrees: int


def lmm_test(
    kernel: Kernel, delta: float, x: Floats, y: Floats, covariates: Floats, *, compat: bool = False
) -> GeneTests:
    """Test each column of `x` beside `covariates`.

    Args:
        kernel: of n samples. delta: residual over kernel variance of the null model.
        x: genes, shape (n, p). y: shape (n,).
        covariates: with the intercept, shape (n, q).
        compat: the benchmark's residual variance and degrees of freedom.
    """
    n, q = covariates.shape
    white = whiten(kernel, delta, x, y, covariates)
    squares = np.einsum("ij,ij->j", white.x, white.x)
    outside = np.einsum("ij,ij->j", x, x) * _INDEPENDENT
    testable = squares > np.maximum(outside, 0.0)
    squares = np.where(testable, squares, 1.0)
    beta = np.where(testable, white.y @ white.x / squares, 0.0)
    rss = np.maximum(float(white.y @ white.y) - beta**2 * squares, 0.0)
    degrees = n - 1 if compat else n - q - 1
    se = np.sqrt(rss / (n if compat else degrees) / squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(testable, beta / se, 0.0)
    p = np.where(testable, 2.0 * student.sf(np.abs(t), degrees), 1.0)
    return GeneTests(beta, se, t, p, int((~testable).sum()), degrees)


def benjamini_hochberg(p: Floats) -> Floats:
    """Step-up adjusted p-values (Benjamini & Hochberg 1995), shape (p,), in the order given.

    Raises:
        BadInputError: a value is not between 0 and 1.
    """
    if not ((p >= 0) & (p <= 1)).all():
        raise BadInputError("adjusting p-values", "not all lie between 0 and 1")
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return adjusted


def inflation_factor(p: Floats) -> float:
    """Genomic inflation: median chi-square of the p-values over that of uniform ones (Devlin & Roeder 1999)."""
    from scipy.stats import chi2  # noqa: PLC0415  one use

    return float(np.median(chi2.isf(p, 1)) / chi2.isf(0.5, 1)) if len(p) else float("nan")
