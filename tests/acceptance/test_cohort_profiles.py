"""The embedded profile's cohort from the pinned releases: how much of it the older knowledge base has seen."""

import pytest

from genoplatform.cohort.candidates import standard_candidates
from genoplatform.cohort.gate import gate_failures
from genoplatform.cohort.inputs import References
from genoplatform.cohort.pmid_years import read_year_anchors
from genoplatform.cohort.profiles import publication_profiles
from genoplatform.ontology import (
    OntologyGraph,
    disease_genes,
    protein_coding,
    read_gene_annotations,
    read_hgnc,
    read_hpoa,
    read_mondo_terms,
    read_obo,
    read_sssom,
)

TARGETS = dict.fromkeys(("neurological", "metabolic", "immunological", "developmental", "other"), 250)


@pytest.fixture(scope="module")
def coding(pinned):
    return protein_coding(read_hgnc(pinned("hgnc@2025-06")))


@pytest.fixture(scope="module")
def cohort(pinned, coding):
    hpo = read_obo(pinned("hp.obo@2025-01-16"))
    references = References(
        read_hpoa(pinned("phenotype.hpoa@2025-01-16")).raw,
        OntologyGraph.from_tables(hpo.terms, hpo.edges),
        coding,
        read_sssom(pinned("mondo-mappings@2025")),
        read_mondo_terms(pinned("mondo-terms@2026-05-05")).ancestors,
        anchors=read_year_anchors(),
    )
    return publication_profiles(
        read_hpoa(pinned("phenotype.hpoa@2026-06-06")).rows,
        disease_genes(read_gene_annotations(pinned("genes_to_phenotype@2025-01-16")).rows),
        references,
        targets=TARGETS,
    )


def test_6682_profiles_were_in_the_older_release_and_94_were_not(cohort):
    """Measured independently before the code was written (before terms were resolved, which changes neither)."""
    exposed = cohort.strata["stratum"].str.endswith("|exposed")
    assert cohort.strata.loc[exposed, "eligible"].sum() == 6682
    assert cohort.strata.loc[~exposed, "eligible"].sum() == 94


def test_all_unexposed_cases_are_taken_and_250_exposed_of_every_category(cohort):
    cases = cohort.cases
    assert (cases["exposed"] == 0).sum() == 94
    assert cases[cases["exposed"] == 1].groupby("category").size().to_dict() == TARGETS
    horvitz_thompson = (1 / cases["inclusion_probability"]).sum()
    assert horvitz_thompson == pytest.approx(6682 + 94)


def test_every_case_has_a_candidate_list_and_passes_the_gate(cohort, coding):
    lists = standard_candidates(cohort.cases, coding)
    assert lists.dropped.empty
    assert gate_failures(cohort.cases, lists.table, balanced=False).empty


def test_overlap_is_citation_of_the_own_publication(cohort):
    assert (cohort.cases["exposed"] == (cohort.cases["rows_own_pmid"] > 0)).all()
