"""Choosing the penalty by cross-validation, and how well the model with it does.

`tune`: least held-out deviance (squared error), or the largest penalty within one standard error of it; prediction and
selection are reported for that one penalty. `tune_compat`: the benchmark's rule (expression.md C.10), which looks at
the known genes of the trait (!), keeps the smaller of equal penalties, and reports prediction for another penalty (!).
Belongs here: the two rules. Does not belong here: models, folds, scores.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from genoplatform.expression.statistics.arrays import Floats, Samples, is_binary
from genoplatform.expression.statistics.folds import Fold
from genoplatform.expression.statistics.linear_model import Fitter, LinearModel
from genoplatform.expression.statistics.scores import (
    auroc,
    binary_scores,
    continuous_scores,
    gene_scores,
    mean_scores,
)

PenaltyRule = Literal["minimum", "one_standard_error"]
FALLBACK_PENALTY = 0.1


@dataclass(frozen=True)
class Tuning:
    """What cross-validation chose and saw.

    Attributes:
        penalty: the chosen one.
        prediction, selection: mean scores over folds, in per cent (nmse and r_squared as they are).
        prediction_penalty: the penalty `prediction` is of; only compat lets it differ.
        table: a row a penalty: deviance and its standard error, mean scores, mean number of genes, largest gap.
        pooled: scores of all held-out predictions taken together; sound only.
        held_out: predictions of rows while they were held out, shape (n,); NaN where never held out.
    """

    penalty: float
    prediction: dict[str, float]
    selection: dict[str, float]
    prediction_penalty: float
    table: pd.DataFrame
    pooled: dict[str, float]
    held_out: Floats


@dataclass(frozen=True)
class _Seen:
    """Of one penalty: scores by fold, deviances, gene counts, gaps, held-out predictions."""

    prediction: list[dict[str, float]]
    selection: list[dict[str, float]]
    deviance: list[float]
    genes: list[int]
    gaps: list[float]
    held_out: Floats


def tune(
    fitter: Fitter, samples: Samples, penalties: Sequence[float], folds: Sequence[Fold],
    related: Collection[int], rule: PenaltyRule = "minimum",
) -> Tuning:  # fmt: skip
    """Choose by held-out squared error; of equal ones the larger penalty.

    Args:
        fitter: model. samples: all rows.
        penalties: candidates. folds: rows to hold out.
        related: columns of the trait's known genes, for the report only.
        rule: the minimum, or the largest penalty within one standard error of it.
    """
    ordered = sorted(set(penalties), reverse=True)
    seen = _cross_validate(fitter, samples, ordered, folds, related)
    means = np.array([np.mean(one.deviance) for one in seen])
    best = int(np.argmin(means))
    if rule == "one_standard_error":
        limit = means[best] + _standard_error(seen[best].deviance)
        best = int(np.flatnonzero(means <= limit)[0])
    chosen = seen[best]
    pooled = _scores(samples.y, chosen.held_out)
    if is_binary(samples.y):
        pooled |= {"auroc": 100.0 * auroc(samples.y, chosen.held_out)}
    return Tuning(
        penalty=ordered[best],
        prediction=mean_scores(chosen.prediction),
        selection=mean_scores(chosen.selection),
        prediction_penalty=ordered[best],
        table=_table(ordered, seen),
        pooled=pooled,
        held_out=chosen.held_out,
    )


def tune_compat(
    fitter: Fitter, samples: Samples, penalties: Sequence[float], folds: Sequence[Fold],
    related: Collection[int],
) -> Tuning:  # fmt: skip
    """Choose by the mean precision of chosen against known genes; arguments as `tune`."""
    ordered = sorted(set(penalties))
    seen = _cross_validate(fitter, samples, ordered, folds, related)
    best, penalty, at = 0.0, FALLBACK_PENALTY, None
    for i, one in enumerate(seen):
        if (precision := mean_scores(one.selection)["precision"]) > best:
            best, penalty, at = precision, ordered[i], i
    if at is None:
        at = ordered.index(penalty) if penalty in ordered else 0
    measure = "f1" if is_binary(samples.y) else "r_squared"
    shown = max(range(len(seen)), key=lambda i: mean_scores(seen[i].prediction)[measure])
    return Tuning(
        penalty=penalty,
        prediction=mean_scores(seen[shown].prediction),
        selection=mean_scores(seen[at].selection),
        prediction_penalty=ordered[shown],
        table=_table(ordered, seen),
        pooled={},
        held_out=seen[at].held_out,
    )


def automatic_penalties(largest: float, count: int = 25, ratio: float = 1e-3) -> list[float]:
    """Penalties from the largest useful one down to `ratio` of it, evenly on the log scale, descending."""
    top = largest if largest > 0 else 1.0
    return [float(value) for value in np.geomspace(top, top * ratio, count)]


def _cross_validate(
    fitter: Fitter, samples: Samples, penalties: Sequence[float], folds: Sequence[Fold],
    related: Collection[int],
) -> list[_Seen]:  # fmt: skip
    seen = [_Seen([], [], [], [], [], np.full(len(samples.y), np.nan)) for _ in penalties]
    wanted = set(related)
    for fold in folds:
        models = fitter(samples.take(fold.train), penalties)
        held_out = samples.take(fold.test)
        for one, model in zip(seen, models, strict=True):
            _note(one, model, held_out, fold, wanted, is_binary(samples.y))
    return seen


def _note(one: _Seen, model: LinearModel, held_out: Samples, fold: Fold, wanted: set[int], binary: bool) -> None:
    y, predicted = held_out.y, model.predict(held_out.x, held_out.z)
    one.prediction.append(binary_scores(y, predicted) if binary else continuous_scores(y, predicted))
    one.selection.append(gene_scores(model.chosen, wanted))
    one.deviance.append(float(((y - predicted) ** 2).mean()))
    one.genes.append(len(model.chosen))
    one.gaps.append(model.relative_gap)
    one.held_out[fold.test] = predicted


def _scores(y: Floats, held_out: Floats) -> dict[str, float]:
    there = ~np.isnan(held_out)
    return (binary_scores if is_binary(y) else continuous_scores)(y[there], held_out[there])


def _standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _table(penalties: Sequence[float], seen: Sequence[_Seen]) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for penalty, one in zip(penalties, seen, strict=True):
        rows.append(
            {"penalty": penalty, "deviance": float(np.mean(one.deviance)), "deviance_se": _standard_error(one.deviance)}
            | {f"prediction_{name}": value for name, value in mean_scores(one.prediction).items()}
            | {f"selection_{name}": value for name, value in mean_scores(one.selection).items()}
            | {"genes": float(np.mean(one.genes)), "largest_relative_gap": float(np.max(one.gaps))}
        )
    return pd.DataFrame(rows).sort_values("penalty", ignore_index=True)
