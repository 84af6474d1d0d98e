"""How well a score tells right answers from wrong ones.

Belongs here: AUROC (ties count half), the precision-recall area by trapezoid, Youden's threshold, operating
points and calibration bins, for a score and a 0/1 outcome, with intervals by publication bootstrap.
Does not belong here: what the score is (a judge's faithfulness, a system's confidence: `judge.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from genoplatform.errors import BadInputError
from genoplatform.inference.resampling import (
    FloatArray,
    cluster_bootstrap,
    cluster_index,
    percentile_interval,
)

ROC_DRAWS = 2_000


@dataclass(frozen=True)
class Curve:
    """Counts at every distinct score, from the highest down: predicting positive at score >= threshold."""

    threshold: FloatArray
    true_positives: FloatArray
    false_positives: FloatArray

    @property
    def positives(self) -> float:
        """Number of positives."""
        return float(self.true_positives[-1])

    @property
    def negatives(self) -> float:
        """Number of negatives."""
        return float(self.false_positives[-1])


def curve(score: ArrayLike, outcome: ArrayLike) -> Curve:
    """Cumulative counts; both arrays [n]; BadInputError unless the outcome is 0/1 and the score finite."""
    values, hit = _checked(score, outcome)
    order = np.argsort(-values, kind="stable")
    values, hit = values[order], hit[order]
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    tp = np.cumsum(hit)[last]
    return Curve(values[last], tp, last + 1.0 - tp)


def auroc(score: ArrayLike, outcome: ArrayLike) -> float:
    """Area under the ROC curve = P(score of a positive > of a negative) + half of ties; NaN with one class."""
    return float(_auroc_draws(*_checked(score, outcome), np.ones((1, np.size(outcome))))[0])


def auroc_interval(
    score: ArrayLike,
    outcome: ArrayLike,
    clusters: ArrayLike,
    draws: int = ROC_DRAWS,
    seed: int = 42,
) -> tuple[float, float, int]:
    """95 % publication-bootstrap interval of the AUROC, and how many draws had both classes."""
    values, hit = _checked(score, outcome)
    codes, n = cluster_index(clusters)
    picks = np.random.default_rng(seed).integers(0, n, size=(draws, n))
    flat = picks + np.arange(draws)[:, None] * n
    multiplicity = np.bincount(flat.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)
    samples = _auroc_draws(values, hit, multiplicity[:, codes])
    lo, hi = percentile_interval(samples)
    return float(lo), float(hi), int((~np.isnan(samples)).sum())


def auprc(score: ArrayLike, outcome: ArrayLike) -> float:
    """Area under precision over recall by trapezoid, the curve starting at recall 0, precision 1."""
    c = curve(score, outcome)
    if c.positives == 0:
        return float("nan")
    recall = np.append(0.0, c.true_positives / c.positives)
    precision = np.append(1.0, c.true_positives / (c.true_positives + c.false_positives))
    return float(np.trapezoid(precision, recall))


def youden_threshold(score: ArrayLike, outcome: ArrayLike) -> float:
    """The threshold of the largest sensitivity + specificity - 1 (the highest one among equals)."""
    c = curve(score, outcome)
    if c.positives == 0 or c.negatives == 0:
        return float("nan")
    gain = c.true_positives / c.positives - c.false_positives / c.negatives
    return float(c.threshold[int(np.argmax(gain))])


def operating_point(score: ArrayLike, outcome: ArrayLike, threshold: float) -> dict[str, float]:
    """The split at score >= threshold.

    Returns:
        threshold, n_above, n_below, accuracy_above (= precision), accuracy_below, recall; NaN where undefined.
    """
    values, hit = _checked(score, outcome)
    above = values >= threshold
    return {
        "threshold": threshold,
        "n_above": int(above.sum()),
        "n_below": int((~above).sum()),
        "accuracy_above": _mean(hit[above]),
        "accuracy_below": _mean(hit[~above]),
        "recall": _mean(above[hit == 1.0].astype(np.float64)),
    }


def calibration(
    score: ArrayLike,
    outcome: ArrayLike,
    clusters: ArrayLike,
    bins: int = 4,
    draws: int = ROC_DRAWS,
    seed: int = 42,
) -> pd.DataFrame:
    """Mean score and accuracy in equal-count bins of the sorted scores.

    Bin membership stays as observed; the publications are drawn jointly for all bins.

    Returns:
        bin (1..), n, mean_score, accuracy, lo, hi.
    """
    values, hit = _checked(score, outcome)
    parts = np.array_split(np.argsort(values, kind="stable"), bins)
    member = np.zeros((len(values), bins))
    for b, part in enumerate(parts):
        member[part, b] = 1.0
    samples = cluster_bootstrap(
        np.repeat(hit[:, None], bins, axis=1),
        clusters,
        statistic="weighted mean",
        weights=member,
        draws=draws,
        seed=seed,
    )
    lo, hi = percentile_interval(samples)
    return pd.DataFrame(
        {
            "bin": np.arange(1, bins + 1),
            "n": [len(part) for part in parts],
            "mean_score": [_mean(values[part]) for part in parts],
            "accuracy": [_mean(hit[part]) for part in parts],
            "lo": lo,
            "hi": hi,
        }
    )


def _auroc_draws(score: FloatArray, outcome: FloatArray, weight: FloatArray) -> FloatArray:
    """AUROC under each row of case weights [draws, n]; NaN where a class has no weight."""
    order = np.argsort(score, kind="stable")
    values = score[order]
    first = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    ordered = weight[:, order]
    positive = np.add.reduceat(ordered * outcome[order], first, axis=1)
    negative = np.add.reduceat(ordered * (1.0 - outcome[order]), first, axis=1)
    below = np.cumsum(negative, axis=1) - negative
    wins = (positive * (below + 0.5 * negative)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        area: FloatArray = wins / (positive.sum(axis=1) * negative.sum(axis=1))
    return area


def _checked(score: ArrayLike, outcome: ArrayLike) -> tuple[FloatArray, FloatArray]:
    values, hit = np.asarray(score, dtype=np.float64), np.asarray(outcome, dtype=np.float64)
    if values.ndim != 1 or values.shape != hit.shape or len(values) == 0:
        raise BadInputError("drawing a ROC curve", f"scores {values.shape}, outcomes {hit.shape}")
    if not np.isfinite(values).all() or not np.isin(hit, (0.0, 1.0)).all():
        raise BadInputError("drawing a ROC curve", "a score is not finite or an outcome not 0/1")
    return values, hit


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
