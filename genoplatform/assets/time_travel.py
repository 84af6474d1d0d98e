"""Time travel: the cohort against a series of annotation releases, one partition a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import PIN

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.profiles import Profile

RELEASES = dg.StaticPartitionsDefinition(
    ["2020-10-13", "2021-10-10", "2023-04-05", "2024-03-06", "2025-01-16", "2025-11-24", "2026-06-06"]
)
_SYSTEMS = ("likelihood", "resnik")


@platform_asset(
    "raw/ontology/hpoa_history", io=PIN, version="1", kinds=["file"], slot="hpoa_history", partitions=RELEASES
)
def hpoa_history(platform: PlatformResource, partition: str) -> Made:
    """HPO disease annotations (phenotype.hpoa) of a series of releases."""
    from genoplatform.assets.raw import obtained

    return obtained(platform, "hpoa_history", partition)


@platform_asset(
    "eval/prioritisation/time_travel",
    ins={
        "hpoa": "raw/ontology/hpoa_history",
        "cases": "core/cohort/cases",
        "hpo_terms": "core/ontology/hpo_terms",
        "gene_annotations": "core/ontology/gene_annotations",
    },
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["ranking"],
    partitions=RELEASES,
)
def time_travel(
    hpoa: PinnedInput | None,
    cases: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    gene_annotations: pd.DataFrame,
    partition: str,
    settings: Profile,
) -> pd.DataFrame:
    """Exposure and rank among all genes of every case, knowing only what one release knew."""
    from genoplatform.cohort.covariates import with_overlap
    from genoplatform.ontology import read_hpoa, with_copies
    from genoplatform.ontology.term_table import graph_of
    from genoplatform.prioritisation.time_travel import nothing_ranked, rank_with_release

    if hpoa is None:
        return nothing_ranked()
    release = read_hpoa(hpoa.path)
    exposed = with_overlap(cases[["case_id", "disease_ids", "source_pmid"]], release.raw)["exposed"]
    return rank_with_release(
        partition,
        cases,
        exposed,
        graph_of(hpo_terms),
        gene_annotations,
        with_copies(release),
        _SYSTEMS,
        settings.ranking.model_dump(),
    )


@platform_asset(
    "eval/inference/release_series",
    ins={"ranked": "eval/prioritisation/time_travel"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["inference"],
)
def release_series(ranked: dict[str, pd.DataFrame], settings: Profile) -> Made:
    """Overlap rate and top-k of the same cases by release: how a benchmark ages into contamination."""
    import pandas as pd

    from genoplatform.assets.shown import markdown_table, png
    from genoplatform.inference.release_series import release_series as series
    from genoplatform.report import plot_releases

    declared = settings.inference
    table = series(pd.concat(ranked.values(), ignore_index=True), draws=declared.bootstrap_draws, seed=declared.seed)
    return Made(table, {"series": markdown_table(table), "plot": png(plot_releases(table))})


time_travel_assets = [hpoa_history, time_travel, release_series]
