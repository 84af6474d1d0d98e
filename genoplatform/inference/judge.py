"""Statistics of a language-model judge and of a system's own confidence.

Belongs here: means of judge metrics with case and publication intervals, triage of right and wrong answers by a
metric, thresholds on the rank-1 confidence, and error accounting of ablation runs. Does not belong here: calling
a judge, or the curve arithmetic (`roc.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.inference.panel import N_DRAWS, SEED
from genoplatform.inference.resampling import case_bootstrap, cluster_bootstrap, percentile_interval
from genoplatform.inference.roc import (
    ROC_DRAWS,
    auprc,
    auroc,
    auroc_interval,
    calibration,
    operating_point,
    youden_threshold,
)

CONFIDENCE_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Triage:
    """How a score separates hits from misses.

    Attributes:
        summary: one row: n, n_publications, prevalence, auroc, lo, hi, draws_used, auprc.
        points: operating points at the median and at Youden's threshold (column rule).
        bins: calibration bins.
    """

    summary: pd.DataFrame
    points: pd.DataFrame
    bins: pd.DataFrame


def judge_means(scores: pd.DataFrame, metrics: Sequence[str], draws: int = N_DRAWS, seed: int = SEED) -> pd.DataFrame:
    """Mean of every metric over the cases that have it.

    Args:
        scores: one row per case: cluster and the metric columns; NaN = the judge gave none (counted).
        metrics: columns to summarise.
        draws: draws of each bootstrap.
        seed: of each bootstrap.

    Returns:
        metric, n, n_missing, mean, case_lo, case_hi, lo, hi (by publication).
    """
    rows = []
    for metric in metrics:
        part = scores.loc[scores[metric].notna(), ["cluster", metric]]
        values = part[metric].to_numpy(dtype=np.float64)
        ends = [float("nan")] * 4
        if len(values):
            by_case = percentile_interval(case_bootstrap(values, draws=draws, seed=seed))
            by_publication = cluster_bootstrap(values, part["cluster"], draws=draws, seed=seed)
            ends = [*by_case, *percentile_interval(by_publication)]
        rows.append(
            {
                "metric": metric,
                "n": len(values),
                "n_missing": len(scores) - len(values),
                "mean": float(values.mean()) if len(values) else float("nan"),
                "case_lo": float(ends[0]),
                "case_hi": float(ends[1]),
                "lo": float(ends[2]),
                "hi": float(ends[3]),
            }
        )
    return pd.DataFrame(rows)


def triage(scores: pd.DataFrame, metric: str, draws: int = ROC_DRAWS, seed: int = SEED) -> Triage:
    """Can the metric tell a hit from a miss? Cases without the metric take no part.

    Args:
        scores: case rows with cluster, hit (0/1) and the metric.
        metric: score column.
        draws: publication bootstrap draws; draws with one class only are left out.
        seed: of the bootstrap.
    """
    part = scores.loc[scores[metric].notna()]
    score, hit = part[metric].to_numpy(dtype=np.float64), part["hit"].to_numpy(dtype=np.float64)
    lo, hi, used = auroc_interval(score, hit, part["cluster"], draws, seed)
    summary = pd.DataFrame(
        {
            "n": [len(part)],
            "n_publications": [int(part["cluster"].nunique())],
            "prevalence": [float(hit.mean())],
            "auroc": [auroc(score, hit)],
            "lo": [lo],
            "hi": [hi],
            "draws_used": [used],
            "auprc": [auprc(score, hit)],
        }
    )
    thresholds = {"median": float(np.median(score)), "youden": youden_threshold(score, hit)}
    points = pd.DataFrame([{"rule": rule, **operating_point(score, hit, t)} for rule, t in thresholds.items()])
    return Triage(summary, points, calibration(score, hit, part["cluster"], draws=draws, seed=seed))


def confidence_thresholds(
    confidence: pd.Series[float], hit: pd.Series[float], thresholds: Sequence[float] = CONFIDENCE_THRESHOLDS
) -> pd.DataFrame:
    """Operating points of the rank-1 confidence at declared thresholds, with the share at or above each."""
    rows = [operating_point(confidence.to_numpy(), hit.to_numpy(), t) for t in thresholds]
    table = pd.DataFrame(rows)
    return table.assign(share_above=table["n_above"] / len(confidence))


def ablation_accounting(records: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of each model over every record as it stands, and over the records without error.

    Args:
        records: model, exposed (0/1), hit (0/1), error (bool). An errored record can be a hit (an answer salvaged
            from a truncated response); as run it counts as one.

    Returns:
        model, scope ("all" or "overlap_absent"), n, errors, as_run, n_ok, error_excluded.
    """
    absent = records.loc[records["exposed"] == 0]
    rows = []
    for scope, part in (("all", records), ("overlap_absent", absent)):
        for model, runs in part.groupby("model", sort=True):
            failed = runs["error"].to_numpy(dtype=bool)
            hit = runs["hit"].to_numpy(dtype=np.float64)
            n_ok = int((~failed).sum())
            rows.append(
                {
                    "model": model,
                    "scope": scope,
                    "n": len(runs),
                    "errors": int(failed.sum()),
                    "as_run": float(hit.mean()),
                    "n_ok": n_ok,
                    "error_excluded": float(hit[~failed].mean()) if n_ok else float("nan"),
                }
            )
    return pd.DataFrame(rows)
