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
    systems = items["system"].unique().tolist()
    pairs = [(a, b) for a, b in declared.contrasts if {a, b} <= set(systems)]
    result = evaluate_items(
        items,
        [*decontaminated_pairs(systems), *pairs],
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


@platform_asset(
    "eval/inference/analyses",
    ins={
        "cases": "core/cohort/cases",
        "candidates": "core/cohort/candidates",
        "ranks": "eval/prioritisation/ranks",
        "similarity": "eval/prioritisation/resnik_scores",
        "released": "eval/prioritisation/released_rankings",
        "evaluation": "eval/inference/evaluation",
    },
    io="tables",
    version="2",
    kinds=["parquet"],
    reads=["cohort", "inference"],
    partitions=COHORT_LISTS,
)
def analyses(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    ranks: pd.DataFrame,
    similarity: pd.DataFrame,
    released: dict[str, pd.DataFrame],
    evaluation: dict[str, pd.DataFrame],
    partition: str,
    settings: Profile,
) -> Made:
    """Difference-in-differences, counterfactual, standardisation, design weights, density, audits and the rest."""
    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.list_audit import audited_lists
    from genoplatform.inference.rank_audit import case_bootstrap_table, family_wise
    from genoplatform.inference.suite import panel_of, run_suite
    from genoplatform.report import plot_estimates

    declared = settings.inference
    panel = panel_of(cases, ranks, settings.cohort.recency_boundary)
    pairs = [(a, b) for a, b in declared.contrasts if {a, b} <= set(panel.systems)]
    tables = run_suite(
        panel,
        declared.reference,
        pairs,
        joint=declared.joint_systems,
        density_over=declared.density_systems,
        draws=declared.bootstrap_draws,
        seed=declared.seed,
    )
    tables |= audited_lists(cases, candidates, similarity, released["lists"], partition)
    tables["results_table"] = case_bootstrap_table(ranks)
    families = {
        name: [(s, a, b) for s, a, b in members] for name, members in declared.families.get(partition, {}).items()
    }
    tables["multiplicity"] = family_wise(evaluation["contrasts"], families)
    named: tuple[str, ...] = ("did_side_by_side", "counterfactual")
    shown = {name: markdown_table(tables[name]) for name in named if name in tables}
    if "did_shifts" in tables:
        shown["plot"] = png(plot_estimates(tables["did_shifts"], tables.get("counterfactual")))
    return Made(tables, shown | {"not estimated": markdown_table(tables["not_estimated"])})


inference_assets = [items, evaluation, analyses]
