"""Core cohort: the cases with their covariates, and their standard and hard candidate lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.profiles import Profile


@platform_asset(
    "core/cohort/selection",
    ins={
        "current": "core/ontology/disease_annotations_current",
        "knowledge": "core/ontology/disease_annotations",
        "gene_annotations": "core/ontology/gene_annotations",
        "genes": "core/ontology/genes",
        "hpo_terms": "core/ontology/hpo_terms",
        "mondo_terms": "core/ontology/mondo_terms",
        "disease_mondo": "core/ontology/disease_mondo",
        "phenopackets": "raw/cohort/phenopackets",
        "pmid_dates": "raw/cohort/pmid_dates",
        "released": "raw/cohort/released",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["cohort"],
)
def selection(
    current: pd.DataFrame,
    knowledge: pd.DataFrame,
    gene_annotations: pd.DataFrame,
    genes: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    mondo_terms: pd.DataFrame,
    disease_mondo: pd.DataFrame,
    phenopackets: PinnedInput | None,
    pmid_dates: PinnedInput | None,
    released: PinnedInput | None,
    settings: Profile,
) -> Made:
    """How the cohort was chosen: the cases, every case the filters removed by reason, the strata, and term issues."""
    from genoplatform.cohort.inputs import CohortOptions, References
    from genoplatform.cohort.phenopackets import read_phenopackets
    from genoplatform.cohort.pmid_years import read_year_anchors
    from genoplatform.cohort.profiles import publication_profiles
    from genoplatform.cohort.store import phenopacket_cohort
    from genoplatform.cohort.tables import as_tables, read_pmid_dates
    from genoplatform.ontology import disease_genes, protein_coding
    from genoplatform.ontology.annotation_table import citation_rows, kept_rows
    from genoplatform.ontology.term_table import ancestor_pairs, graph_of
    from genoplatform.prioritisation.released.tables import released_tables

    declared = settings.cohort
    if declared.source == "released":
        return Made(released_tables(_needed(released, "released").path, citation_rows(knowledge)))
    references = References(
        knowledge=citation_rows(knowledge),
        coding=protein_coding(genes),
        graph=graph_of(hpo_terms),
        mapping=disease_mondo,
        ancestors=ancestor_pairs(mondo_terms),
        pmid_dates=read_pmid_dates(pmid_dates.path) if pmid_dates else None,
        anchors=read_year_anchors(),
    )
    targets = declared.sample_per_stratum
    options = CohortOptions(min_terms=declared.min_hpo_terms, seed=declared.seed)
    if declared.source == "publication_profiles":
        cohort = publication_profiles(
            kept_rows(current), disease_genes(gene_annotations), references, targets=targets, options=options
        )
    else:
        cohort = phenopacket_cohort(
            read_phenopackets(_needed(phenopackets, "phenopackets").path), references, targets=targets, options=options
        )
    return Made(as_tables(cohort), {"report": cohort.report, "funnel": _markdown(cohort.funnel)})


def _needed(pinned: PinnedInput | None, slot: str) -> PinnedInput:
    from genoplatform.errors import SettingsError

    if pinned is None:
        raise SettingsError("building the cohort", f"the profile's slot `{slot}` is empty", "name a pin in it")
    return pinned


def _markdown(table: pd.DataFrame) -> Any:
    from genoplatform.assets.shown import markdown_table

    return markdown_table(table)


@platform_asset(
    "core/cohort/cases",
    ins={"selection": "core/cohort/selection"},
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
)
def cases(selection: dict[str, pd.DataFrame]) -> Made:
    """The benchmark's cases: phenotype terms, causal gene, publication, exposure, density, inclusion probability."""
    from genoplatform.assets.shown import png
    from genoplatform.report import plot_cohort

    table = selection["cases"]
    shown = {
        "exposed cases": int(table["exposed"].sum()),
        "publications": int(table["cluster"].nunique()),
        "cohort": png(plot_cohort(table, selection["funnel"])),
    }
    return Made(table, shown)


@platform_asset(
    "core/cohort/candidates",
    ins={
        "selection": "core/cohort/selection",
        "cases": "core/cohort/cases",
        "genes": "core/ontology/genes",
        "gene_annotations": "core/ontology/gene_annotations",
        "hpo_terms": "core/ontology/hpo_terms",
    },
    io="parquet",
    version="1",
    kinds=["parquet", "table"],
    reads=["cohort"],
    partitions=COHORT_LISTS,
)
def candidates(
    selection: dict[str, pd.DataFrame],
    cases: pd.DataFrame,
    genes: pd.DataFrame,
    gene_annotations: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    partition: str,
    settings: Profile,
) -> Made:
    """Fifty candidate genes a case: the causal one among random (standard) or phenotype-similar (hard) genes."""
    from genoplatform.cohort.candidates import standard_candidates
    from genoplatform.cohort.distractors import hard_candidates
    from genoplatform.ontology import protein_coding
    from genoplatform.ontology.term_table import graph_of
    from genoplatform.prioritisation.annotations import from_genes_to_phenotype
    from genoplatform.prioritisation.hard_scores import ScoreRows
    from genoplatform.prioritisation.resnik import ResnikScorer

    declared, symbols = settings.cohort, protein_coding(genes)
    n, seed = declared.n_distractors, declared.seed
    if f"candidates_{partition}" in selection:
        return Made(selection[f"candidates_{partition}"], {"report": {"as released": len(cases)}})
    if partition == "standard":
        lists = standard_candidates(cases, symbols, n_distractors=n, seed=seed)
    else:
        # The hard lists follow the published recipe, which reads the gene table, whatever the ranker's knowledge is.
        base = from_genes_to_phenotype(gene_annotations, graph_of(hpo_terms))
        scorer = ResnikScorer.from_knowledge_base(base)
        rows = ScoreRows(scorer, scorer.queries(cases["hpo_terms"].tolist()))
        lists = hard_candidates(cases, rows, scorer.genes, symbols, base.gene_diseases, n_distractors=n, seed=seed)
    return Made(lists.table, {"report": lists.report})


cohort_assets = [selection, cases, candidates]
