import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.errors import BadInputError
from genoplatform.ontology import OntologyGraph


def tables(parents: dict[str, list[str]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    terms = pd.DataFrame({"id": list(parents), "name": [f"term {t}" for t in parents], "obsolete": False})
    for column in ("replaced_by", "consider", "alt_ids"):
        terms[column] = [[] for _ in parents]
    rows = [(c, p, i) for c, ps in parents.items() for i, p in enumerate(ps)]
    return terms, pd.DataFrame(rows, columns=["child", "parent", "order"])


DIAMOND = {"T:1": [], "T:2": ["T:1"], "T:3": ["T:1"], "T:4": ["T:3", "T:2"], "T:5": ["T:4"]}


@pytest.fixture
def diamond() -> OntologyGraph:
    return OntologyGraph.from_tables(*tables(DIAMOND))


def test_ancestors_are_reflexive_and_transitive(diamond):
    assert diamond.ancestors.toarray().astype(int).tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 0, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]
    assert diamond.ancestors.dtype == bool


def test_descendants_and_is_a(diamond):
    assert diamond.descendants("T:3") == {"T:3", "T:4", "T:5"}
    assert diamond.descendants("T:5") == {"T:5"}
    assert diamond.is_a("T:5", "T:2")
    assert diamond.is_a("T:2", "T:2")
    assert not diamond.is_a("T:2", "T:3")


def test_direct_neighbours(diamond):
    assert diamond.parents_in_order(diamond.index["T:4"]) == [diamond.index["T:3"], diamond.index["T:2"]]
    assert diamond.parents_in_order(diamond.index["T:1"]) == []
    assert diamond.children_count.tolist() == [2, 1, 1, 1, 0]
    assert diamond.parents.nnz == 5


def test_obsolete_terms_are_not_in_the_graph():
    terms, edges = tables({"T:1": [], "T:2": ["T:1"], "T:3": []})
    terms.loc[2, "obsolete"] = True
    graph = OntologyGraph.from_tables(terms, edges)
    assert graph.ids == ["T:1", "T:2"]
    with pytest.raises(BadInputError, match="T:3"):
        graph.descendants("T:3")


@pytest.mark.parametrize(
    ("parents", "found"),
    [
        ({}, "no term"),
        ({"T:1": ["T:9"]}, "T:9"),
        ({"T:1": ["T:2"], "T:2": ["T:3"], "T:3": ["T:1"], "T:4": []}, "T:1.*T:2.*T:3"),
    ],
)
def test_a_graph_that_is_none_is_refused(parents, found):
    with pytest.raises(BadInputError, match=found):
        OntologyGraph.from_tables(*tables(parents))


@st.composite
def dags(draw: st.DrawFn) -> dict[str, list[str]]:
    n = draw(st.integers(1, 12))
    chosen = [draw(st.lists(st.integers(0, max(i - 1, 0)), max_size=3, unique=True)) if i else [] for i in range(n)]
    return {f"T:{i:02d}": [f"T:{p:02d}" for p in ps] for i, ps in enumerate(chosen)}


@settings(deadline=None)
@given(dags())
def test_closure_equals_a_walk_up_the_parents(parents):
    graph = OntologyGraph.from_tables(*tables(parents))

    def walk(term: str) -> set[str]:
        return {term}.union(*(walk(p) for p in parents[term]))

    for term in parents:
        row = graph.ancestors.toarray()[graph.index[term]]
        assert {graph.ids[i] for i in np.flatnonzero(row)} == walk(term)
        assert graph.descendants(term) == {t for t in parents if term in walk(t)}
