"""Is there structure between samples that a plain regression would mistake for the trait?

`benchmark_rule` is the published rule (expression.md C.5): consecutive ratios of the ten largest eigenvalues of centred
XX' differ by more than 200/n. Ratios differ by less than 1, so that it can never fire for n <= 200 (!).
`hidden_structure` asks instead whether, after the trait and covariates are taken out of every gene, samples still share
directions of variation larger than chance allows: eigenvalue shares against those of data whose genes are permuted one
by one (parallel analysis, Horn 1965; Buja & Eyuboglu 1992), on residuals as in surrogate variable analysis (Leek &
Storey 2007). Components are tested from the first on, and the first that fails ends it.
Belongs here: the two decisions. Does not belong here: what is done about it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigvalsh

from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.linear_model import with_intercept

_RULE_NUMERATOR = 200.0
_RATIOS = 10


@dataclass(frozen=True)
class BenchmarkRule:
    """Answer of the published rule.

    Attributes:
        ratios: the ten largest eigenvalues over the first. threshold: 200 / n.
        batch: whether any consecutive difference exceeds it.
    """

    ratios: Floats
    threshold: float
    batch: bool


@dataclass(frozen=True)
class HiddenStructure:
    """Answer of the permutation test.

    Attributes:
        components: how many directions exceed chance.
        shares: share of residual variance of each tested direction.
        p_values: of each; never smaller than 1 / (permutations + 1).
        genes: how many genes were used.
    """

    components: int
    shares: Floats
    p_values: Floats
    genes: int

    @property
    def found(self) -> bool:
        """Whether there is any."""
        return self.components > 0


def benchmark_rule(x: Floats) -> BenchmarkRule:
    """Apply the published rule to raw genes, shape (n, p)."""
    centred = x - x.mean(axis=0)
    eigenvalues = np.sort(eigvalsh(centred @ centred.T))[::-1][:_RATIOS]
    ratios = eigenvalues / eigenvalues[0] if len(eigenvalues) and eigenvalues[0] > 0 else np.zeros(len(eigenvalues))
    threshold = _RULE_NUMERATOR / len(x)
    return BenchmarkRule(ratios, threshold, bool((-np.diff(ratios) > threshold).any()))


def hidden_structure(
    x: Floats, y: Floats, z: Floats, *, permutations: int = 40, level: float = 0.05, most: int = 10,
    most_genes: int = 3000, seed: int = 42,
) -> HiddenStructure:  # fmt: skip
    """Test for shared variation beside the trait and covariates.

    Args:
        x: genes, shape (n, p). y: trait, shape (n,). z: covariates, shape (n, q).
        permutations: of all genes; the smallest p-value is 1 / (permutations + 1), so at least 19 for level 0.05.
        level: of each test.
        most: components tested at most.
        most_genes: so many genes, evenly spaced in the order given, stand for all: time grows with them.
        seed: of the permutations.
    """
    residual, free = _residuals(_spread(x, most_genes), np.column_stack([y, z]))
    most = min(most, free - 1)
    if most < 1 or not residual.any():
        return HiddenStructure(0, np.empty(0), np.empty(0), residual.shape[1])
    seen = _shares(residual, most)
    rng = np.random.default_rng(seed)
    design = np.column_stack([y, z])
    larger = np.zeros(most)
    for _ in range(permutations):
        shuffled, _ = _residuals(rng.permuted(residual, axis=0), design)
        larger += _shares(shuffled, most) >= seen
    p_values = np.maximum.accumulate((larger + 1.0) / (permutations + 1.0))
    return HiddenStructure(int((p_values <= level).sum()), seen, p_values, residual.shape[1])


def _spread(x: Floats, most: int) -> Floats:
    p = x.shape[1]
    return x if p <= most else x[:, np.linspace(0, p - 1, most).astype(np.intp)]


def _residuals(x: Floats, design: Floats) -> tuple[Floats, int]:
    """Genes without trait and covariates, scaled to equal variance; and how many dimensions are left."""
    basis, r = np.linalg.qr(with_intercept(design))
    basis = basis[:, np.abs(np.diag(r)) > 1e-10 * np.abs(r).max()]
    left = x - basis @ (basis.T @ x)
    size = np.sqrt(np.einsum("ij,ij->j", left, left))
    varies = size > 1e-10 * np.sqrt(np.maximum(np.einsum("ij,ij->j", x, x), np.finfo(np.float64).tiny))
    return left[:, varies] / size[varies], len(x) - basis.shape[1]


def _shares(x: Floats, most: int) -> Floats:
    n = len(x)
    largest = eigvalsh(x @ x.T, subset_by_index=(n - most, n - 1))[::-1]
    return np.asarray(np.maximum(largest, 0.0) / max(1, x.shape[1]))
