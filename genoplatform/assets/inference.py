"""Evaluated systems: metrics by subset, overlap shift and paired contrasts, with publication-clustered inference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.settings.profiles import Profile


@platform_asset(
    "eval/inference/items",
    ins={"cases": "core/cohort/cases", "ranks": "eval/prioritisation/ranks"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["cohort"],
    partitions=COHORT_LISTS,
)
def items(cases: pd.DataFrame, ranks: pd.DataFrame, settings: Profile) -> pd.DataFrame:
    """The item table `genoplatform evaluate` takes: a row a case and system, with publication, exposure and rank."""
    from genoplatform.inference.case_items import case_items

    return case_items(cases, ranks, recency_boundary=settings.cohort.recency_boundary)


@platform_asset(
    "eval/inference/evaluation",
    ins={"items": "eval/inference/items"},
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["inference"],
    partitions=COHORT_LISTS,
)
def evaluation(items: pd.DataFrame, partition: str, settings: Profile) -> Made:
    """Metrics, overlap shift and paired contrasts with cluster intervals, permutation and McNemar p-values."""
    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.case_items import decontaminated_pairs
    from genoplatform.inference.evaluate import evaluate_items
    from genoplatform.report import plot_overlap

    declared = settings.inference
    result = evaluate_items(
        items,
        decontaminated_pairs(items["system"].unique().tolist()),
        n_boot=declared.bootstrap_draws,
        n_perm=declared.permutation_draws,
        seed=declared.seed,
    )
    tables = {"metrics": result.metrics, "overlap_shift": result.overlap_shift, "contrasts": result.contrasts}
    top1 = result.metrics[result.metrics["metric"] == "top1"]
    shown = {
        "overlap shift": markdown_table(result.overlap_shift),
        "top-1": markdown_table(top1),
        "plot": png(plot_overlap({partition: tables})),
        "notes": "; ".join(result.notes) or "none",
    }
    return Made(tables, shown)


inference_assets = [items, evaluation]
