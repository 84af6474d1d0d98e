"""All judge statistics of one difficulty as named tables: what the asset `eval/inference/judge` holds.

Here: which statistic is computed of which run, and what could not be. Not here: the statistics (`judge.py`, `roc.py`)
or reading released files.
"""

from __future__ import annotations

import pandas as pd

from genoplatform.inference.empty_tables import with_empty
from genoplatform.inference.judge import (
    CONFIDENCE_THRESHOLDS,
    ablation_accounting,
    confidence_thresholds,
    judge_means,
    triage,
)
from genoplatform.inference.panel import N_DRAWS, SEED
from genoplatform.inference.roc import ROC_DRAWS
from genoplatform.prioritisation.released.judge_files import REJECTED_COLUMNS

Tables = dict[str, pd.DataFrame]
TRIAGE_METRIC = "faithfulness"
_TRIAGE = ("n", "n_publications", "prevalence", "auroc", "lo", "hi", "draws_used", "auprc")
_SPLIT = ("threshold", "n_above", "n_below", "accuracy_above", "accuracy_below", "recall")
COLUMNS: dict[str, tuple[str, ...]] = {
    "means": ("run", "metric", "n", "n_missing", "mean", "case_lo", "case_hi", "lo", "hi"),
    "triage": ("run", *_TRIAGE),
    "points": ("run", "rule", *_SPLIT),
    "bins": ("run", "bin", "n", "mean_score", "accuracy", "lo", "hi"),
    "confidence": ("system", *_SPLIT, "share_above"),
    "confidence_triage": ("system", *_TRIAGE),
    "ablation": ("model", "scope", "n", "errors", "as_run", "n_ok", "error_excluded"),
    "not_estimated": ("analysis", "reason"),
}
_BINS = 4  # of the calibration; fewer cases than bins leave one empty


def judge_tables(
    cases: pd.DataFrame,
    lists: pd.DataFrame,
    scores: pd.DataFrame,
    ablation: pd.DataFrame,
    *,
    system: str = "S",
    draws: int = N_DRAWS,
    triage_draws: int = ROC_DRAWS,
    seed: int = SEED,
) -> Tables:
    """Means, triage, confidence and ablation.

    Args:
        cases: case_id, cluster, exposed.
        lists: system, case_id, score, is_causal, final_rank: the released lists, for the judged system's first rank.
        scores: run, case_id, metric, value; NaN = the judge gave none.
        ablation: model, case_id, hit, error.
        system: the system whose answers were judged; a case it has no list of is a miss.
        draws: bootstrap draws of the means. triage_draws: of the AUROC. seed: of all.

    Returns:
        Tables with `COLUMNS`, empty where the release has nothing to compute them from; `not_estimated` says what of
        a run could not be.
    """
    first = lists[(lists["system"] == system) & (lists["final_rank"] == 1)].set_index("case_id")
    known = cases[["case_id", "cluster", "exposed"]].assign(
        hit=cases["case_id"].map(first["is_causal"]).astype("boolean").fillna(False).astype("int64"),
        confidence=cases["case_id"].map(first["score"]).astype("float64"),
    )
    found: dict[str, list[pd.DataFrame]] = {}
    for run, part in ((str(run), part) for run, part in scores.groupby("run", sort=True)):
        wide = part.pivot(index="case_id", columns="metric", values="value").reset_index()
        judged = known.merge(wide, on="case_id", validate="one_to_one")
        metrics = sorted(set(part["metric"]))
        _add(found, "run", run, {"means": judge_means(judged, metrics, draws, seed)})
        if TRIAGE_METRIC in metrics:
            _add(found, "run", run, _triaged(judged, TRIAGE_METRIC, not first.empty, triage_draws, seed))
    if not first.empty:
        _add(found, "system", system, _confidence(known, triage_draws, seed))
    if not ablation.empty:
        records = ablation.merge(known[["case_id", "exposed"]], on="case_id", validate="many_to_one")
        found["ablation"] = [ablation_accounting(records)]
    return with_empty({name: pd.concat(parts, ignore_index=True) for name, parts in found.items()}, COLUMNS)


def no_judge_tables() -> Tables:
    """The same tables and that of refused files without a row, for a profile without a release."""
    return with_empty({}, COLUMNS | {"rejected": REJECTED_COLUMNS})


def _triaged(judged: pd.DataFrame, metric: str, listed: bool, draws: int, seed: int) -> Tables:
    if reason := _obstacle(judged, metric) if listed else "the judged system has no rankings":
        return {"not_estimated": pd.DataFrame({"analysis": [f"triage by {metric}"], "reason": [reason]})}
    result = triage(judged, metric, draws, seed)
    return {"triage": result.summary, "points": result.points, "bins": result.bins}


def _confidence(known: pd.DataFrame, draws: int, seed: int) -> Tables:
    listed = known[known["confidence"].notna()]
    tables = {"confidence": confidence_thresholds(listed["confidence"], listed["hit"], CONFIDENCE_THRESHOLDS)}
    if reason := _obstacle(listed, "confidence"):
        return tables | {"not_estimated": pd.DataFrame({"analysis": ["triage by confidence"], "reason": [reason]})}
    return tables | {"confidence_triage": triage(listed, "confidence", draws, seed).summary}


def _obstacle(judged: pd.DataFrame, metric: str) -> str:
    """Why hits cannot be told from misses here; "" if they can."""
    part = judged[judged[metric].notna()]
    if len(part) < _BINS:
        return f"{len(part)} cases with a score"
    if part["hit"].nunique() == 1:
        return "every case is a hit" if part["hit"].iloc[0] else "every case is a miss"
    return "" if part["cluster"].nunique() > 1 else "one publication"


def _add(found: dict[str, list[pd.DataFrame]], label: str, value: str, tables: Tables) -> None:
    for name, table in tables.items():
        if name == "not_estimated":
            rows = table.assign(analysis=f"{value}: " + table["analysis"])
        else:
            rows = table.reindex(columns=list(COLUMNS[name])).assign(**{label: value})
        found.setdefault(name, []).append(rows)
