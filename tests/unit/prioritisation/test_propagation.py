import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resnik_examples import ROOT, A, B, C, D, diamond, ontologies
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.propagation import LevelSchedule


def test_maxima_travel_down_both_sides_of_a_diamond():
    graph = diamond()
    schedule = LevelSchedule.from_parents(graph.parents)
    values = np.zeros((6, 2), dtype=np.uint16)
    values[schedule.row[graph.index[A]]] = [5, 1]
    values[schedule.row[graph.index[B]]] = [3, 2]
    schedule.propagate_max(values)
    by_term = {term: values[schedule.row[at]].tolist() for term, at in graph.index.items()}
    assert by_term[ROOT] == [0, 0]
    assert by_term[C] == [5, 2]
    assert by_term[D] == [3, 2]


@settings(max_examples=60, deadline=None)
@given(ontologies(), st.data())
def test_equals_the_maximum_over_ancestors_also_on_a_part_of_the_graph(graph, data):
    n = len(graph.ids)
    own = np.array(data.draw(st.lists(st.integers(0, 99), min_size=n, max_size=n)), dtype=np.uint16)
    closed = graph.ancestors.toarray()
    keep = closed[data.draw(st.lists(st.integers(0, n - 1)))].any(axis=0)
    schedule = LevelSchedule.from_parents(graph.parents).restrict(keep)
    values = own[schedule.order][:, None].copy()
    schedule.propagate_max(values)
    expected = [own[closed[term]].max() for term in schedule.order]
    assert values[:, 0].tolist() == expected
    assert sorted(schedule.order) == np.flatnonzero(keep).tolist()


def test_a_cycle_is_an_error():
    parents = csr_array(np.array([[0, 1], [1, 0]], dtype=bool))
    with pytest.raises(BadInputError, match="cycle"):
        LevelSchedule.from_parents(parents)
