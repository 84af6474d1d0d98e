"""Kernels of relatedness between samples, and their eigenvectors, decomposed once for every gene and penalty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from genoplatform.expression.statistics.arrays import Floats


@dataclass(frozen=True)
class Kernel:
    """A kernel K = U diag(S) U'.

    Attributes:
        eigenvalues: S, shape (n,), ascending, never negative.
        vectors: U, shape (n, n).
    """

    eigenvalues: Floats
    vectors: Floats

    @classmethod
    def of(cls, k: Floats) -> Kernel:
        """Decompose a symmetric, positive semi-definite kernel, shape (n, n)."""
        values, vectors = eigh(k, driver="evd")
        return cls(np.maximum(values, 0.0), vectors)

    def rotate(self, x: Floats) -> Floats:
        """U'x, of a vector (n,) or columns (n, q)."""
        return np.asarray(self.vectors.T @ x)


def gene_kernel(z_scores: Floats) -> Floats:
    """XX'/p of z-scored genes, shape (n, p): one on average on the diagonal, whatever the number of genes."""
    return np.asarray(z_scores @ z_scores.T / max(1, z_scores.shape[1]))


def group_kernel(groups: Sequence[str]) -> Floats:
    """1 for two samples of the same group (a person), else 0, shape (n, n)."""
    names = np.asarray(groups)
    return np.asarray(names[:, None] == names[None, :], dtype=np.float64)
