"""What a release holds beside rankings: leave-one-paper-out arms, a judge's scores, and ablation runs, evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.profiles import Profile

_NO_RELEASE = {"report": "no release in this profile"}


@platform_asset(
    "eval/inference/lopo",
    ins={"released": "raw/cohort/released", "cases": "core/cohort/cases", "ranks": "eval/prioritisation/ranks"},
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["inference"],
    partitions=COHORT_LISTS,
)
def lopo(released: PinnedInput | None, cases: pd.DataFrame, ranks: pd.DataFrame, settings: Profile) -> Made:
    """Leave-one-paper-out: a released system with and without the case's own publication among its sources."""
    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.lopo_tables import lopo_tables, no_lopo_tables
    from genoplatform.prioritisation.released.leaks import read_leaks
    from genoplatform.report import plot_lopo

    if released is None:
        return Made(no_lopo_tables(), _NO_RELEASE)
    declared = settings.inference
    leaks = read_leaks(released.path)
    tables, report = lopo_tables(cases, ranks, leaks, draws=declared.bootstrap_draws, seed=declared.seed)
    shown = {name: markdown_table(table) for name, table in tables.items() if len(table)}
    return Made(tables, {"report": report, "plot": png(plot_lopo(tables["comparison"]))} | shown)


@platform_asset(
    "eval/inference/judge",
    ins={
        "released": "raw/cohort/released",
        "cases": "core/cohort/cases",
        "rankings": "eval/prioritisation/released_rankings",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["inference"],
    partitions=COHORT_LISTS,
)
def judge(
    released: PinnedInput | None,
    cases: pd.DataFrame,
    rankings: dict[str, pd.DataFrame],
    partition: str,
    settings: Profile,
) -> Made:
    """A judge's scores: means, triage of right and wrong answers, rank-1 confidence, and ablation runs by error."""
    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.judge_tables import judge_tables, no_judge_tables
    from genoplatform.prioritisation.released.judge_files import read_judge_files
    from genoplatform.report import plot_calibration

    if released is None:
        return Made(no_judge_tables(), _NO_RELEASE)
    declared = settings.inference
    files = read_judge_files(released.path, case_ids=cases["case_id"].tolist(), difficulty=partition)
    draws, seed = declared.bootstrap_draws, declared.seed
    tables = judge_tables(cases, rankings["lists"], files.scores, files.ablation, draws=draws, seed=seed)
    tables["rejected"] = files.rejected
    shown = {name: markdown_table(table) for name, table in tables.items() if len(table)}
    return Made(tables, {"report": files.report, "plot": png(plot_calibration(tables["bins"]))} | shown)


released_assets = [lopo, judge]
