"""Each rule on four diseases:

    OMIM:1  b in 1 of 2
    OMIM:2  d in 0 of 5, g always
    OMIM:3  f in 1 of 4
    OMIM:4  only an inheritance

Background, summed over the four and divided by 4: a and b .5/4 = .125; c, d, d1, e 0 -> .0001; g 1/4 = .25;
f (1 + .25)/4 = .3125.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likelihood_examples import (
    ALL,
    D1,
    DOMINANT,
    Q3,
    ROOT,
    SEVERITY,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    LiteralRatios,
    T,
    links,
    rooted_ontologies,
    rows,
    small_graph,
)

from genoplatform.prioritisation.likelihood import LikelihoodRanker
from genoplatform.prioritisation.likelihood.ratios import Rule

FOUR = rows(
    ("OMIM:1", B, "1/2"), ("OMIM:2", D, "0/5"), ("OMIM:2", G, ""), ("OMIM:3", F, "1/4"), ("OMIM:4", DOMINANT, "")
)
ANY_GENE = links(g="OMIM:1")


def model_of(table, graph=None):
    return LikelihoodRanker.from_rows(table, ANY_GENE, graph or small_graph()).model


def observed(term, disease, table=FOUR):
    model = model_of(table)
    ratios = model.observed(model.graph.index[term])
    return ratios.values[disease - 1], Rule(int(ratios.rules[disease - 1])).name


def excluded(term, disease, table=FOUR):
    model = model_of(table)
    ratios = model.excluded(model.graph.index[term])
    return ratios.values[disease - 1], Rule(int(ratios.rules[disease - 1])).name


def test_background():
    model = model_of(FOUR)
    at = model.graph.index
    expected = {A: 0.125, B: 0.125, C: 1e-4, D: 1e-4, G: 0.25, F: 0.3125, ROOT: 0.4375}
    assert {t: model.background.floored[at[t]] for t in expected} == expected
    assert model.background.raw[at[D]] == 0


@pytest.mark.parametrize("term", [D, D1])
def test_observed_1_a_term_that_the_disease_does_not_have(term):
    """OMIM:2 has no d, hence no d1."""
    assert observed(term, 2) == (0.001, "QUERY_TERM_PRESENT_BUT_EXCLUDED_IN_DISEASE")


def test_observed_2_exact_match():
    assert observed(B, 1) == (0.5 / 0.125, "EXACT_MATCH")


def test_observed_2_comes_before_a_more_frequent_descendant():
    """b in 1 of 2 and d, below it, in all: background of b (1 + 0)/2 = .5, the ratio uses b's own frequency."""
    table = rows(("OMIM:1", B, "1/2"), ("OMIM:1", D, ""), ("OMIM:2", G, ""))
    assert observed(B, 1, table) == (0.5 / 0.5, "EXACT_MATCH")


def test_observed_3_a_more_special_annotation():
    assert observed(A, 1) == (0.5 / 0.125, "DISEASE_TERM_SUBCLASS_OF_QUERY")
    assert observed(F, 2) == (1 / 0.3125, "DISEASE_TERM_SUBCLASS_OF_QUERY")


def test_observed_3_is_zero_where_all_more_special_annotations_are_absent():
    assert observed(B, 2) == (0.0, "DISEASE_TERM_SUBCLASS_OF_QUERY")


def test_observed_4_an_annotated_parent_is_shared_out_among_its_children():
    """b has two children: .5/2 = .25 over the floor .0001; f has two children: .25/2 = .125 over .25."""
    assert observed(E, 1) == (pytest.approx(2500), "QUERY_TERM_SUBCLASS_OF_DISEASE_TERM")
    assert observed(G, 3) == (0.5, "QUERY_TERM_SUBCLASS_OF_DISEASE_TERM")


def test_observed_4_a_common_term_has_a_chance_of_its_own():
    """f in 1 of 100, 1/100/2 = .005 for g. Background of g 1/2 (OMIM:2 has it): chance of g
    .5 * (.002 + .49 * .098/.09) = .267777..., more than .005; over .5."""
    table = rows(("OMIM:1", F, "1/100"), ("OMIM:2", G, ""))
    value, rule = observed(G, 1, table)
    assert value == pytest.approx(0.5 * (0.002 + 0.49 * 0.098 / 0.09) / 0.5)
    assert value == pytest.approx(0.5355555556)
    assert rule == "QUERY_TERM_SUBCLASS_OF_DISEASE_TERM"


def test_observed_5_a_common_ancestor():
    """c and b meet in a, one step above b: .5/10 over .125."""
    assert observed(C, 1) == (pytest.approx(0.4), "NON_ROOT_COMMON_ANCESTOR")


def test_observed_5_an_annotated_grandparent_is_no_parent():
    """d1 under d under b: b itself is only an annotation; the walk from d1 goes on to a."""
    assert observed(D1, 1) == (pytest.approx(0.4), "NON_ROOT_COMMON_ANCESTOR")


def test_observed_5_is_never_below_a_hundredth():
    """d is two steps below a: .01 * .01 over background of a .005 is .02; with frequency .001 it is .01 at least.
    An absent annotation carries 0."""
    assert observed(C, 1, rows(("OMIM:1", D, "1/100"), ("OMIM:2", G, "")))[0] == pytest.approx(0.02)
    assert observed(C, 1, rows(("OMIM:1", D, "1/1000"), ("OMIM:2", A, "")))[0] == 0.01
    assert observed(C, 2) == (0.01, "NON_ROOT_COMMON_ANCESTOR")


def test_observed_5_walks_past_the_root():
    """From t the walk meets p, q2, the root (above p), q1. The root is shared but does not count; q1, met after it,
    does: one step above q3, frequency 1, background 1/2: .1/.5.

    The published program: HP:0003212 in OMIM:266500 is .0358 through HP:0001939, met after the root.
    """
    table = rows(("OMIM:1", Q3, ""), ("OMIM:2", A, ""))
    assert observed(T, 1, table) == (pytest.approx(0.2), "NON_ROOT_COMMON_ANCESTOR")


def test_observed_5_meets_what_is_outside_the_phenotypes_at_the_top():
    """A modifier is two steps below the top: 1/100 over background 1 is .01, by rule 5 and not 6."""
    table = rows(("OMIM:1", SEVERITY, ""), ("OMIM:1", A, ""))
    assert observed(H, 1, table) == (0.01, "NON_ROOT_COMMON_ANCESTOR")
    assert ALL in model_of(table).graph.index


def test_observed_6_only_the_root_in_common():
    assert observed(H, 1) == (0.01, "NO_MATCH_BELOW_ROOT")
    assert observed(H, 4) == (0.01, "NO_MATCH_BELOW_ROOT")


@pytest.mark.parametrize("term", [D, B, A])
def test_excluded_1_absent_in_the_disease_too(term):
    assert excluded(term, 2) == (1000.0, "EXCLUDED_QUERY_TERM_EXCLUDED_IN_DISEASE")


def test_excluded_2_a_term_of_every_disease_says_nothing():
    table = rows(("OMIM:1", A, ""), ("OMIM:2", A, ""))
    assert excluded(A, 1, table) == (1.0, "EXCLUDED_QUERY_TERM_UBIQUITOUS")


def test_excluded_3_not_mentioned_by_the_disease():
    assert excluded(A, 3) == (1 / (1 - 0.125), "EXCLUDED_QUERY_TERM_NOT_PRESENT_IN_DISEASE")
    assert excluded(C, 1) == (1 / (1 - 1e-4), "EXCLUDED_QUERY_TERM_NOT_PRESENT_IN_DISEASE")


def test_excluded_4_present_in_the_disease():
    """(1 - .5)/(1 - .125), and .01/(1 - .25) where every patient has it."""
    assert excluded(A, 1) == (pytest.approx(0.5714285714), "EXCLUDED_QUERY_TERM_PRESENT_IN_DISEASE")
    assert excluded(G, 2) == (pytest.approx(0.0133333333), "EXCLUDED_QUERY_TERM_PRESENT_IN_DISEASE")


FREQUENCIES = ["0/3", "1/8", "1/2", "1/1"]  # powers of two: single precision is exact


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_ratio_by_the_rules_one_at_a_time(data):
    graph = data.draw(rooted_ontologies())
    pairs = st.tuples(st.sampled_from(["OMIM:1", "OMIM:2", "OMIM:3"]), st.sampled_from(graph.ids))
    chosen = data.draw(st.lists(pairs, unique=True, min_size=1, max_size=12))
    named = [(disease, term, data.draw(st.sampled_from(FREQUENCIES))) for disease, term in chosen]
    table = rows(*named)
    diseases: dict[str, dict[str, float]] = {}
    for disease, term, value in zip(table["disease_id"], table["hpo_id"], table["frequency_value"], strict=True):
        diseases.setdefault(disease, {})[term] = value
    ranker = LikelihoodRanker.from_rows(table, links(g=chosen[0][0]), graph)
    literal = LiteralRatios(graph, diseases)
    for term, at in graph.index.items():
        expected = [literal.observed(disease, term) for disease in ranker.diseases]
        np.testing.assert_allclose(ranker.model.observed(at).values, expected, rtol=1e-12)
        expected = [literal.excluded(disease, term) for disease in ranker.diseases]
        np.testing.assert_allclose(ranker.model.excluded(at).values, expected, rtol=1e-12)
