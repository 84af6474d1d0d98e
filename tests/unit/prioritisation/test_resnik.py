from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resnik_examples import A, B, C, D, E, diamond, gene_rows, literal_scores, ontologies, term_sets
from scipy.sparse import csr_array

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.annotations import from_genes_to_phenotype
from genoplatform.prioritisation.best_match import Profiles
from genoplatform.prioritisation.resnik import FORMULAS, ResnikScorer, similarity

# Genes g1 {c}, g2 {d}, g3 {a}: IC(a) = IC(b) = ln 3/2, IC(c) = IC(d) = ln 3 (test_information_content).
GENES = gene_rows(("g1", C, "d1"), ("g2", D, "d2"), ("g3", A, "d3"))


def scorer(formula="average_of_means", rows=GENES, graph=None):
    return ResnikScorer.from_knowledge_base(from_genes_to_phenotype(rows, graph or diamond()), formula=formula)


def test_average_of_means_by_hand():
    scores = scorer().score_all([[C, D], [C]])
    half, full = log(3 / 2), log(3)
    # Case {c, d}. g1 {c}: c-c ln 3, d-c IC(b); back c ln 3. g2 the mirror. g3 {a}: c-a IC(a), d-a 0; back IC(a).
    both = 0.5 * ((full + half) / 2 + full)
    assert scores[0] == pytest.approx([both, both, 0.5 * (half / 2 + half)], abs=1e-10)
    assert scores[1] == pytest.approx([full, half, half], abs=1e-10)


def test_pooled_mean_by_hand_differs_when_sides_differ_in_size():
    scores = scorer("pooled_mean").score_all([[C, D]])
    half, full = log(3 / 2), log(3)
    both = (full + half + full) / 3
    assert scores[0] == pytest.approx([both, both, (half + 0 + half) / 3], abs=1e-10)


@settings(max_examples=60, deadline=None)
@given(ontologies(), st.data(), st.sampled_from(FORMULAS))
def test_equals_the_literal_definition_on_random_graphs(graph, data, formula):
    profiles = data.draw(st.dictionaries(st.sampled_from(["g1", "g2", "g3", "g4"]), term_sets(graph, 1), min_size=1))
    cases = data.draw(st.lists(term_sets(graph), min_size=1, max_size=4))
    rows = gene_rows(*((gene, term, "d1") for gene, terms in profiles.items() for term in sorted(terms)))
    tested = scorer(formula, rows, graph)
    scores = tested.score_all([sorted(case) for case in cases])
    for case, row in zip(cases, scores, strict=True):
        expected = literal_scores(graph, profiles, case, formula)
        assert row == pytest.approx([expected[gene] for gene in tested.genes], abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(ontologies(), st.data(), st.sampled_from(FORMULAS))
def test_similarity_is_symmetric_and_a_self_match_scores_its_mean_content(graph, data, formula):
    sets = data.draw(st.lists(term_sets(graph, 1), min_size=2, max_size=5))
    rows = gene_rows(*((f"g{at}", term, "d1") for at, terms in enumerate(sets) for term in sorted(terms)))
    tested = scorer(formula, rows, graph)
    profiles = tested.profiles
    scores = similarity(tested.best_match, profiles.direct, profiles, formula)
    assert np.array_equal(scores, scores.T)
    content = tested.best_match.content.values
    own = [content[[graph.index[term] for term in sorted(terms)]].mean() for terms in sets]
    assert np.diag(scores) == pytest.approx(own, abs=1e-12)
    assert scores.min() >= 0
    assert scores.max() <= content.max() + 1e-12


def test_nothing_depends_on_term_order_repeats_chunks_or_threads():
    rng = np.random.default_rng(7)
    genes = gene_rows(*((f"g{i}", t, "d1") for i in range(30) for t in rng.choice([A, B, C, D, E], 3, False)))
    cases = [list(rng.choice([A, B, C, D, E], rng.integers(0, 5), False)) for _ in range(23)]
    tested = scorer(rows=genes)
    whole = tested.score_all(cases)
    twisted = tested.score_all([[*reversed(case), *case] for case in cases])
    assert np.array_equal(whole, twisted)
    assert np.array_equal(whole, tested.score_all(cases, chunk=4, workers=3))
    one_by_one = np.concatenate([tested.score_all([case]) for case in cases])
    assert np.array_equal(whole, one_by_one)


def test_equal_profiles_tie_to_the_last_bit():
    rows = gene_rows(("x", C, "d1"), ("x", D, "d1"), ("y", D, "d2"), ("y", C, "d2"), ("z", A, "d3"))
    scores = scorer(rows=rows).score_all([[C, D, B]])[0]
    assert scores[0] == scores[1]


def test_unusable_terms_are_counted_and_a_case_without_terms_scores_zero():
    tested = scorer()
    queries = tested.queries([["HP:0000099", D, D], ["HP:9999999"], []])
    assert queries.report == {"terms": 4, "terms_mapped": 1, "terms_dropped": 1, "cases_without_terms": 2}
    assert queries.dropped[["id", "reason"]].to_numpy().tolist() == [["HP:9999999", "unknown"]]
    assert queries.evaluable.tolist() == [True, False, False]
    assert np.array_equal(tested.score(queries.matrix)[0], tested.score_all([[D]])[0])
    assert not tested.score(queries.matrix)[1:].any()


def test_terms_below_every_annotation_match_through_their_ancestors():
    # e has no annotated gene, so its best match with g2 {d} is d itself.
    assert scorer().score_all([[E]])[0] == pytest.approx([log(3 / 2), log(3), 0.0], abs=1e-10)


def test_an_item_without_terms_scores_zero():
    tested = scorer()
    empty = Profiles.from_direct(csr_array((2, 6), dtype=np.int8), tested.best_match.ancestors)
    queries = tested.queries([[C]]).matrix
    assert similarity(tested.best_match, queries, empty, "average_of_means").tolist() == [[0.0, 0.0]]
    assert similarity(tested.best_match, queries, empty, "pooled_mean").tolist() == [[0.0, 0.0]]


def test_unknown_formula_is_refused_by_name():
    with pytest.raises(SettingsError, match="'bma'"):
        scorer("bma")
