"""Diseases of test_likelihood_ratios.py:

OMIM:1  b in 1 of 2
OMIM:2  d in 0 of 5, g always
OMIM:3  f in 1 of 4
OMIM:4  only an inheritance
"""

import numpy as np
import pandas as pd
import pytest
from likelihood_examples import DOMINANT, A, B, C, D, F, G, H, links, rows, small_graph

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.prioritisation.likelihood import GeneDiseases, LikelihoodRanker, post_test_probability
from genoplatform.prioritisation.ranking import rank_all_genes

FOUR = rows(
    ("OMIM:1", B, "1/2"), ("OMIM:2", D, "0/5"), ("OMIM:2", G, ""), ("OMIM:3", F, "1/4"), ("OMIM:4", DOMINANT, "")
)
GENES = links(one="OMIM:1", two="OMIM:2", three="OMIM:3 OMIM:4", both="OMIM:2 OMIM:1", twin="OMIM:1", other="ORPHA:9")


@pytest.fixture
def ranker():
    return LikelihoodRanker.from_rows(FOUR, GENES, small_graph())


def test_product_over_observed_terms(ranker):
    """b: 4, 0, .01, .01 and g: .01 (only the root), 1/.25, .25/2/.25, .01."""
    scores = ranker.disease_scores(ranker.queries([[B, G]]))
    assert scores[0, 1] == -np.inf
    expected = [4 * 0.01, 0.01 * 0.5, 0.01 * 0.01]
    np.testing.assert_allclose(scores[0, [0, 2, 3]], np.log10(expected))


def test_excluded_terms_multiply_in(ranker):
    """Not a: (1 - .5)/(1 - .125), 1000 (d is absent), then twice 1/(1 - .125)."""
    scores = ranker.disease_scores(ranker.queries([[G]], [[A]]))
    expected = [0.01 * 0.5 / 0.875, 4 * 1000, 0.5 / 0.875, 0.01 / 0.875]
    np.testing.assert_allclose(scores[0], np.log10(expected))
    only = ranker.disease_scores(ranker.queries([[G]]))
    np.testing.assert_allclose(only[0], np.log10([0.01, 4, 0.5, 0.01]))


def test_a_gene_scores_as_its_best_disease(ranker):
    """b: OMIM:1 4, OMIM:2 impossible, OMIM:3 and 4 .01."""
    assert ranker.genes == ["both", "one", "three", "twin", "two"]
    scores = ranker.score(ranker.queries([[B]]))
    np.testing.assert_allclose(scores[0, :4], np.log10([4, 4, 0.01, 4]))
    assert scores[0, 4] == -np.inf


def test_one_impossible_term_outweighs_every_other(ranker):
    """b makes OMIM:2 impossible; excluded a, worth 1000 there, does not bring it back, and no score is NaN."""
    scores = ranker.disease_scores(ranker.queries([[B, G]], [[A]]))
    assert scores[0, 1] == -np.inf
    assert not np.isnan(scores).any()


@pytest.mark.parametrize(
    ("rule", "ranks"),
    [
        ("mean", {"one": 2.0, "two": 5.0, "three": 4.0}),
        ("best", {"one": 1.0, "two": 5.0, "three": 4.0}),
        ("worst", {"one": 3.0, "two": 5.0, "three": 4.0}),
        ("alphabetical", {"one": 2.0, "two": 5.0, "three": 4.0}),
    ],
)
def test_ranks_under_each_tie_rule(ranker, rule, ranks):
    """b scores both, one and twin alike; two is impossible and still ranked, last; an unknown gene is not."""
    causal = [*ranks, "unheard"]
    cases = pd.DataFrame({"case_id": [f"case{i}" for i in range(4)], "causal_gene": causal})
    chunks = ranker.iter_scores(ranker.queries([[B]] * 4), chunk=3)
    table = rank_all_genes(chunks, ranker.genes, cases, system="M", tie_rules=[rule])
    assert dict(zip(causal[:3], table["rank"], strict=False)) == ranks
    assert np.isnan(table["rank"].iloc[3])


def test_repeated_unknown_and_old_terms(ranker):
    queries = ranker.queries([[G, "HP:2000000", G, "HP:9999999"], [], [G]], [[], [A], []])
    scores = ranker.score(queries)
    np.testing.assert_array_equal(scores[0], scores[2])
    assert queries.evaluable.tolist() == [True, True, True]
    assert ranker.queries([[], [B]]).evaluable.tolist() == [False, True]
    assert queries.observed.report["terms_dropped"] == 1


def test_chunks_change_nothing(ranker):
    queries = ranker.queries([[B], [G, A], [], [C, H, F]], [[A], [], [D], [B]])
    parts = list(ranker.iter_scores(queries, chunk=3))
    assert [part for part, _ in parts] == [slice(0, 3), slice(3, 4)]
    np.testing.assert_array_equal(np.concatenate([block for _, block in parts]), ranker.score(queries))


def test_lists_of_different_length_are_an_error(ranker):
    with pytest.raises(BadInputError, match="1 cases with observed, 2 with excluded"):
        ranker.queries([[A]], [[], []])


def test_explanation_of_a_score(ranker):
    table = ranker.explain([G, B], [A], "OMIM:1")
    assert table[["hpo_id", "excluded", "rule"]].values.tolist() == [
        [B, False, "EXACT_MATCH"],
        [G, False, "NO_MATCH_BELOW_ROOT"],
        [A, True, "EXCLUDED_QUERY_TERM_PRESENT_IN_DISEASE"],
    ]
    total = ranker.disease_scores(ranker.queries([[G, B]], [[A]]))[0, 0]
    assert np.log10(table["ratio"]).sum() == pytest.approx(total)
    with pytest.raises(BadInputError, match="OMIM:9"):
        ranker.explain([G], [], "OMIM:9")


def test_post_test_probability():
    """Prior odds 1/99: ratio 99 makes it even; ratio 0 impossible; far beyond double precision it is 1."""
    scores = np.array([np.log10(99), -np.inf, 0.0, 400.0])
    np.testing.assert_allclose(post_test_probability(scores, 100), [0.5, 0.0, 0.01, 1.0])


def test_links_to_no_ranked_disease_are_an_error():
    with pytest.raises(EmptyResultError):
        GeneDiseases.from_links(links(g="ORPHA:1"), ["OMIM:1"])


def test_diseases_of_a_gene():
    genes = GeneDiseases.from_links(GENES, ["OMIM:1", "OMIM:2", "OMIM:3", "OMIM:4"])
    assert {gene: genes.diseases_of(gene).tolist() for gene in ["both", "three", "two", "other", "zzz"]} == {
        "both": [0, 1],
        "three": [2, 3],
        "two": [1],
        "other": [],
        "zzz": [],
    }
