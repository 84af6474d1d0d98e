"""Data turned so that a mixed model's errors are independent and alike, with the covariates taken out.

In the eigenvectors of the kernel, scaled by (S + delta)^(-1/2), errors are white. Target, genes AND covariates (the
intercept among them) are turned alike; genes and target are then made orthogonal to the covariates
(Frisch-Waugh-Lovell).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.kernel import Kernel

# Genes are turned so many at a time: all at once would be one more copy of them.
_BLOCK = 1024


@dataclass(frozen=True)
class Whitened:
    """Genes and target, white and orthogonal to the covariates.

    Attributes:
        x: shape (n, p). y: shape (n,).
        basis: orthonormal basis of the turned covariates, shape (n, q). parts: what was taken out, basis' x, (q, p).
        kernel: of the samples. root: square roots of the weights, shape (n,).
    """

    x: Floats
    y: Floats
    basis: Floats
    parts: Floats
    kernel: Kernel
    root: Floats

    def onto_genes(self, v: Floats) -> Floats:
        """v'X of the genes as they were before, of columns v (n, m), shape (m, p)."""
        turned = self.kernel.rotate(v) / self.root[:, None]
        found = turned.T @ self.x
        found += (turned.T @ self.basis) @ self.parts
        return np.asarray(found)


def root_weights(kernel: Kernel, delta: float) -> Floats:
    """Square roots of the weights, shape (n,), scaled so that a kernel of ones as eigenvalues changes nothing."""
    return np.asarray(np.sqrt((1.0 + delta) / (kernel.eigenvalues + delta)))


def whiten(
    kernel: Kernel, delta: float, x: Floats, y: Floats, covariates: Floats, *, overwrite: bool = False
) -> Whitened:
    """Turn, weigh and project.

    Args:
        kernel: of n samples. delta: residual over kernel variance.
        x: shape (n, p). y: shape (n,). covariates: with the intercept, of full column rank, shape (n, q).
        overwrite: put the result in the place of `x`.
    """
    root = root_weights(kernel, delta)
    basis, _ = np.linalg.qr(root[:, None] * kernel.rotate(covariates))
    target = root * kernel.rotate(y)
    turn = (kernel.vectors * root).T
    out = x if overwrite else np.empty_like(x)
    parts = np.empty((basis.shape[1], x.shape[1]))
    for start in range(0, x.shape[1], _BLOCK):
        columns = slice(start, start + _BLOCK)
        block = turn @ x[:, columns]
        parts[:, columns] = basis.T @ block
        block -= basis @ parts[:, columns]
        out[:, columns] = block
    return Whitened(out, target - basis @ (basis.T @ target), basis, parts, kernel, root)
