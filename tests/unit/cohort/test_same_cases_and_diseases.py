"""The same person twice, the same disease under several ids, and cases out of reach."""

import pandas as pd

from genoplatform.cohort.disease_ids import disease_id_sets, reachability, reachability_counts
from genoplatform.cohort.duplicates import one_per_profile, profile_duplicates


def test_same_profile_disease_and_publication_is_one_group_whatever_the_file_name():
    cases = pd.DataFrame(
        {
            "case_id": ["C:P_35", "C:P_Individual35", "C:P_36", "C:P_37", "C:Q_35", "C:R_1", "C:R_2"],
            "hpo_terms": [["b", "a"], ["a", "b"], ["a"], ["a", "b"], ["a", "b"], ["z"], ["z"]],
            "excluded_terms": [[], [], [], ["x"], [], [], []],
            "disease_ids": [["OMIM:1"]] * 7,
            "source_pmid": ["PMID:1", "PMID:1", "PMID:1", "PMID:1", "PMID:2", "", ""],
        }
    )
    groups = profile_duplicates(cases).set_index("case_id")
    assert groups.loc["C:P_Individual35"].tolist() == ["C:P_35", 2, 0.5]
    assert groups["weight"].sum() == 6  # six distinct profiles
    assert one_per_profile(cases)["case_id"].tolist() == ["C:P_35", "C:P_36", "C:P_37", "C:Q_35", "C:R_1", "C:R_2"]


def test_a_disease_is_found_under_its_own_moved_and_mondo_sibling_ids():
    cases = pd.DataFrame({"case_id": ["A:1", "B:1"], "disease_ids": [["OMIM:302900"], ["MONDO:0001046"]]})
    mapping = pd.DataFrame(
        {
            "mondo_id": ["MONDO:0000009", "MONDO:0000009", "MONDO:0001046", "MONDO:0001046"],
            "disease_id": ["OMIM:302800", "ORPHA:9", "OMIM:1", "OMIM:2"],
        }
    )
    found = disease_id_sets(cases, mapping, moved={"OMIM:302900": "OMIM:302800"})
    assert [tuple(r) for r in found.to_numpy()] == [
        ("A:1", "OMIM:302800", "moved", "OMIM:302900"),
        ("A:1", "OMIM:302900", "own", ""),
        ("A:1", "ORPHA:9", "mondo", "MONDO:0000009"),
        ("B:1", "MONDO:0001046", "own", ""),
        ("B:1", "OMIM:1", "mondo", "MONDO:0001046"),
        ("B:1", "OMIM:2", "mondo", "MONDO:0001046"),
    ]


def test_unreachable_cases_are_told_apart():
    cases = pd.DataFrame(
        {
            "case_id": ["A", "B", "C"],
            "causal_gene": ["G1", "G9", "G1"],
            "disease_ids": [["O:1"], ["O:1"], ["O:9", "O:2"]],
        }
    )
    links = pd.DataFrame({"disease_id": ["O:1"], "gene_symbol": ["G1"]})
    table = reachability(cases, ["G1"], ["O:1", "O:2"], links)
    assert table[["gene_known", "disease_known", "link_known"]].to_numpy().tolist() == [
        [True, True, True],
        [False, True, False],
        [True, True, False],
    ]
    assert reachability_counts(table) == {"cases": 3, "gene_missing": 1, "disease_missing": 0, "link_missing": 2}
