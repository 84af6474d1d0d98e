"""Faults of real packets and releases at the counts they were measured at (specs, inputs table)."""

import pytest

from genoplatform.cohort.covariates import with_cluster
from genoplatform.cohort.disease_ids import reachability, reachability_counts
from genoplatform.cohort.duplicates import profile_duplicates
from genoplatform.cohort.phenopackets import read_phenopackets
from genoplatform.cohort.term_issues import issue_counts, label_drift, profile_issues, profile_status
from genoplatform.cohort.terms import resolve_terms
from genoplatform.ontology import OntologyGraph, disease_genes, read_gene_annotations, read_hpoa, read_obo

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def packets(shared):
    return read_phenopackets(shared / "phenopackets" / "phenopacket-store-0.1.26.tar.xz")


@pytest.fixture(scope="module")
def graph(pinned):
    hpo = read_obo(pinned("hp.obo@2025-01-16"))
    return OntologyGraph.from_tables(hpo.terms, hpo.edges)


@pytest.fixture(scope="module")
def resolved(packets, graph):
    return resolve_terms(packets.records, graph)


def test_terms_newer_than_the_ontology(resolved):
    """Row 12: 212 features in 147 cases, HP:0025811 67 times and HP:0025810 57 times."""
    assert (resolved.report["dropped_unknown"], resolved.report["cases_with_a_dropped_term"]) == (212, 147)
    counts = resolved.changes["term"].value_counts()
    assert (counts["HP:0025811"], counts["HP:0025810"]) == (67, 57)


def test_contradictions_and_redundancy(resolved, graph):
    """Row 14: 20 observed under an excluded ancestor, 29 observed twice, 61 excluded twice."""
    assert issue_counts(profile_issues(resolved.cases, graph)) == {
        "excluded-ancestor": 20,
        "redundant-observed": 29,
        "redundant-excluded": 61,
    }


def test_cases_that_cannot_be_ranked(resolved, packets):
    """Row 15: one case without any feature, one with excluded features only."""
    status = profile_status(resolved.cases, packets.records).set_index("case_id")["status"]
    assert status[status != "evaluable"].to_dict() == {
        "CYP21A2:PMID_30968594_individual_29": "not-evaluable-no-feature",
        "CYP21A2:PMID_30968594_individual_51": "not-evaluable-excluded-only",
    }


def test_profiles_that_occur_twice(packets):
    """Row 17: 1,420 cases share profile (observed and excluded), disease and publication with another."""
    groups = profile_duplicates(with_cluster(packets.records))
    assert (groups["size"] > 1).sum() == 1420


def test_labels_that_drift(packets):
    """Row 23: 17 ids carry two labels."""
    drift = label_drift(packets.features)
    assert len(drift) == 17
    assert ["Sleep abnormality", "Sleep disturbance"] in drift["labels"].tolist()


def test_cases_out_of_reach_of_the_knowledge_base(packets, pinned):
    """Row 25: with HPO 2025-01 the gene is missing for 982 of 9,517 rankable cases, the disease for 1,554 of 9,588."""
    genes = read_gene_annotations(pinned("genes_to_phenotype@2025-01-16")).rows
    diseases = read_hpoa(pinned("phenotype.hpoa@2025-01-16")).raw["disease_id"]
    first = [symbols[0] if symbols else "" for symbols in packets.records["gene_symbols"]]
    cases = packets.records.assign(causal_gene=first)
    table = reachability(cases, genes["gene_symbol"], diseases, disease_genes(genes))
    rankable = (cases["causal_gene"] != "") & (cases["hpo_terms"].map(len) > 0)
    counts = reachability_counts(table[rankable])
    assert (counts["cases"], counts["gene_missing"]) == (9517, 982)
    assert reachability_counts(table)["disease_missing"] == 1554
