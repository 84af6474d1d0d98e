"""Contradictions and redundancy inside a case, cases with nothing to rank on, labels that drift."""

import pandas as pd
import pytest

from genoplatform.cohort.term_issues import (
    issue_counts,
    label_drift,
    profile_issues,
    profile_status,
    reduce_profiles,
)

SEIZURE, FOCAL, MOTOR, OTHER = "HP:0000100", "HP:0000101", "HP:0000102", "HP:0000300"


def cases(observed, excluded=()):
    return pd.DataFrame({"case_id": ["A:1"], "hpo_terms": [list(observed)], "excluded_terms": [list(excluded)]})


def found(graph, observed, excluded=()):
    return [tuple(r) for r in profile_issues(cases(observed, excluded), graph)[["kind", "term", "other"]].to_numpy()]


@pytest.mark.parametrize(
    ("observed", "excluded", "expected"),
    [
        ([FOCAL], [SEIZURE], [("excluded-ancestor", FOCAL, SEIZURE)]),
        ([FOCAL], [FOCAL], [("observed-and-excluded", FOCAL, FOCAL)]),
        ([SEIZURE, MOTOR], [], [("redundant-observed", SEIZURE, MOTOR)]),
        ([], [SEIZURE, MOTOR], [("redundant-excluded", MOTOR, SEIZURE)]),
        ([SEIZURE], [FOCAL], []),  # seizures, but not focal ones: consistent
        ([FOCAL, OTHER], [], []),
    ],
)
def test_each_kind(graph, observed, excluded, expected):
    assert found(graph, observed, excluded) == expected


def test_reduction_keeps_the_most_specific_observed_and_the_most_general_excluded(graph):
    table = cases([SEIZURE, MOTOR, OTHER, FOCAL], ["HP:0000201", "HP:0000200"])
    reduced = reduce_profiles(table, profile_issues(table, graph))
    assert reduced["hpo_terms"].item() == [MOTOR, OTHER]
    assert reduced["excluded_terms"].item() == ["HP:0000200"]


def test_a_contradiction_is_reported_and_left_as_stated(graph):
    table = cases([FOCAL], [SEIZURE])
    issues = profile_issues(table, graph)
    assert issue_counts(issues) == {"excluded-ancestor": 1}
    pd.testing.assert_frame_equal(reduce_profiles(table, issues), table)


def test_cases_that_cannot_be_ranked_have_a_status_not_a_rank():
    stated = pd.DataFrame(
        {"case_id": list("ABCD"), "hpo_terms": [["x"], [], [], ["gone"]], "excluded_terms": [[], [], ["y"], []]}
    )
    resolved = stated.assign(hpo_terms=[["x"], [], [], []])
    assert profile_status(resolved, stated)["status"].tolist() == [
        "evaluable",
        "not-evaluable-no-feature",
        "not-evaluable-excluded-only",
        "not-evaluable-no-known-term",
    ]


def test_an_id_with_two_labels_is_information_only():
    features = pd.DataFrame({"hpo_id": ["HP:1", "HP:1", "HP:1", "HP:2", "HP:2"], "label": ["b", "a", "a", "c", ""]})
    assert label_drift(features).to_dict("records") == [{"hpo_id": "HP:1", "labels": ["a", "b"], "n_features": 3}]
