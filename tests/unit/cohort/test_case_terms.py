"""HPO ids of cases against an ontology that is older or newer than they are."""

import pandas as pd
import pytest

from genoplatform.cohort.terms import resolve_terms, term_lookup
from genoplatform.errors import BadInputError


def cases(observed, excluded=()):
    return pd.DataFrame({"case_id": ["A:1"], "hpo_terms": [list(observed)], "excluded_terms": [list(excluded)]})


def test_replaced_terms_are_mapped_in_place_and_lists_stay_free_of_repeats(graph):
    found = resolve_terms(cases(["HP:0000300", "HP:0000900", "HP:0000201", "HP:0000100"]), graph)
    assert found.cases["hpo_terms"].item() == ["HP:0000300", "HP:0000201", "HP:0000100"]
    assert found.changes.to_dict("records") == [
        {"case_id": "A:1", "term": "HP:0000900", "excluded": False, "kind": "replaced_by", "detail": "HP:0000201"}
    ]


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        ("HP:0000901", "obsolete-ambiguous"),
        ("HP:0000902", "obsolete-without-replacement"),
        ("HP:0025811", "unknown"),
        ("HP 12", "malformed"),
        ("HP:0000005", "not-a-phenotype"),
    ],
)
def test_what_cannot_be_used_is_dropped_by_reason_per_case(graph, term, kind):
    found = resolve_terms(cases(["HP:0000100"], [term]), graph, max_unknown_share=1.0)
    assert found.cases["excluded_terms"].item() == []
    assert found.changes[["term", "excluded", "kind"]].iloc[0].tolist() == [term, True, kind]
    assert found.report[f"dropped_{kind}"] == 1
    assert found.report["cases_with_a_dropped_term"] == 1


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("unique", []), ("drop", []), ("first", ["HP:0000201"]), ("all", ["HP:0000201", "HP:0000300"])],
)
def test_ambiguous_replacements_follow_the_declared_policy(graph, policy, expected):
    found = resolve_terms(cases(["HP:0000901"]), graph, obsolete=policy)
    assert found.cases["hpo_terms"].item() == expected
    assert found.report["features"] == 1


def test_too_many_unknown_terms_mean_the_wrong_release(graph):
    with pytest.raises(BadInputError, match="1 of 2 features are unknown"):
        resolve_terms(cases(["HP:0000100", "HP:0025811"]), graph)


def test_lookup_covers_every_id_once(graph):
    table = term_lookup(["HP:0000100", "HP:0000100", "HP:0000900"], graph)
    assert table["status"].tolist() == ["current", "replaced_by"]


def test_cases_without_terms_come_through_with_empty_lists(graph):
    found = resolve_terms(cases([]), graph)
    assert (found.cases["hpo_terms"].item(), found.report["features"]) == ([], 0)
