"""Calibrating a system's rank-1 confidence on a cohort: isotonic or logistic, always predicted out of fold.

Belongs here: folds by publication, the fits, and the error of a calibration. Does not belong here: which confidence
(cell_tables), bins with intervals (inference.roc), plots (report).
Source: isotonic regression by pool-adjacent-violators; Platt 1999 with his targets (n+ + 1) / (n+ + 2), 1 / (n- + 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression, minimize

from genoplatform.errors import BadInputError, SettingsError

FloatArray = NDArray[np.float64]
Method = Literal["isotonic", "platt"]
Fit = Callable[[FloatArray], FloatArray]
FOLDS, MIN_CASES, SEED = 5, 30, 42


def out_of_fold(
    table: pd.DataFrame, *, method: Method = "isotonic", folds: int = FOLDS, seed: int = SEED
) -> FloatArray:
    """Calibrated probability of every case, from the cases of other publications only.

    Args:
        table: confidence (0 to 1), correct (0/1), cluster (the publication).
        method: the calibration.
        folds: parts the publications are dealt into.
        seed: of the dealing.

    Returns:
        [n], in the order of the table.

    Raises:
        BadInputError: fewer publications than folds.
    """
    fold = fold_of(table["cluster"], folds, seed)
    confidence = table["confidence"].to_numpy(dtype=np.float64)
    correct = table["correct"].to_numpy(dtype=np.float64)
    predicted = np.empty(len(table))
    for at in range(folds):
        inside = fold == at
        predicted[inside] = fitted(confidence[~inside], correct[~inside], method)(confidence[inside])
    return predicted


def fold_of(clusters: pd.Series, folds: int, seed: int = SEED) -> NDArray[np.int64]:
    """Fold of every case: publications, sorted and shuffled, are dealt out in turn, so none is in two folds."""
    names = sorted(set(clusters.astype(str)))
    if len(names) < folds:
        raise BadInputError("calibrating a confidence", f"{len(names)} publications for {folds} folds", "more cases")
    order = np.random.default_rng(seed).permutation(len(names))
    fold = {names[name]: place % folds for place, name in enumerate(order)}
    return clusters.astype(str).map(fold).to_numpy(dtype=np.int64)


def fitted(confidence: FloatArray, correct: FloatArray, method: Method) -> Fit:
    """A calibration fitted to these cases: confidences -> probabilities."""
    fits = {"isotonic": _isotonic, "platt": _platt}
    if method not in fits:
        raise SettingsError("calibrating a confidence", repr(method), f"one of {', '.join(fits)}")
    return fits[method](confidence, correct)


def expected_calibration_error(predicted: FloatArray, correct: FloatArray, bins: int = 10) -> float:
    """Mean |share right - mean prediction| over equal-width bins, weighted by their cases."""
    at = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    sums = [np.bincount(at, weights, minlength=bins) for weights in (predicted, correct)]
    return float(np.abs(sums[0] - sums[1]).sum() / len(predicted))


def brier_score(predicted: FloatArray, correct: FloatArray) -> float:
    """Mean squared difference of prediction and outcome."""
    return float(np.mean((predicted - correct) ** 2))


def _isotonic(confidence: FloatArray, correct: FloatArray) -> Fit:
    """Steps through the pooled means, straight between them, flat outside."""
    values, at = np.unique(confidence, return_inverse=True)
    counts = np.bincount(at)
    means = np.bincount(at, correct) / counts
    heights = isotonic_regression(means, weights=counts).x
    return lambda new: np.interp(new, values, heights)


def _platt(confidence: FloatArray, correct: FloatArray) -> Fit:
    positives = correct.sum()
    negatives = len(correct) - positives
    target = np.where(correct == 1, (positives + 1) / (positives + 2), 1 / (negatives + 2))

    def loss(parameters: FloatArray) -> float:
        z = parameters[0] * confidence + parameters[1]
        return float(np.sum(np.logaddexp(0, z) - target * z))

    slope, intercept = minimize(loss, np.zeros(2), method="BFGS").x
    return lambda new: 1 / (1 + np.exp(-(slope * new + intercept)))
