"""Scores of held-out predictions and of chosen genes, in per cent as the benchmark reports them.

Belongs here: definitions (expression.md C.10, D). Does not belong here: averaging over folds or problems.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np

from genoplatform.expression.statistics.arrays import Floats

EmptySets = Literal["zero", "v2"]


def binary_scores(y: Floats, predicted: Floats) -> dict[str, float]:
    """accuracy, precision, recall and f1 of predictions above 0.5; 0 where undefined."""
    positive = predicted > 0.5
    truth = y == 1
    hits, called, there = int((positive & truth).sum()), int(positive.sum()), int(truth.sum())
    precision, recall = hits / called if called else 0.0, hits / there if there else 0.0
    return {
        "accuracy": 100.0 * float((positive == truth).mean()),
        "precision": 100.0 * precision,
        "recall": 100.0 * recall,
        "f1": 100.0 * harmonic(precision, recall),
    }


def continuous_scores(y: Floats, predicted: Floats) -> dict[str, float]:
    """nmse: squared error over that of the held-out mean; r_squared: one minus it."""
    spread = float(((y - y.mean()) ** 2).sum())
    nmse = float(((y - predicted) ** 2).sum()) / spread if spread else float("nan")
    return {"nmse": nmse, "r_squared": 1.0 - nmse}


def gene_scores(
    predicted: Collection[object], reference: Collection[object], empty: EmptySets = "zero"
) -> dict[str, float]:
    """precision, recall, f1 and jaccard of two sets, in per cent.

    Args:
        predicted: chosen genes. reference: genes to find.
        empty: "zero" gives 0 for every empty set (tuning, first release); "v2" gives 1 if both are empty.
    """
    chosen, wanted = set(predicted), set(reference)
    hits, either = len(chosen & wanted), len(chosen | wanted)
    both_empty = 1.0 if empty == "v2" and not either else 0.0
    precision = hits / len(chosen) if chosen else both_empty
    recall = hits / len(wanted) if wanted else both_empty
    return {
        "precision": 100.0 * precision,
        "recall": 100.0 * recall,
        "f1": 100.0 * harmonic(precision, recall),
        "jaccard": 100.0 * (hits / either if either else 0.0),
    }


def harmonic(a: float, b: float) -> float:
    """Harmonic mean; 0 of two zeros."""
    return 2 * a * b / (a + b) if a + b else 0.0


def mean_scores(folds: list[dict[str, float]]) -> dict[str, float]:
    """Mean of each score over folds."""
    return {name: float(np.mean([fold[name] for fold in folds])) for name in folds[0]} if folds else {}


def auroc(y: Floats, score: Floats) -> float:
    """Area under the ROC curve with ties counted half; NaN if there is one class only."""
    positive = y == 1
    n_pos, n_neg = int(positive.sum()), int((~positive).sum())
    if not n_pos or not n_neg:
        return float("nan")
    _, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2.0
    return float((ranks[inverse][positive].sum() - n_pos * (n_pos + 1) / 2) / (n_pos * n_neg))
