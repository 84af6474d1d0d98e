"""What came of the cells: each case's outcome, what loops added, grounding, confidence, and cells beside tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.assets.agents import FUSED_CELL, MODEL_CELLS, SEARCH_CELLS
from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.settings.profiles import Profile

_CELLS = {"search_cells": SEARCH_CELLS, "model_cells": MODEL_CELLS, "fused_cell": FUSED_CELL}
_CASES = {"cases": "core/cohort/cases"}
_PLUMBING = "Figures of evidence `plumbing` were made with a model that shows the path only. They are no results."


@platform_asset(
    "eval/agents/outcomes",
    ins={**_CELLS, **_CASES},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    partitions=COHORT_LISTS,
)
def outcomes(search_cells: Path, model_cells: Path, fused_cell: Path, cases: pd.DataFrame, partition: str) -> Made:
    """Each cell's outcome of each case: rank of the causal gene, first gene, fallback, tokens, claims and faults."""
    from genoplatform.agents.cell_tables import cell_summary
    from genoplatform.agents.finished import outcome_table
    from genoplatform.assets.shown import markdown_table

    table = outcome_table([search_cells, model_cells, fused_cell], cases, partition)
    shown: dict[str, Any] = {"summary": markdown_table(cell_summary(table))}
    return Made(table, shown | ({"caution": _PLUMBING} if "plumbing" in set(table["evidence"]) else {}))


@platform_asset(
    "eval/agents/passes",
    ins={"search_cells": SEARCH_CELLS, "model_cells": MODEL_CELLS},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    partitions=COHORT_LISTS,
)
def passes(search_cells: Path, model_cells: Path, partition: str) -> Made:
    """What every retrieval pass of every case added: chunks, mentions, better grades, another order."""
    from genoplatform.agents.cell_tables import pass_summary
    from genoplatform.agents.finished import pass_table
    from genoplatform.assets.shown import markdown_table

    table = pass_table([search_cells, model_cells], partition)
    return Made(table, {"by pass": markdown_table(pass_summary(table))})


@platform_asset(
    "eval/agents/evaluation",
    ins={
        "outcomes": "eval/agents/outcomes",
        "ranks": "eval/prioritisation/ranks",
        **_CELLS,
        **_CASES,
        "candidates": "core/cohort/candidates",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["agents", "inference", "cohort"],
    partitions=COHORT_LISTS,
)
def evaluation(
    outcomes: pd.DataFrame,
    ranks: pd.DataFrame,
    search_cells: Path,
    model_cells: Path,
    fused_cell: Path,
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    partition: str,
    settings: Profile,
) -> Made:
    """Cells beside the native systems on the cells' own cases: metrics, contrasts, and reliability of confidences."""
    from genoplatform.agents.finished import cell_ranks
    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.cell_evaluation import cell_evaluation, reliability_of, tables_of
    from genoplatform.report.plot_reliability import plot_reliability

    declared, inference = settings.agents, settings.inference
    if declared is None or outcomes.empty:
        return Made(tables_of(), {"report": "no cell in this profile"})
    ranked = cell_ranks([search_cells, model_cells, fused_cell], outcomes, candidates, partition)
    evaluated, notes = cell_evaluation(
        cases,
        ranked,
        ranks,
        [(a, b) for a, b in declared.contrasts],
        recency_boundary=settings.cohort.recency_boundary,
        n_boot=inference.bootstrap_draws,
        n_perm=inference.permutation_draws,
        seed=inference.seed,
    )
    bins, errors = reliability_of(outcomes, declared.calibration, seed=inference.seed)
    tables = tables_of(**evaluated, ranks=ranked, reliability_bins=bins, reliability=errors)
    shown: dict[str, Any] = {"reliability": markdown_table(errors), "plot": png(plot_reliability(bins))}
    if len(tables["contrasts"]):
        shown["contrasts"] = markdown_table(tables["contrasts"])
    if set(outcomes["evidence"]) & {"plumbing"}:
        shown["caution"] = _PLUMBING
    return Made(tables, shown | {"cases": int(outcomes["case_id"].nunique()), "notes": notes})


evaluation_assets = [outcomes, passes, evaluation]
