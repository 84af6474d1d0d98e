"""Evaluated rankings: each native system's scores of the candidate lists, and the rank of the causal gene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dagster as dg

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.prioritisation.systems import Knowledge
    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.profiles import Profile

_KNOWLEDGE = {
    "cases": "core/cohort/cases",
    "hpo_terms": "core/ontology/hpo_terms",
    "gene_annotations": "core/ontology/gene_annotations",
    "annotations": "core/ontology/disease_annotations",
}
# Asset -> what it is; the asset's name tells which systems it scores.
_SYSTEMS = {
    "resnik": "Cell R: Resnik similarity of every candidate, with and without the case's own publication.",
    "likelihood": "Cell M, native: likelihood ratios of observed terms, with and without the case's own publication.",
    "likelihood_excluded": "Likelihood ratios of observed and excluded terms, with and without the own publication.",
    "phenodigm": "Human-only hiPhive, native: PhenoDigm similarity, with and without the case's own publication.",
}


def _scores_asset(system: str, description: str) -> dg.AssetsDefinition:
    def scores(
        cases: pd.DataFrame,
        hpo_terms: pd.DataFrame,
        gene_annotations: pd.DataFrame,
        annotations: pd.DataFrame,
        candidates: pd.DataFrame,
        settings: Profile,
    ) -> Made:
        from genoplatform.prioritisation.candidate_scores import nothing_scored
        from genoplatform.prioritisation.systems import build_system

        if system not in settings.ranking.systems:
            return Made(nothing_scored(), {"report": "not a system of this profile"})
        knowledge = _knowledge(hpo_terms, gene_annotations, annotations)
        built = build_system(system, knowledge, settings.ranking.model_dump())
        result = built.score_lists(cases, candidates)
        return Made(result.scored, {"report": result.report})

    scores.__doc__ = description
    return platform_asset(
        f"eval/prioritisation/{system}_scores",
        ins={**_KNOWLEDGE, "candidates": "core/cohort/candidates"},
        io="parquet",
        version="1",
        kinds=["parquet", "table"],
        reads=["ranking"],
        partitions=COHORT_LISTS,
    )(scores)


score_assets = [_scores_asset(system, description) for system, description in _SYSTEMS.items()]


@platform_asset(
    "eval/prioritisation/removed_evidence",
    ins=_KNOWLEDGE,
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["ranking"],
)
def removed_evidence(
    cases: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    gene_annotations: pd.DataFrame,
    annotations: pd.DataFrame,
    settings: Profile,
) -> pd.DataFrame:
    """What the counterfactual takes away: gene annotations that rest on the case's own publication alone."""
    from genoplatform.prioritisation.systems import build_system

    if "resnik" not in settings.ranking.systems:
        cases = cases.iloc[:0]
    knowledge = _knowledge(hpo_terms, gene_annotations, annotations)
    return build_system("resnik", knowledge, settings.ranking.model_dump()).summary(cases)


def _knowledge(hpo_terms: pd.DataFrame, gene_annotations: pd.DataFrame, annotations: pd.DataFrame) -> Knowledge:
    from genoplatform.ontology.annotation_table import kept_rows
    from genoplatform.ontology.term_table import graph_of
    from genoplatform.prioritisation.systems import Knowledge

    return Knowledge(graph_of(hpo_terms), gene_annotations, kept_rows(annotations))


@platform_asset(
    "eval/prioritisation/released_rankings",
    ins={"released": "raw/cohort/released", "cases": "core/cohort/cases", "candidates": "core/cohort/candidates"},
    io="tables",
    version="1",
    kinds=["parquet"],
    partitions=COHORT_LISTS,
)
def released_rankings(
    released: PinnedInput | None, cases: pd.DataFrame, candidates: pd.DataFrame, partition: str
) -> Made:
    """Published per-case rankings, validated: lists, ranks, coverage, and every file that was refused."""
    from genoplatform.prioritisation.released.tables import nothing_released, rankings_tables

    if released is None:
        return Made(nothing_released(), {"report": "none in this profile"})
    tables, report = rankings_tables(released.path, cases, candidates, partition)
    return Made(tables, {"report": report})


@platform_asset(
    "eval/prioritisation/ranks",
    ins={
        **{f"{system}_scores": f"eval/prioritisation/{system}_scores" for system in _SYSTEMS},
        "exomiser_scores": "eval/prioritisation/exomiser_scores",
        "lirical_scores": "eval/prioritisation/lirical_scores",
        "released": "eval/prioritisation/released_rankings",
        "candidates": "core/cohort/candidates",
    },
    io="parquet",
    version="4",
    kinds=["parquet", "table"],
    reads=["ranking"],
    partitions=COHORT_LISTS,
)
def ranks(
    resnik_scores: pd.DataFrame,
    likelihood_scores: pd.DataFrame,
    likelihood_excluded_scores: pd.DataFrame,
    phenodigm_scores: pd.DataFrame,
    exomiser_scores: pd.DataFrame,
    lirical_scores: pd.DataFrame,
    released: dict[str, pd.DataFrame],
    candidates: pd.DataFrame,
    settings: Profile,
) -> pd.DataFrame:
    """Rank of the causal gene in every list, by system; ties as the profile declares, or as a tool has them."""
    import pandas as pd

    from genoplatform.prioritisation.baselines.exomiser import EXOMISER_TIE_RULE
    from genoplatform.prioritisation.baselines.lirical import LIRICAL_TIE_RULE
    from genoplatform.prioritisation.fused_ranks import Fusion, fused_ranks
    from genoplatform.prioritisation.ranking import rank_candidates

    native = pd.concat(
        [resnik_scores, likelihood_scores, likelihood_excluded_scores, phenodigm_scores], ignore_index=True
    )
    ranked = [
        rank_candidates(native, candidates, tie_rule=settings.ranking.tie_rule),
        rank_candidates(exomiser_scores, candidates, tie_rule=EXOMISER_TIE_RULE),
        rank_candidates(lirical_scores, candidates, tie_rule=LIRICAL_TIE_RULE),
        fused_ranks(native, candidates, [Fusion(**item.model_dump()) for item in settings.ranking.fusions]),
        released["ranks"],
    ]
    present = [table for table in ranked if len(table)]
    return pd.concat(present, ignore_index=True).sort_values(["system", "case_id"], ignore_index=True)


prioritisation_assets = [*score_assets, released_rankings, removed_evidence, ranks]
