"""First step of a two-step problem: a condition learnt in its own cohort and carried over to the trait's (C.4).

Regressors are z-scored in each cohort by its own mean and spread, since platforms differ. `sound` fits ridge models
that do not depend on the units of the condition and whose convergence is checked; `compat` repeats the benchmark's
choice of four models, of which the Lasso with a penalty of 1 gives a constant where the condition has a small spread
(!).
Belongs here: predicting the condition. Does not belong here: the trait's regression.
"""

from __future__ import annotations

import warnings
from typing import Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, RidgeCV

from genoplatform.errors import BadInputError
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.statistics.arrays import Floats, Scaling, is_binary
from genoplatform.settings.expression import Rules

SEED = 42
_RIDGE_GRID = np.logspace(-2, 6, 33)


class _Model(Protocol):
    def fit(self, x: Floats, y: Floats) -> object: ...

    def predict(self, x: Floats) -> Floats: ...


def predict_condition(
    condition: LinkedCohort, trait: LinkedCohort, regressors: tuple[str, ...], rules: Rules = "sound"
) -> Floats:
    """Probability (binary) or value (continuous) of the condition for each sample of the trait's cohort, shape (n,).

    Raises:
        BadInputError: a model did not converge (sound only).
    """
    y = condition.clinical.iloc[:, 0].to_numpy(dtype=np.float64)
    here, there = _columns(condition, regressors), _columns(trait, regressors)
    x, new = Scaling.of(here).apply(here), Scaling.of(there).apply(there)
    binary = is_binary(y)
    model = _compat_model(binary, x.shape) if rules != "sound" else _sound_model(binary)
    target = (y == y.max()).astype(np.float64) if binary else y
    with warnings.catch_warnings():
        warnings.simplefilter("error" if rules == "sound" else "ignore", ConvergenceWarning)
        try:
            model.fit(x, target)
        except ConvergenceWarning as found:
            raise BadInputError(f"learning {condition.trait} in {condition.cohort}", str(found)) from found
    if isinstance(model, LogisticRegression):
        return np.asarray(model.predict_proba(new)[:, 1], dtype=np.float64)
    return np.asarray(model.predict(new), dtype=np.float64)


def _sound_model(binary: bool) -> _Model:
    model: _Model = LogisticRegression(C=1.0, max_iter=5000) if binary else RidgeCV(alphas=_RIDGE_GRID)
    return model


def _compat_model(binary: bool, shape: tuple[int, ...]) -> _Model:
    wide = shape[1] > shape[0]
    model: _Model
    if binary:
        narrow = LogisticRegression()
        model = LogisticRegression(l1_ratio=1, solver="liblinear", random_state=SEED) if wide else narrow
    else:
        model = Lasso(alpha=1.0) if wide else LinearRegression()
    return model


def _columns(cohort: LinkedCohort, regressors: tuple[str, ...]) -> Floats:
    at = {gene: i for i, gene in enumerate(cohort.genes)}
    return np.asarray(cohort.values[:, [at[gene] for gene in regressors]])
