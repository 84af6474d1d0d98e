"""What people read: the benchmark report as one self-contained page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genoplatform.assets.declare import Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.resources.platform import PlatformResource
    from genoplatform.settings.profiles import Profile


_INPUTS = {
    "selection": "core/cohort/selection",
    "cases": "core/cohort/cases",
    "ranks": "eval/prioritisation/ranks",
    "removed": "eval/prioritisation/removed_evidence",
    "evaluations": "eval/inference/evaluation",
    "analyses": "eval/inference/analyses",
    "releases": "eval/inference/release_series",
}


@platform_asset(
    "out/report/benchmark",
    ins=_INPUTS,
    io="directory",
    version="2",
    kinds=["html"],
    reads=["slots", "cohort", "ranking", "inference"],
)
def benchmark(
    selection: dict[str, pd.DataFrame],
    cases: pd.DataFrame,
    ranks: dict[str, pd.DataFrame],
    removed: pd.DataFrame,
    evaluations: dict[str, dict[str, pd.DataFrame]],
    analyses: dict[str, dict[str, pd.DataFrame]],
    releases: pd.DataFrame,
    platform: PlatformResource,
    settings: Profile,
) -> Made:
    """The benchmark report: how much of each system's score rests on the case's own publication."""
    import json

    from genoplatform.assets.shown import png
    from genoplatform.provenance.summary import upstream_rows
    from genoplatform.report import ReportInputs, build_report, headline, plot_overlap

    inputs = ReportInputs(
        profile=settings.model_dump(mode="json"),
        cases=cases,
        funnel=selection["funnel"],
        strata=selection["strata"],
        evaluations=evaluations,
        ranks=ranks,
        removed=removed,
        analyses=analyses,
        releases=releases,
        provenance=upstream_rows(platform.store(), set(_INPUTS.values())),
        notes=[],
    )
    numbers = headline(inputs)
    files = {
        "index.html": build_report(inputs),
        "headline.json": json.dumps(numbers, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n",
    }
    return Made(files, {"headline": numbers, "plot": png(plot_overlap(evaluations))})


report_assets = [benchmark]
