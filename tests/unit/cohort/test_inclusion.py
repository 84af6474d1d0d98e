"""The five exclusion rules, their order, and the MONDO resolution behind the last."""

import pandas as pd
import pytest

from genoplatform.cohort.inclusion import apply_inclusion, first_mondo

BASE = {
    "hpo_terms": ["HP:0000101", "HP:0000201", "HP:0000300"],
    "gene_symbols": ["AAA"],
    "gene_statuses": ["CAUSATIVE"],
    "disease_ids": ["OMIM:100001"],
}


def records(**changes):
    return pd.DataFrame([{"case_id": "X:1"} | BASE | changes])


def verdict(mondo, **changes):
    result = apply_inclusion(records(**changes), *mondo)
    return "kept" if len(result.kept) else result.dropped["reason"].item()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "kept"),
        ({"hpo_terms": ["HP:0000101", "HP:0000201"]}, "few_hpo"),
        ({"gene_symbols": [], "gene_statuses": []}, "no_single_gene"),
        ({"gene_statuses": ["CANDIDATE"]}, "no_single_gene"),
        ({"gene_statuses": ["REJECTED"]}, "no_single_gene"),
        ({"gene_statuses": [""]}, "kept"),
        ({"gene_statuses": ["CONTRIBUTORY"]}, "kept"),
        ({"gene_symbols": ["AAA", "AAA"], "gene_statuses": ["CAUSATIVE"] * 2}, "kept"),
        ({"gene_symbols": ["AAA", "BBB"], "gene_statuses": ["CAUSATIVE"] * 2}, "multi_gene"),
        ({"gene_symbols": ["AAA", "BBB"], "gene_statuses": ["CAUSATIVE", "CANDIDATE"]}, "kept"),
        ({"disease_ids": []}, "no_disease"),
        ({"disease_ids": ["OMIM:100005"]}, "excluded_disease"),
        ({"disease_ids": ["MONDO:0044970"]}, "excluded_disease"),
        ({"disease_ids": ["OMIM:100001", "OMIM:100005"]}, "excluded_disease"),
        ({"disease_ids": ["OMIM:999999"]}, "kept"),
    ],
)
def test_each_rule(mondo, changes, expected):
    assert verdict(mondo, **changes) == expected


def test_a_case_leaves_at_the_first_rule_it_breaks(mondo):
    assert verdict(mondo, hpo_terms=[], gene_symbols=[], gene_statuses=[], disease_ids=[]) == "few_hpo"
    assert verdict(mondo, gene_symbols=[], gene_statuses=[], disease_ids=["OMIM:100005"]) == "no_single_gene"


def test_kept_cases_carry_gene_and_mondo_ids_and_everything_is_counted(mondo):
    both = pd.concat([records(disease_ids=["OMIM:100002", "MONDO:0000001", "OMIM:9"]), records(hpo_terms=[])])
    result = apply_inclusion(both.assign(case_id=["X:1", "X:2"]).reset_index(drop=True), *mondo)
    assert result.kept.loc[0, "causal_gene"] == "AAA"
    assert result.kept.loc[0, "mondo_ids"] == ["MONDO:0000002", "MONDO:0000001"]
    assert result.report == {
        "kept": 1, "few_hpo": 1, "no_single_gene": 0, "multi_gene": 0, "no_disease": 0, "excluded_disease": 0,
    }  # fmt: skip
    assert result.dropped.loc[0].to_dict() == {"case_id": "X:2", "reason": "few_hpo", "detail": "0 observed terms"}


def test_two_mondo_terms_for_one_disease_the_first_in_ontology_order_wins():
    mapping = pd.DataFrame({"mondo_id": ["MONDO:0000009", "MONDO:0000003"], "disease_id": ["OMIM:1", "OMIM:1"]})
    assert first_mondo(mapping) == {"OMIM:1": "MONDO:0000003"}
