"""Cells K and M as published: Exomiser and LIRICAL as external programs, where a profile names them and they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset
from genoplatform.resources.java_tool import JAVA_POOL

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.prioritisation.baselines.scoring import BaselineScores
    from genoplatform.resources.exomiser import ExomiserResource
    from genoplatform.resources.lirical import LiricalResource
    from genoplatform.settings.profiles import Profile

_LISTS = {"cases": "core/cohort/cases", "candidates": "core/cohort/candidates"}


@platform_asset(
    "eval/prioritisation/exomiser_scores",
    ins=_LISTS,
    io="parquet",
    version="1",
    kinds=["parquet", "java"],
    reads=["ranking"],
    partitions=COHORT_LISTS,
    needs=["exomiser"],
    pool=JAVA_POOL,
)
def exomiser_scores(
    cases: pd.DataFrame, candidates: pd.DataFrame, settings: Profile, exomiser: ExomiserResource
) -> Made:
    """Cell K: Exomiser's phenotype-only score of every candidate, run by the original program."""
    from genoplatform.prioritisation.baselines.exomiser import EXOMISER, run_exomiser

    if EXOMISER not in settings.ranking.systems:
        return _not_run()
    return _made(run_exomiser(cases, candidates, exomiser))


@platform_asset(
    "eval/prioritisation/lirical_scores",
    ins={**_LISTS, "genes": "core/ontology/genes"},
    io="parquet",
    version="1",
    kinds=["parquet", "java"],
    reads=["ranking"],
    partitions=COHORT_LISTS,
    needs=["lirical"],
    pool=JAVA_POOL,
)
def lirical_scores(
    cases: pd.DataFrame, candidates: pd.DataFrame, genes: pd.DataFrame, settings: Profile, lirical: LiricalResource
) -> Made:
    """Cell M: LIRICAL's phenotype-only score of every candidate, run by the original program."""
    from genoplatform.prioritisation.baselines.lirical import LIRICAL, run_lirical

    if LIRICAL not in settings.ranking.systems:
        return _not_run()
    return _made(run_lirical(cases, candidates, lirical, lirical.disease_genes(genes).links))


def _made(found: BaselineScores) -> Made:
    from genoplatform.assets.shown import markdown_table

    shown = {"report": found.report, "tool": dict(found.tool), "failures": markdown_table(found.failures)}
    return Made(found.scored, shown, recorded={"tool": dict(found.tool)})


def _not_run() -> Made:
    from genoplatform.prioritisation.candidate_scores import nothing_scored

    return Made(nothing_scored(), {"report": "not a system of this profile"})


baseline_assets = [exomiser_scores, lirical_scores]
