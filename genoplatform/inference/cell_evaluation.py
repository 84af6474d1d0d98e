"""Cells of the agentic workflow beside the native systems, on exactly the cases that the cells ranked.

Belongs here: the common item table and its evaluation. Does not belong here: the statistics (evaluate), files.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from genoplatform.inference.case_items import case_items
from genoplatform.inference.empty_tables import with_empty
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.reliability import BIN_COLUMNS, ERROR_COLUMNS, reliability
from genoplatform.prioritisation.ranking import RANK_COLUMNS
from genoplatform.settings.agents import CalibrationSettings

MIN_PUBLICATIONS = 2
NO_PROBABILITY = frozenset({"A", "B", "N"})
"""Cells whose figure of the first gene is a sum of scores, not a confidence from 0 to 1."""
TABLES: dict[str, tuple[str, ...]] = {
    "ranks": RANK_COLUMNS,
    "metrics": ("subset", "system", "metric", "n", "n_publications", "value", "count"),
    "overlap_shift": ("system", "n_present", "n_absent", "present", "absent", "shift", "lo", "hi"),
    "contrasts": ("subset", "system_a", "system_b", "n", "delta", "p_mcnemar", "p_cluster"),
    "reliability_bins": BIN_COLUMNS,
    "reliability": ERROR_COLUMNS,
}
"""Tables of the asset, with the columns they have at least."""


def cell_evaluation(
    cases: pd.DataFrame,
    cell_ranks: pd.DataFrame,
    native_ranks: pd.DataFrame,
    contrasts: Sequence[tuple[str, str]],
    *,
    recency_boundary: int,
    n_boot: int,
    n_perm: int,
    seed: int,
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Metrics, overlap shift and contrasts of cells and native systems over the cells' cases.

    Args:
        cases: the case table.
        cell_ranks: system, case_id, rank of the cells.
        native_ranks: the same of native systems, of any cases.
        contrasts: pairs to compare, those whose systems are both there.
        recency_boundary: first year of recent cases.
        n_boot, n_perm, seed: of the resampling.

    Returns:
        Tables metrics, overlap_shift, contrasts, and notes; no tables where the cells ranked fewer than two
        publications, which no interval can be had of.
    """
    inside = cases[cases["case_id"].isin(cell_ranks["case_id"])]
    if inside["cluster"].nunique() < MIN_PUBLICATIONS:
        return {}, [f"{inside['cluster'].nunique()} publications: nothing to resample"]
    beside = native_ranks[native_ranks["case_id"].isin(inside["case_id"])]
    columns = ["system", "case_id", "rank"]
    ranks = pd.concat([cell_ranks[columns], beside[columns]], ignore_index=True)
    systems = set(ranks["system"])
    result = evaluate_items(
        case_items(inside, ranks, recency_boundary=recency_boundary),
        [(a, b) for a, b in contrasts if {a, b} <= systems],
        n_boot=n_boot,
        n_perm=n_perm,
        seed=seed,
    )
    tables = {"metrics": result.metrics, "overlap_shift": result.overlap_shift, "contrasts": result.contrasts}
    return tables, result.notes


def reliability_of(
    outcomes: pd.DataFrame, declared: CalibrationSettings, *, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`reliability` of the cells whose confidence is one."""
    kept = outcomes[~outcomes["cell"].isin(NO_PROBABILITY)]
    return reliability(kept, method=declared.method, folds=declared.folds, min_cases=declared.min_cases, seed=seed)


def tables_of(**found: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """`TABLES`, empty where nothing was found."""
    return with_empty(found, TABLES)
