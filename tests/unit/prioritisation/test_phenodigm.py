"""Term contents are given in bits, so that every score below can be worked out by hand on the small ontology."""

from itertools import product
from math import log2, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likelihood_examples import ALL, D1, ROOT, A, B, C, D, F, G, links, rooted_ontologies, rows, small_graph
from scipy.sparse import csr_array

from genoplatform.errors import EmptyResultError, SettingsError
from genoplatform.prioritisation.phenodigm import PhenodigmRanker, TermSimilarity, model_rows
from genoplatform.prioritisation.phenodigm.scores import ModelScores, largest_by_model
from genoplatform.prioritisation.ranking import rank_all_genes

GRAPH = small_graph()
CONTENT = {ALL: 0.0, ROOT: 0.0, A: 2.5, B: 4.0, C: 5.0, D: 6.0, F: 2.4, G: 9.0}


def similarity():
    content = np.array([CONTENT.get(term, 0.0) for term in GRAPH.ids])
    return TermSimilarity.from_graph(GRAPH, content)


def pairs(term):
    terms, scores = similarity().matches(GRAPH.index[term])
    return {GRAPH.ids[t]: s for t, s in zip(terms, scores, strict=True)}


def matrix(*sets):
    """Term sets as rows of ones."""
    made = np.zeros((len(sets), len(GRAPH.ids)))
    for at, terms in enumerate(sets):
        made[at, [GRAPH.index[t] for t in terms]] = 1
    return csr_array(made)


def test_similarity_of_two_terms():
    """Ancestors of b: all, root, a, b; of c: all, root, a, c. In common 3 of 5, best common a: sqrt(3/5 * 2.5)."""
    scores = pairs(B)
    assert scores[C] == pytest.approx(sqrt(3 / 5 * 2.5))
    assert scores[B] == pytest.approx(sqrt(4.0))
    assert scores[A] == pytest.approx(sqrt(3 / 4 * 2.5))
    assert scores[D] == pytest.approx(sqrt(4 / 5 * 4.0))


def test_a_common_ancestor_below_the_smallest_content_is_no_match():
    """f has 2.4 bits: below it only g matches itself, and f matches nothing."""
    assert pairs(F) == {}
    assert pairs(G) == {G: pytest.approx(3.0)}


def test_a_term_without_content_meets_itself_in_its_ancestors():
    """d1 is in no annotation: with itself all ancestors are common, and the best of them is d."""
    assert pairs(D1)[D1] == pytest.approx(sqrt(6.0))
    assert pairs(D1)[D] == pytest.approx(sqrt(5 / 6 * 6.0))


def test_semi_symmetric_score():
    """Query {b, g} against the model {c, f}: forward b 1.2247 (c), g 0; backward c 1.2247, f does not match and is
    left out. Largest 1.2247, mean (1.2247 + 0 + 1.2247)/(2 + 1). Perfect: b 2, g 3: largest 3, mean 2.5."""
    best = sqrt(1.5)
    scores = ModelScores.from_models(similarity(), matrix({C, F})).scores(matrix({B, G}))
    assert scores[0, 0] == pytest.approx((best / 3 + (2 * best / 3) / 2.5) / 2)


def test_a_perfect_model_scores_one_and_no_score_is_more():
    """A model of fewer but better matched terms would go beyond 1: query {a, d}, model {d}: forward a sqrt(3/5 * 2.5)
    and d sqrt(6), backward d sqrt(6): mean (1.2247 + 2 * 2.4495)/3 = 2.0412, more than the perfect mean,
    (1.5811 + 2.4495)/2 = 2.0153."""
    scores = ModelScores.from_models(similarity(), matrix({B, G}, {D}, {F})).scores(matrix({B, G}, {A, D}))
    assert scores[0, 0] == pytest.approx(1.0)
    assert scores[1, 1] == 1.0
    assert scores[0, 2] == 0.0


def test_cases_without_a_telling_term_score_zero():
    scores = ModelScores.from_models(similarity(), matrix({B, G}, set())).scores(matrix({F}, set(), {B}))
    assert scores[:2].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert scores[2, 0] > 0
    assert scores[2, 1] == 0.0


def test_largest_value_by_model():
    """Five models of three terms; the first two terms have a value."""
    models = csr_array(np.array([[0, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]]))
    made = largest_by_model(csr_array(models.T), np.array([0, 1]), np.array([3.0, 2.0]))
    assert made.tolist() == [0, 3, 2, 0, 3]


ANNOTATED = rows(
    ("OMIM:1", A, ""),
    ("OMIM:1", B, "NOT"),
    ("OMIM:1", C, "0/7"),
    ("OMIM:1", D, "HP:0040285"),
    ("OMIM:1", D, "NOT 0/7"),
    ("OMIM:1", F, "NOT 3/7"),
    ("ORPHA:2", G, "HP:0040284"),
    ("OMIM:3", "HP:2000000", "1/2"),
    ("OMIM:3", G, ""),
)


@pytest.mark.parametrize(("policy", "first"), [("every", {A, B, C, D, F}), ("nonzero", {A, B, F}), ("present", {A})])
def test_rows_that_make_a_model(policy, first):
    used = model_rows(ANNOTATED, ["ORPHA:2", "OMIM:1", "OMIM:9"], GRAPH, policy)
    assert used.diseases == ["OMIM:1", "ORPHA:2", "OMIM:3"]
    assert used.n_linked == 2
    models = used.matrix(len(GRAPH.ids))
    assert [{GRAPH.ids[t] for t in models[[i]].indices} for i in range(3)] == [first, {G}, {G}]
    assert set(models.data) == {1.0}


def test_bad_choices_are_errors():
    with pytest.raises(SettingsError, match="present"):
        model_rows(ANNOTATED, [], GRAPH, "some")
    with pytest.raises(EmptyResultError):
        model_rows(rows(("OMIM:1", A, "NOT")), ["OMIM:1"], GRAPH)
    with pytest.raises(SettingsError, match="diseases or genes"):
        PhenodigmRanker.from_rows(ANNOTATED, links(g="OMIM:1"), GRAPH, corpus="patients")


def test_content_over_diseases_or_genes():
    """a in one of two diseases and one of two genes; g in one disease but both genes. In bits."""
    table = rows(("OMIM:1", A, ""), ("OMIM:2", G, ""), ("OMIM:3", G, ""), ("OMIM:3", A, ""), ("OMIM:4", F, ""))
    genes = links(g1="OMIM:1 OMIM:2", g2="OMIM:3")
    bits = {
        corpus: PhenodigmRanker.from_rows(table, genes, GRAPH, corpus=corpus).models.similarity.content
        for corpus in ("diseases", "genes")
    }
    at = [GRAPH.index[t] for t in (A, G, F, ALL)]
    np.testing.assert_allclose(bits["diseases"][at], [1.0, 1.0, log2(4 / 3), 0.0], atol=1e-10)
    np.testing.assert_allclose(bits["genes"][at], [0.0, 0.0, 0.0, 0.0], atol=1e-10)


def test_genes_of_one_disease_tie():
    table = rows(("OMIM:1", B, ""), ("OMIM:2", G, ""), *((f"OMIM:{i}", F, "") for i in range(3, 20)))
    genes = links(one="OMIM:1", twin="OMIM:1", two="OMIM:2")
    ranker = PhenodigmRanker.from_rows(table, genes, GRAPH)
    queries = ranker.queries([[B]] * 3)
    cases = pd.DataFrame({"case_id": ["a", "b", "c"], "causal_gene": ["twin", "two", "none"]})
    table = rank_all_genes(ranker.iter_scores(queries, chunk=2), ranker.genes, cases, system="K")
    assert table["rank"].tolist()[:2] == [1.5, 3.0]
    assert table["tied"].tolist() == [2, 1, 0]


def literal(graph, content, query, model):
    """The definitions, pair by pair."""
    above = {t: {u for u in graph.ids if graph.is_a(t, u)} for t in graph.ids}

    def score(q, t):
        best = max(content[u] for u in above[q] & above[t]) if above[q] & above[t] else 0.0
        return sqrt(len(above[q] & above[t]) / len(above[q] | above[t]) * best) if best >= 2.5 else 0.0

    pair = {(q, t): score(q, t) for q, t in product(query, graph.ids)}
    best = [max(pair[q, t] for t in graph.ids) for q in query]
    matched = [t for t in model if any(pair[q, t] > 0 for q in query)]
    if not matched:
        return 0.0
    forward = [max(pair[q, t] for t in matched) for q in query]
    backward = [max(pair[q, t] for q in query) for t in matched]
    mean = (sum(forward) + sum(backward)) / (len(query) + len(matched))
    return min((max(forward + backward) / max(best) + mean / (sum(best) / len(query))) / 2, 1.0)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_scores_by_the_definitions(data):
    graph = data.draw(rooted_ontologies())
    sets = st.sets(st.sampled_from(graph.ids), min_size=1, max_size=5)
    bits = st.sampled_from([0.0, 2.0, 2.5, 3.0, 7.5])
    content = np.array(data.draw(st.lists(bits, min_size=len(graph.ids), max_size=len(graph.ids))))
    models, query = data.draw(st.lists(sets, min_size=1, max_size=4)), sorted(data.draw(sets))
    made = np.zeros((len(models) + 1, len(graph.ids)))
    for at, terms in enumerate([*models, query]):
        made[at, [graph.index[t] for t in terms]] = 1
    scorer = ModelScores.from_models(TermSimilarity.from_graph(graph, content), csr_array(made[:-1]))
    expected = [literal(graph, dict(zip(graph.ids, content, strict=True)), query, model) for model in models]
    np.testing.assert_allclose(scorer.scores(csr_array(made[-1:]))[0], expected, atol=1e-12)
