"""How far a system's rank-1 confidence can be taken at its word: bins of confidence against right answers.

Belongs here: reliability tables, raw and calibrated. Does not belong here: the fits (`agents.confidence_fit`), bins
(roc), drawing.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from genoplatform.agents.confidence_fit import brier_score, expected_calibration_error, out_of_fold
from genoplatform.inference.roc import ROC_DRAWS, calibration

BIN_COLUMNS = ("run", "bin", "n", "mean_score", "accuracy", "lo", "hi")
ERROR_COLUMNS = ("system", "confidence", "n", "expected_calibration_error", "brier", "note")
BINS = 10
FEWEST_IN_A_BIN = 5


def reliability(
    outcomes: pd.DataFrame,
    *,
    method: Literal["isotonic", "platt"],
    folds: int,
    min_cases: int,
    draws: int = ROC_DRAWS,
    seed: int = 42,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Reliability of every system's rank-1 confidence.

    Args:
        outcomes: cell, case_id, cluster, confidence (0 to 1), rank; cells whose confidence is no probability are to be
            left out.
        method: of the calibration, always fitted on other publications than it is applied to.
        folds: of publications.
        min_cases: below it nothing is fitted.
        draws: bootstrap draws of the intervals. seed: of draws and folds.

    Returns:
        Bins (`BIN_COLUMNS`; run is "<system> raw" or "<system> calibrated", bins of equal counts with publication
        intervals) and errors (`ERROR_COLUMNS`, one row a system and confidence; note says why one is missing).
    """
    bins: list[pd.DataFrame] = []
    errors = []
    for system, part in outcomes.sort_values(["cell", "case_id"]).groupby("cell", sort=True):
        raw = part["confidence"].to_numpy(dtype=np.float64)
        correct = np.asarray(part["rank"] == 1, dtype=np.float64)
        predictions = {"raw": raw}
        few = len(part) < min_cases or part["cluster"].nunique() < folds
        if not few:
            table = pd.DataFrame({"confidence": raw, "correct": correct, "cluster": part["cluster"].to_numpy()})
            predictions["calibrated"] = out_of_fold(table, method=method, folds=folds, seed=seed)
        for name, predicted in predictions.items():
            error, brier = expected_calibration_error(predicted, correct), brier_score(predicted, correct)
            note = f"not calibrated: {len(part)} cases, {min_cases} needed" if few else ""
            errors.append((str(system), name, len(part), error, brier, note))
            if len(part) >= min_cases:
                n_bins = min(BINS, len(part) // FEWEST_IN_A_BIN)
                made = calibration(predicted, correct, part["cluster"].to_numpy(), n_bins, draws, seed)
                bins.append(made.assign(run=f"{system} {name}"))
    kept = pd.concat(bins, ignore_index=True) if bins else pd.DataFrame()
    return _bin_table(kept), pd.DataFrame(errors, columns=list(ERROR_COLUMNS))


def _bin_table(table: pd.DataFrame) -> pd.DataFrame:
    kinds = {"run": "str", "bin": "int64", "n": "int64"} | dict.fromkeys(BIN_COLUMNS[3:], "float64")
    return table.reindex(columns=list(BIN_COLUMNS)).astype(kinds)
