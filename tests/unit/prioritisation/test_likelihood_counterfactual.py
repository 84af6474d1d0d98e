from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likelihood_examples import DOMINANT, A, B, C, D, E, F, G, links, rows, small_graph

from genoplatform.prioritisation.likelihood import CitedRows, LikelihoodCounterfactual, LikelihoodRanker
from genoplatform.prioritisation.likelihood.log_ratios import LogRatios

GENES = links(g1="OMIM:1", g2="OMIM:2", g3="OMIM:3 OMIM:1")
DISEASES = ["OMIM:1", "OMIM:2", "OMIM:3"]
# Keeps a disease in the release when every phenotype row of it is gone.
KEEP = [(disease, DOMINANT, "") for disease in DISEASES]
CASES = pd.DataFrame(
    {
        "case_id": ["one", "two", "none", "unknown"],
        "causal_gene": ["g1", "g2", "g9", "g3"],
        "source_pmid": ["PMID:1", "PMID:2", "", "PMID:404"],
        "disease_ids": [["OMIM:1"], ["OMIM:3"], ["OMIM:1"], []],
    }
)
OBSERVED = [[B, F], [A, G], [D], [E, C]]
EXCLUDED = [[C], [], [B], [G]]

ANNOTATED = rows(
    ("OMIM:1", B, "1/2", ["PMID:1"]),
    ("OMIM:1", F, "3/4", ["PMID:1", "PMID:2"]),
    ("OMIM:2", B, "1/1", ["PMID:1"]),
    ("OMIM:2", G, "1/1", ["PMID:3"]),
    ("OMIM:3", C, "1/1", ["PMID:2"]),
    ("OMIM:3", C, "0/1", []),
    *KEEP,
)


def reduced(table, pmid, diseases):
    """The rows without the publication."""
    gone = table["pmids"].map(lambda pmids: pmid in pmids)
    if diseases is not None:
        gone &= table["disease_id"].isin(diseases)
    return table[~gone].reset_index(drop=True)


def scores(table, scope, background, chunk=2):
    ranker = LikelihoodRanker.from_rows(table, GENES, small_graph())
    made = LikelihoodCounterfactual.from_rows(ranker, table, scope=scope, background=background)
    queries = ranker.queries(OBSERVED, EXCLUDED)
    return np.concatenate([block for _, block in made.iter_scores(CASES, queries, chunk=chunk)])


def rebuilt(table, scope, background):
    """Each case against a ranker made of what is left."""
    full = LikelihoodRanker.from_rows(table, GENES, small_graph())
    out = []
    for at, case in CASES.iterrows():
        left = reduced(table, case["source_pmid"], case["disease_ids"] if scope == "own_disease" else None)
        ranker = LikelihoodRanker.from_rows(left, GENES, small_graph())
        if background == "fixed":
            model = replace(ranker.model, background=full.model.background)
            ranker = replace(ranker, log_ratios=LogRatios(model))
        out.append(ranker.score(ranker.queries([OBSERVED[at]], [EXCLUDED[at]]))[0])
    return np.array(out)


@pytest.mark.parametrize("scope", ["all_diseases", "own_disease"])
@pytest.mark.parametrize("background", ["fixed", "recomputed"])
@settings(max_examples=5, deadline=None)
@given(st.data())
def test_equals_a_ranker_made_without_the_publication(scope, background, data):
    row = st.tuples(
        st.sampled_from(DISEASES),
        st.sampled_from([A, B, C, D, E, F, G]),
        st.sampled_from(["", "1/2", "0/3", "HP:0040283"]),
        st.lists(st.sampled_from(["PMID:1", "PMID:2"]), unique=True),
    )
    table = rows(*data.draw(st.lists(row, min_size=1, max_size=12)), *KEEP)
    made, expected = scores(table, scope, background), rebuilt(table, scope, background)
    np.testing.assert_allclose(made, expected, rtol=1e-9, atol=1e-12)


def test_by_hand():
    """Without PMID:1 OMIM:1 has lost both rows: b and f are .01 each, only the root in common; the background of b,
    fixed, does not matter then. OMIM:3 has c in 1 of 2, next to b below a: .5/10 over the background of a,
    (.5 + 1 + .5)/3 = 2/3, is .075; f is .01. Excluded c: 1/(1 - .5/3) = 1.2 and (1 - .5) * 1.2 = .6."""
    ranker = LikelihoodRanker.from_rows(ANNOTATED, GENES, small_graph())
    made = LikelihoodCounterfactual.from_rows(ranker, ANNOTATED)
    (_, block), *_ = made.iter_scores(CASES[:1], ranker.queries(OBSERVED[:1], EXCLUDED[:1]))
    first, third = 0.01 * 0.01 * 1.2, 0.075 * 0.01 * 0.6
    np.testing.assert_allclose(block[0, [0, 2]], np.log10([first, max(first, third)]))


def test_cases_without_a_cited_publication_keep_their_scores():
    ranker = LikelihoodRanker.from_rows(ANNOTATED, GENES, small_graph())
    before = ranker.score(ranker.queries(OBSERVED, EXCLUDED))
    for background in ("fixed", "recomputed"):
        after = scores(ANNOTATED, "all_diseases", background)
        np.testing.assert_array_equal(before[2:], after[2:])
        assert (before[:2] != after[:2]).any(axis=1).all()


def test_chunks_change_nothing():
    for background in ("fixed", "recomputed"):
        np.testing.assert_array_equal(
            scores(ANNOTATED, "own_disease", background, 1), scores(ANNOTATED, "own_disease", background, 4)
        )


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("all_diseases", [("one", 3, 2, 1, 2, 2), ("two", 2, 2, 0, 2, 0)]),
        ("own_disease", [("one", 2, 1, 1, 2, 2), ("two", 1, 1, 0, 2, 0)]),
    ],
)
def test_summary(scope, expected):
    """PMID:1: two rows of OMIM:1 (all it has) and one of OMIM:2; PMID:2: one row each of OMIM:1 and OMIM:3."""
    ranker = LikelihoodRanker.from_rows(ANNOTATED, GENES, small_graph())
    table = LikelihoodCounterfactual.from_rows(ranker, ANNOTATED, scope=scope).summary(CASES)
    assert list(table.columns) == [
        "case_id", "rows_removed", "diseases_affected", "diseases_emptied", "causal_rows", "causal_rows_removed"
    ]  # fmt: skip
    assert [tuple(row) for row in table.values.tolist()] == [
        *expected, ("none", 0, 0, 0, 0, 0), ("unknown", 0, 0, 0, 4, 0)
    ]  # fmt: skip


def test_a_row_citing_two_publications_goes_with_either():
    cited = CitedRows.from_rows(ANNOTATED["pmids"], np.array([0, 0, 1, 1, 2, 2, 0, 1, 2]), DISEASES)
    assert {pmid: found.tolist() for pmid, found in cited.citing.items()} == {
        "PMID:1": [0, 1, 2],
        "PMID:2": [1, 4],
        "PMID:3": [3],
    }
    assert cited.removed(("PMID:2", ("OMIM:1",))).tolist() == [1]
