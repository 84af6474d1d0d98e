"""Contrasts and overlap shifts on panels small enough to check by hand or by a loop."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.errors import BadInputError
from genoplatform.inference.contrast import contrast, contrasts
from genoplatform.inference.overlap_shift import overlap_shift

CLUSTERS = ["p1", "p1", "p2", "p3", "p3", "p4"]


def test_counts_and_delta_by_hand():
    result = contrast([1, 1, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0], CLUSTERS, n_boot=50, n_perm=50)
    assert (result.n, result.n_publications, result.correct_a, result.correct_b) == (6, 4, 4, 3)
    assert (result.b, result.c, result.delta) == (2, 1, 0.166667)
    assert result.p_mcnemar == 1.0  # 2 * P(Binomial(3, 1/2) <= 1) = 1


def test_every_pair_is_what_it_would_be_alone():
    hits = (np.random.default_rng(3).random((40, 3)) < 0.6).astype(float)
    clusters = np.random.default_rng(4).integers(0, 12, 40)
    pairs = [(0, 1), (2, 0), (1, 2)]
    together = contrasts(hits, pairs, clusters, n_boot=200, n_perm=200)
    alone = [contrast(hits[:, a], hits[:, b], clusters, n_boot=200, n_perm=200) for a, b in pairs]
    assert together == alone
    assert contrasts(hits, [], clusters) == []


def test_one_publication_has_no_clustered_interval_or_test():
    result = contrast([1, 1, 0], [0, 1, 0], ["p", "p", "p"], n_boot=50, n_perm=50)
    assert [math.isnan(x) for x in (*result.cluster_ci, result.p_cluster)] == [True] * 3
    assert result.case_ci[0] <= result.delta <= result.case_ci[1]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), min_size=2, max_size=20))
def test_a_system_against_itself(cases):
    clusters, hit = [c for c, _ in cases], [h for _, h in cases]
    result = contrast(hit, hit, clusters, n_boot=20, n_perm=20)
    assert (result.delta, result.case_ci, result.p_mcnemar) == (0.0, (0.0, 0.0), 1.0)
    if len(set(clusters)) > 1:
        assert (result.cluster_ci, result.p_cluster) == ((0.0, 0.0), 1.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1), st.integers(0, 1)), min_size=2), st.randoms())
def test_row_order_does_not_change_the_point_values(cases, random):
    shuffled = random.sample(cases, len(cases))
    one, other = (
        contrast([a for _, a, _ in c], [b for _, _, b in c], [k for k, _, _ in c], n_boot=5, n_perm=5)
        for c in (cases, shuffled)
    )
    assert (one.delta, one.b, one.c, one.p_mcnemar) == (other.delta, other.b, other.c, other.p_mcnemar)


def test_overlap_shift_equals_a_loop_over_all_publications():
    hits = np.array([[1, 0], [1, 1], [0, 1], [1, 0], [0, 1], [1, 1]], dtype=float)
    exposed = np.array([1, 1, 0, 0, 0, 1])
    table = overlap_shift(hits, ["A", "B"], exposed, CLUSTERS, draws=300)
    assert table[["present", "absent", "shift"]].to_numpy() == pytest.approx(
        np.array([[1, 1 / 3, -2 / 3], [2 / 3, 2 / 3, 0]])
    )
    members = [[0, 1], [2], [3, 4], [5]]
    rng = np.random.default_rng(42)
    shifts = []
    for _ in range(300):
        cases = np.array([i for g in rng.choice(4, 4) for i in members[g]])
        split = [cases[exposed[cases] == flag] for flag in (0, 1)]
        means = [hits[part].mean(axis=0) if len(part) else np.full(2, np.nan) for part in split]
        shifts.append(means[0] - means[1])
    expected = np.nanpercentile(shifts, [2.5, 97.5], axis=0)
    assert np.isnan(shifts).any()  # a draw may lack one group
    np.testing.assert_allclose(table[["lo", "hi"]].to_numpy().T, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("exposed", [[1, 1, 1], [0, 0, 0], [1, 0, 2]])
def test_overlap_shift_needs_both_groups(exposed):
    with pytest.raises(BadInputError):
        overlap_shift([[1], [0], [1]], ["A"], exposed, ["p", "q", "r"])
