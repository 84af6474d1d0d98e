import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.ties import TIE_RULES, rank_of

# Scores 3 > 2 = 2 = 2 > 1; the causal gene "m" stands third in the list, second in the alphabet of its block.
SCORES = np.array([[2.0, 3.0, 2.0, 2.0, 1.0]])
SYMBOLS = [["z", "a", "m", "b", "c"]]


@pytest.mark.parametrize(
    ("rule", "rank"),
    [("candidate_order", 3), ("alphabetical", 3), ("mean", 3), ("worst", 4), ("best", 2)],
)
def test_rank_inside_a_block_of_three(rule, rank):
    ranks, tied = rank_of(SCORES, np.array([2]), rule, SYMBOLS)
    assert (ranks[0], tied[0]) == (rank, 3)


@pytest.mark.parametrize(("target", "by_list", "by_name"), [(0, 2, 4), (3, 4, 2)])
def test_list_order_and_alphabet_disagree(target, by_list, by_name):
    assert rank_of(SCORES, np.array([target]), "candidate_order")[0] == [by_list]
    assert rank_of(SCORES, np.array([target]), "alphabetical", SYMBOLS)[0] == [by_name]


def test_mean_rank_of_a_pair_is_a_half():
    assert rank_of(np.array([[1.0, 1.0]]), np.array([0]), "mean")[0] == [1.5]


def test_absent_and_unscored_candidates_have_no_rank():
    scores = np.array([[1.0, 2.0], [np.nan, 2.0], [1.0, np.nan]])
    ranks, tied = rank_of(scores, np.array([-1, 0, 0]), "worst")
    assert np.isnan(ranks[:2]).all()
    assert ranks[2] == 1
    assert tied.tolist() == [0, 0, 1]


@given(arrays(np.float64, (4, 6), elements=st.integers(0, 3)), st.lists(st.integers(0, 5), min_size=4, max_size=4))
def test_rules_agree_with_sorting(scores, target):
    at = np.array(target)
    symbols = [[f"s{(7 * i) % 6}" for i in range(6)]] * 4
    ranks = {rule: rank_of(scores, at, rule, symbols)[0] for rule in TIE_RULES}
    for row in range(4):
        by_list = sorted(range(6), key=lambda i: (-scores[row, i], i))
        by_name = sorted(range(6), key=lambda i: (-scores[row, i], symbols[row][i]))
        assert ranks["candidate_order"][row] == by_list.index(target[row]) + 1
        assert ranks["alphabetical"][row] == by_name.index(target[row]) + 1
    assert np.array_equal(ranks["mean"], (ranks["best"] + ranks["worst"]) / 2)


def test_unknown_rule_and_missing_symbols_are_errors():
    with pytest.raises(SettingsError, match="'first'"):
        rank_of(SCORES, np.array([0]), "first")
    with pytest.raises(SettingsError, match="no symbols"):
        rank_of(SCORES, np.array([0]), "alphabetical")
