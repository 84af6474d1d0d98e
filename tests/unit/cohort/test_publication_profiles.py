"""One case per disease and publication, from annotation rows of our own."""

import pandas as pd
import pytest

from genoplatform.cohort.inputs import CohortOptions, References
from genoplatform.cohort.profiles import publication_profiles, stated_profiles
from genoplatform.errors import BadInputError, EmptyResultError

T = ["HP:0000101", "HP:0000201", "HP:0000300"]
OMIM1, OMIM2, OMIM6 = "OMIM:100001", "OMIM:100002", "OMIM:100006"
GENES = pd.DataFrame(
    [(OMIM1, "AAA"), (OMIM2, "BBB"), (OMIM6, "CCC"), ("OMIM:3", "AAA"), ("OMIM:3", "BBB"), ("OMIM:4", "RNU4-2")],
    columns=["disease_id", "gene_symbol"],
)
CODING = ["AAA", "BBB", "CCC"]
TARGETS = {"neurological": 1, "metabolic": 1, "other": 1}


def rows(*entries):
    """(disease, terms, pmids[, present[, aspect]]) to annotation rows."""
    out = []
    for disease, terms, pmids, *rest in entries:
        present, aspect = (*rest, *(True, "P")[len(rest) :])
        out += [(disease, t, pmids, present, aspect) for t in terms]
    return pd.DataFrame(out, columns=["disease_id", "hpo_id", "pmids", "present", "aspect"])


def build(newer, older, graph, mondo, **changes):
    references = References(older, graph, CODING, *mondo)
    return publication_profiles(newer, GENES, references, targets=TARGETS, options=CohortOptions(**changes))


def test_profiles_pool_the_rows_of_one_disease_and_publication():
    table = stated_profiles(
        rows(
            (OMIM1, ["HP:2", "HP:1"], ["PMID:5", "PMID:6"]),
            (OMIM1, ["HP:1", "HP:3"], ["PMID:5"]),
            (OMIM1, ["HP:1", "HP:4", "HP:4"], ["PMID:5"], False),  # HP:1 is present elsewhere: not excluded
            (OMIM1, ["HP:9"], ["PMID:5"], True, "C"),
            (OMIM1, ["HP:8"], [], True),
            (OMIM1, ["HP:7"], ["PMID:7"], False),  # nothing present: no profile
            ("ORPHA:1", ["HP:1"], ["PMID:5"]),
        )
    )
    assert table.to_dict("records") == [
        {
            "disease_id": OMIM1,
            "source_pmid": "PMID:5",
            "hpo_terms": ["HP:2", "HP:1", "HP:3"],
            "excluded_terms": ["HP:4"],
        },
        {"disease_id": OMIM1, "source_pmid": "PMID:6", "hpo_terms": ["HP:2", "HP:1"], "excluded_terms": []},
    ]


def test_every_filter_is_counted_and_a_case_has_the_whole_schema(graph, mondo):
    newer = rows(
        (OMIM1, T, ["PMID:1"]),
        (OMIM1, T[:2], ["PMID:2"]),
        ("OMIM:9", T, ["PMID:3"]),
        ("OMIM:3", T, ["PMID:4"]),
        ("OMIM:4", T, ["PMID:5"]),
    )
    cohort = build(newer, rows((OMIM1, T, ["PMID:8"])), graph, mondo)
    assert cohort.funnel.to_numpy().tolist() == [
        ["publications", 5, 0, ""],
        ["eligible", 4, 1, "few_terms"],
        ["eligible", 3, 1, "no_gene"],
        ["eligible", 2, 1, "several_genes"],
        ["eligible", 1, 1, "not_protein_coding"],
        ["sample", 1, 0, "not_drawn"],
    ]
    expected = {
        "case_id": "AAA:PMID_1_OMIM_100001",
        "cohort": "publication_profiles",
        "category": "neurological",
        "stratum": "neurological|unexposed",
        "disease_ids": [OMIM1],
        "hpo_terms": T,
        "excluded_terms": [],
        "causal_gene": "AAA",
        "source_pmid": "PMID:1",
        "cluster": "PMID:1",
        "inclusion_probability": 1.0,
        "exposed": 0,
        "rows_total": 3,
        "rows_own_pmid": 0,
        "density": 3,
    }
    row = cohort.cases.iloc[0].to_dict()
    assert {k: row[k] for k in expected} == expected


def test_all_unexposed_and_a_seeded_sample_of_the_exposed(graph, mondo):
    seen = [(OMIM1, T, [f"PMID:{i}"]) for i in range(1, 5)]
    unseen = [(OMIM1, T, [f"PMID:{i}"]) for i in range(5, 8)] + [(OMIM6, T, ["PMID:9"])]
    older = rows(*[(d, t[:1], p) for d, t, p in seen])
    cohort = build(rows(*seen, *unseen), older, graph, mondo)
    cases = cohort.cases
    assert cases["exposed"].sum() == 1
    assert cases.loc[cases["exposed"] == 1, "inclusion_probability"].item() == 0.25
    assert (cases.loc[cases["exposed"] == 0, "inclusion_probability"] == 1).all()
    assert sorted(cases.loc[cases["exposed"] == 0, "source_pmid"]) == ["PMID:5", "PMID:6", "PMID:7", "PMID:9"]
    assert cohort.strata.to_numpy().tolist() == [
        ["neurological|exposed", 4, 1, 0.25],
        ["neurological|unexposed", 3, 3, 1.0],
        ["other|unexposed", 1, 1, 1.0],
    ]
    again = build(rows(*unseen, *seen), older, graph, mondo)
    pd.testing.assert_frame_equal(again.cases, cases)


def test_terms_are_counted_after_resolving(graph, mondo):
    """HP:0000900 is replaced by HP:0000201: two spellings of one term are one term."""
    newer = rows((OMIM1, ["HP:0000201", "HP:0000900", "HP:0000300"], ["PMID:1"]), (OMIM1, T, ["PMID:2"]))
    cohort = build(newer, rows((OMIM1, T, ["PMID:8"])), graph, mondo)
    assert cohort.cases["source_pmid"].tolist() == ["PMID:2"]
    assert cohort.report["replaced_by"] == 1


def test_redundant_terms_are_reported_and_removed_on_request(graph, mondo):
    newer = rows((OMIM1, ["HP:0000100", *T], ["PMID:1"]))
    older = rows((OMIM1, T, ["PMID:8"]))
    kept, reduced = (build(newer, older, graph, mondo, reduce=r) for r in (False, True))
    assert kept.report["redundant-observed"] == reduced.report["redundant-observed"] == 1
    assert kept.cases["hpo_terms"].item() == ["HP:0000100", *T]
    assert reduced.cases["hpo_terms"].item() == T


def test_an_empty_cohort_says_what_the_filters_removed(graph, mondo):
    newer = rows((OMIM1, T[:2], ["PMID:1"]), ("OMIM:9", T, ["PMID:3"]))
    with pytest.raises(EmptyResultError, match=r"no case left of 2 .*1 few_terms; eligible: 1 no_gene"):
        build(newer, newer, graph, mondo)
    with pytest.raises(EmptyResultError, match="no case left of 0"):
        build(rows((OMIM1, T, [])), newer, graph, mondo)


def test_cases_of_a_much_newer_ontology_are_refused(graph, mondo):
    with pytest.raises(BadInputError, match="unknown"):
        build(rows((OMIM1, [*T, "HP:9000001"], ["PMID:1"])), rows((OMIM1, T, ["PMID:8"])), graph, mondo)
