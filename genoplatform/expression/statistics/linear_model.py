"""What every fitted model is in the end: weights on z-scored genes and covariates, and how it predicts.

Belongs here: the common form of a fit. Does not belong here: how any model is fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from genoplatform.expression.statistics.arrays import Floats, Samples, Scaling

# Share of the columns' length below which a singular value counts as zero.
_DEPENDENT = 1e-9
Facts: TypeAlias = dict[str, float | str | bool | None]


@dataclass(frozen=True)
class LinearModel:
    """A fit of y on genes and, where there are any, covariates.

    Attributes:
        penalty: alpha or lambda; NaN for a model without one.
        coefficients: of z-scored genes, shape (p,); those not zero are chosen.
        covariates: coefficients of z-scored covariates, shape (q,).
        intercept: at the training means.
        scaling, covariate_scaling: of the training rows.
        background: weights of z-scored genes that predict a sample's random effect (BLUP), shape (p,); None without.
        relative_gap: upper bound of the relative distance of the objective from its optimum; NaN where not defined.
        tested: columns chosen by their p-values, where that is how the model chooses.
        facts: numbers worth keeping: variance ratio, edge of the grid, sweeps.
    """

    penalty: float
    coefficients: Floats
    covariates: Floats
    intercept: float
    scaling: Scaling
    covariate_scaling: Scaling
    background: Floats | None = None
    relative_gap: float = float("nan")
    tested: tuple[int, ...] | None = None
    facts: Facts = field(default_factory=dict)

    @property
    def chosen(self) -> list[int]:
        """Columns chosen: those with a coefficient, or those tested so; ascending."""
        if self.tested is not None:
            return list(self.tested)
        return [int(j) for j in np.flatnonzero(self.coefficients)]

    def predict(self, x: Floats, z: Floats) -> Floats:
        """Predictions of rows x (m, p) with covariates z (m, q), shape (m,)."""
        if self.background is None:
            used = np.flatnonzero(self.coefficients)
            per_unit = self.coefficients[used] / self.scaling.sd[used]
            genes = x[:, used] @ per_unit - float(self.scaling.mean[used] @ per_unit)
        else:
            per_unit = (self.coefficients + self.background) / self.scaling.sd
            genes = x @ per_unit - float(self.scaling.mean @ per_unit)
        return np.asarray(self.intercept + genes + self.covariate_scaling.apply(z) @ self.covariates)


# (training rows, penalties) -> one model a penalty, in the order given.
Fitter: TypeAlias = Callable[[Samples, Sequence[float]], list[LinearModel]]


def independent(covariates: Floats) -> Floats:
    """The columns that are no combination of those before them: a covariate can be constant in a fold, shape (n, r)."""
    kept: list[int] = []
    for j in range(covariates.shape[1]):
        columns = covariates[:, [*kept, j]]
        if np.linalg.matrix_rank(columns, tol=_DEPENDENT * max(1.0, float(np.linalg.norm(columns)))) == len(kept) + 1:
            kept.append(j)
    return covariates[:, kept]


def with_intercept(z: Floats) -> Floats:
    """Covariates with a column of ones before them, shape (n, 1 + q)."""
    return np.column_stack([np.ones(len(z)), z])
