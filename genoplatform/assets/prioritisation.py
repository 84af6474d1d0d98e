"""Evaluated rankings: each system's scores of the candidate lists, and the rank of the causal gene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.prioritisation.resnik_systems import ResnikSystems
    from genoplatform.settings.profiles import Profile

_KNOWLEDGE = {
    "cases": "core/cohort/cases",
    "hpo_terms": "core/ontology/hpo_terms",
    "gene_annotations": "core/ontology/gene_annotations",
    "annotations": "core/ontology/disease_annotations",
}


@platform_asset(
    "eval/prioritisation/resnik_scores",
    ins={**_KNOWLEDGE, "candidates": "core/cohort/candidates"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["ranking"],
    partitions=COHORT_LISTS,
)
def resnik_scores(
    cases: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    gene_annotations: pd.DataFrame,
    annotations: pd.DataFrame,
    candidates: pd.DataFrame,
    settings: Profile,
) -> Made:
    """Cell R: Resnik similarity of every candidate, with and without the annotations citing the case's publication."""
    from genoplatform.prioritisation.resnik_systems import resnik_systems

    systems = _systems(hpo_terms, gene_annotations, annotations, settings)
    scores = resnik_systems(systems, cases, candidates)
    return Made(scores.scored, {"report": scores.report})


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
    return _systems(hpo_terms, gene_annotations, annotations, settings).counterfactual.summary(cases)


def _systems(
    hpo_terms: pd.DataFrame, gene_annotations: pd.DataFrame, annotations: pd.DataFrame, settings: Profile
) -> ResnikSystems:
    from genoplatform.ontology.annotation_table import kept_rows
    from genoplatform.ontology.term_table import graph_of
    from genoplatform.prioritisation.resnik_systems import build_systems

    declared = settings.ranking.model_dump(exclude={"tie_rule"})
    return build_systems(graph_of(hpo_terms), gene_annotations, kept_rows(annotations), **declared)


@platform_asset(
    "eval/prioritisation/ranks",
    ins={"scores": "eval/prioritisation/resnik_scores", "candidates": "core/cohort/candidates"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["ranking"],
    partitions=COHORT_LISTS,
)
def ranks(scores: pd.DataFrame, candidates: pd.DataFrame, settings: Profile) -> pd.DataFrame:
    """Rank of the causal gene in every candidate list, by system, under the declared tie rule."""
    from genoplatform.prioritisation.ranking import rank_candidates

    return rank_candidates(scores, candidates, tie_rule=settings.ranking.tie_rule)


prioritisation_assets = [resnik_scores, removed_evidence, ranks]
