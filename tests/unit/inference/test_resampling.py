"""The vectorised resampling against a plain loop that follows the published recipe word by word."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.inference import resampling
from genoplatform.inference.resampling import (
    case_bootstrap,
    cluster_bootstrap,
    cluster_index,
    percentile_interval,
    sign_flip_permutation,
    sign_flip_permutations,
    sorted_cluster_index,
)

# Cases per publication -> publications, in the 1,047-case cohort: 415 publications, the largest with 42 cases.
COHORT_SIZES = {1: 245, 2: 71, 3: 33, 4: 18, 5: 13, 6: 4, 7: 7, 8: 3, 9: 6, 10: 1, 11: 4, 12: 1, 14: 1, 15: 1, 16: 1}
COHORT_SIZES |= {17: 1, 20: 2, 28: 1, 35: 1, 42: 1}
DRAWS = 300


@pytest.fixture(scope="module")
def panel() -> tuple[np.ndarray, np.ndarray]:
    """Hits of two systems [1047, 2], alike inside a publication, and the publication of each case, interleaved."""
    rng = np.random.default_rng(7)
    sizes = np.repeat(list(COHORT_SIZES), list(COHORT_SIZES.values()))
    clusters = np.repeat([f"PMID:{n}" for n in rng.choice(10**7, len(sizes), replace=False)], sizes)
    ease = np.repeat(rng.beta(1, 0.4, size=(len(sizes), 2)), sizes, axis=0)
    order = rng.permutation(len(clusters))
    return (rng.random((len(clusters), 2)) < ease).astype(float)[order], clusters[order]


def naive_cluster_bootstrap(values, clusters, draws, seed=42):
    members = {}
    for i, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(i)
    groups = list(members.values())
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(draws):
        picked = rng.choice(len(groups), size=len(groups), replace=True)
        means.append(np.mean([values[i] for g in picked for i in groups[g]]))
    return np.array(means)


def naive_sign_flip(differences, clusters, draws, seed=42):
    labels = sorted(set(clusters))
    rng = np.random.default_rng(seed)
    observed = np.mean(differences)
    count = 0
    for _ in range(draws):
        sign = dict(zip(labels, rng.choice([-1, 1], size=len(labels)), strict=True))
        flipped = np.mean([d * sign[c] for d, c in zip(differences, clusters, strict=True)])
        count += abs(flipped) >= abs(observed) - 1e-15
    return (count + 1) / (draws + 1), observed, count


def test_panel_has_the_cohorts_shape(panel):
    hits, clusters = panel
    assert (hits.shape, len(set(clusters)), pd.Series(clusters).value_counts().max()) == ((1047, 2), 415, 42)


@pytest.mark.parametrize("n", [2, 3, 18, 93, 415, 1047])
def test_draws_at_once_are_the_sequential_stream(n):
    at_once = np.random.default_rng(42)
    blocks = np.vstack([at_once.integers(0, n, size=(rows, n), dtype=np.int32) for rows in (3, 5, 1)])
    one_by_one = np.random.default_rng(42)
    assert (blocks == [one_by_one.integers(0, n, n) for _ in range(9)]).all()
    chosen = np.random.default_rng(42)
    assert (blocks == [chosen.choice(n, size=n, replace=True) for _ in range(9)]).all()


@pytest.mark.parametrize("n", [1, 18, 415])
def test_signs_are_what_choice_draws(n):
    signs = np.vstack(list(resampling._sign_blocks(n, 9, 42)))
    rng = np.random.default_rng(42)
    assert (signs == [rng.choice([-1, 1], size=n) for _ in range(9)]).all()


def test_cluster_bootstrap_equals_the_loop_to_the_last_digit(panel):
    hits, clusters = panel
    fast = cluster_bootstrap(hits, clusters, draws=DRAWS)
    for j in range(2):
        assert (fast[:, j] == naive_cluster_bootstrap(hits[:, j], clusters, DRAWS)).all()
    difference = hits[:, 0] - hits[:, 1]
    assert (
        cluster_bootstrap(difference, clusters, draws=DRAWS) == naive_cluster_bootstrap(difference, clusters, DRAWS)
    ).all()


def test_case_bootstrap_equals_the_loop_to_the_last_digit(panel):
    hits = panel[0][:, 0]
    rng = np.random.default_rng(42)
    naive = [hits[rng.integers(0, len(hits), len(hits))].mean() for _ in range(DRAWS)]
    assert (case_bootstrap(hits, draws=DRAWS) == naive).all()


def test_permutation_equals_the_loop_to_the_last_digit(panel):
    hits, clusters = panel
    difference = hits[:, 0] - hits[:, 1]
    result = sign_flip_permutation(difference, clusters, DRAWS)
    assert (result.p, result.observed, result.count) == naive_sign_flip(difference, clusters, DRAWS)
    assert 0.01 < result.p < 1


def test_blocks_do_not_change_the_draws(panel, monkeypatch):
    hits, clusters = panel
    small = cluster_bootstrap(hits, clusters, draws=50), sign_flip_permutation(hits[:, 0] - hits[:, 1], clusters, 50)
    monkeypatch.setattr(resampling, "_BLOCK_CELLS", 1)
    again = cluster_bootstrap(hits, clusters, draws=50), sign_flip_permutation(hits[:, 0] - hits[:, 1], clusters, 50)
    assert (small[0] == again[0]).all()
    assert small[1] == again[1]


def test_weighted_mean_equals_the_loop():
    values, weights = np.array([1.0, 0.0, 1.0, 1.0]), np.array([2.0, 1.0, 0.5, 3.0])
    clusters = ["a", "b", "a", "c"]
    groups = [[0, 2], [1], [3]]
    rng = np.random.default_rng(1)
    expected = []
    for _ in range(40):
        cases = [i for g in rng.choice(3, 3) for i in groups[g]]
        expected.append((weights[cases] * values[cases]).sum() / weights[cases].sum())
    fast = cluster_bootstrap(values, clusters, statistic="weighted mean", weights=weights, draws=40, seed=1)
    assert fast == pytest.approx(expected, abs=1e-15)


def test_a_draw_without_the_subset_is_nan_and_left_out_of_the_interval():
    member = np.array([[1.0], [0.0]])
    draws = cluster_bootstrap([[1.0], [0.0]], ["a", "b"], statistic="weighted mean", weights=member, draws=200)
    missing = np.isnan(draws[:, 0])
    assert 0 < missing.sum() < 200  # a quarter of the draws pick b twice
    assert percentile_interval(draws).tolist() == [[1.0], [1.0]]


def test_clusters_are_numbered_by_first_appearance_and_sorted_as_strings():
    labels = ["9", "10", "9", "2"]
    assert cluster_index(labels)[0].tolist() == [0, 1, 0, 2]
    assert sorted_cluster_index(labels)[0].tolist() == [2, 0, 2, 1]  # "10" < "2" < "9"
    assert sorted_cluster_index([9, 10, 9, 2])[0].tolist() == [2, 0, 2, 1]


def test_percentile_interval_by_hand():
    draws = np.arange(1, 10_001) / 10_000  # linear: position 0.025 * 9999 = 249.975 -> 250.975 / 10,000
    assert percentile_interval(draws) == pytest.approx([0.0250975, 0.9750025], abs=1e-15)
    assert percentile_interval(np.arange(5.0), level=0.5).tolist() == [1.0, 3.0]
    assert np.isnan(percentile_interval([np.nan, np.nan])).all()


def test_permutation_by_enumeration():
    # Two clusters with sums 3 and 1: |mean| >= |observed| exactly when both signs agree, half of all flips.
    result = sign_flip_permutation([1, 1, 1, 1], ["a", "a", "a", "b"], draws=4000)
    assert result.observed == 1.0
    assert result.p == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(4000))


@pytest.mark.parametrize(
    ("values", "clusters", "extra", "error"),
    [
        ([1.0, np.nan], ["a", "b"], {}, BadInputError),
        ([1.0], ["a", "b"], {}, BadInputError),
        ([], [], {}, BadInputError),
        ([1.0, 0.0], ["a", None], {}, BadInputError),
        ([1.0, 0.0], ["a", "b"], {"draws": 0}, SettingsError),
        ([1.0, 0.0], ["a", "b"], {"weights": [1.0, 1.0]}, SettingsError),
        ([1.0, 0.0], ["a", "b"], {"statistic": "weighted mean"}, SettingsError),
        ([1.0, 0.0], ["a", "b"], {"statistic": "weighted mean", "weights": [1.0, -1.0]}, BadInputError),
    ],
)
def test_bad_input_is_refused(values, clusters, extra, error):
    with pytest.raises(error):
        cluster_bootstrap(values, clusters, **extra)


def test_a_level_outside_the_unit_interval_is_refused():
    with pytest.raises(SettingsError, match="level 95"):
        percentile_interval([0.0], level=95)


labels = st.lists(st.integers(0, 5), min_size=1, max_size=30)


@settings(max_examples=50, deadline=None)
@given(labels, st.sampled_from([0.0, 1.0]), st.integers(0, 99))
def test_equal_hits_give_a_degenerate_interval(clusters, hit, seed):
    draws = cluster_bootstrap(np.full(len(clusters), hit), clusters, draws=30, seed=seed)
    assert percentile_interval(draws).tolist() == [hit, hit]


@settings(max_examples=50, deadline=None)
@given(labels, st.integers(0, 99))
def test_equal_systems_give_p_one(clusters, seed):
    assert sign_flip_permutation(np.zeros(len(clusters)), clusters, 30, seed).p == 1.0


@settings(max_examples=50, deadline=None)
@given(labels, st.randoms(use_true_random=False))
def test_permutation_of_rows_changes_neither_statistic_nor_p(clusters, random):
    cases = [(cluster, random.choice([-1, 0, 1])) for cluster in clusters]
    shuffled = random.sample(cases, len(cases))
    one, other = (sign_flip_permutations([[d] for _, d in c], [k for k, _ in c], 30)[0] for c in (cases, shuffled))
    assert one == other
