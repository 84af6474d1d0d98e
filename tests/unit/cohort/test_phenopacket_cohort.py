"""The phenopacket cohort end to end on packets of our own, and released cases by id."""

import pandas as pd
import pytest

from genoplatform.cohort.inputs import References
from genoplatform.cohort.phenopackets import read_phenopackets
from genoplatform.cohort.schema import CASE_COLUMNS
from genoplatform.cohort.store import phenopacket_cohort, released_cases
from genoplatform.errors import BadInputError, EmptyResultError

KNOWLEDGE = pd.DataFrame(
    [("OMIM:100001", "HP:0000101", ["PMID:1"]), ("OMIM:100001", "HP:0000201", ["PMID:7"])],
    columns=["disease_id", "hpo_id", "pmids"],
)
TARGETS = {"neurological": 2, "metabolic": 5}


def build(root, graph, mondo, targets=TARGETS):
    references = References(KNOWLEDGE, graph, ["AAA", "BBB"], *mondo)
    return phenopacket_cohort(read_phenopackets(root), references, targets=targets, order=list(targets))


@pytest.fixture
def release(write_packets, packet):
    return write_packets(
        {
            "AAA/PMID_1_a.json": packet(),
            "AAA/PMID_1_b.json": packet(excluded=("HP:0000900",)),
            "AAA/PMID_2_c.json": packet(),
            "BBB/PMID_3_d.json": packet(diseases=("OMIM:100002",), genes=(("BBB", ""),)),
            "RNU/PMID_4_e.json": packet(diseases=("OMIM:100002",), genes=(("RNU4-2", "CAUSATIVE"),)),
            "AAA/PMID_5_few.json": packet(("HP:0000101",)),
            "AAA/PMID_6_none.json": packet(diseases=("OMIM:100006",)),
            "AAA/PMID_7_chrom.json": packet(diseases=("OMIM:100005",)),
            "BBB/PMID_8_gone.json": packet(
                ("HP:0000005", "HP:0000902", "HP:0000901"), diseases=("OMIM:100002",), genes=(("BBB", ""),)
            ),
            "AAA/broken.json": "{",
        }
    )


def test_every_stage_is_counted(release, graph, mondo):
    assert build(release, graph, mondo).funnel.to_numpy().tolist() == [
        ["files", 10, 0, ""],
        ["load", 9, 1, "unreadable-json"],
        ["inclusion", 8, 1, "few_hpo"],
        ["inclusion", 7, 1, "excluded_disease"],
        ["category", 6, 1, "no_category"],
        ["sample", 5, 1, "not_drawn"],
        ["gene_pool", 4, 1, "causal_not_in_pool"],
        ["evaluable", 3, 1, "not-evaluable-no-known-term"],
    ]


def test_cases_follow_the_schema_and_probabilities_count_later_losses(release, graph, mondo):
    cohort = build(release, graph, mondo)
    cases = cohort.cases
    assert list(cases.columns) == list(CASE_COLUMNS)
    assert (cases["cohort"] == "phenopacket_store").all()
    by_category = cases.groupby("category")["inclusion_probability"].first().to_dict()
    assert by_category == {"neurological": 2 / 3, "metabolic": 1 / 3}
    first = cases.set_index("case_id")
    exposed = {i: int(first.loc[i, "exposed"]) for i in cases["case_id"]}
    assert exposed == {i: int("PMID_1_" in i) for i in cases["case_id"]}
    assert cases["cluster"].str.fullmatch(r"PMID:\d").all()


def test_excluded_terms_are_resolved_too(release, graph, mondo):
    cases = build(release, graph, mondo, targets={"neurological": 9, "metabolic": 9}).cases.set_index("case_id")
    assert cases.loc["AAA:PMID_1_b", "excluded_terms"] == ["HP:0000201"]


def test_contradictions_are_reported_without_stopping(release, graph, mondo):
    cohort = build(release, graph, mondo, targets={"neurological": 9, "metabolic": 9})
    assert cohort.report["observed-and-excluded"] == 1
    assert cohort.term_issues["case_id"].tolist() == ["AAA:PMID_1_b"]


def test_an_empty_cohort_says_what_the_filters_removed(write_packets, packet, graph, mondo):
    root = write_packets({"AAA/one.json": packet(("HP:0000101",)), "AAA/two.json": packet(genes=())})
    with pytest.raises(EmptyResultError, match=r"no case left of 2 .*1 few_hpo; inclusion: 1 no_single_gene"):
        build(root, graph, mondo)


def test_a_cohort_whose_genes_are_all_outside_the_pool_says_so(write_packets, packet, graph, mondo):
    root = write_packets({"RNU/one.json": packet(genes=(("RNU4-2", ""),))})
    with pytest.raises(EmptyResultError, match="gene_pool: 1 causal_not_in_pool"):
        build(root, graph, mondo)


def test_released_cases_by_id_in_any_order(release):
    records = read_phenopackets(release).records
    found = released_cases(records, ["BBB:PMID_3_d", "AAA:PMID_5_few"])
    assert found["case_id"].tolist() == ["AAA:PMID_5_few", "BBB:PMID_3_d"]
    assert found.loc[1, ["causal_gene", "source_pmid", "cluster"]].tolist() == ["BBB", "PMID:3", "PMID:3"]
    with pytest.raises(BadInputError, match="AAA:nobody"):
        released_cases(records, ["AAA:nobody"])
