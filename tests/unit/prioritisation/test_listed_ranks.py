import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.listed_ranks import listed_ranks, mark_causal

COLUMNS = ["system", "case_id", "gene", "score", "candidate_index"]
SCORED = pd.DataFrame(
    [
        ("S", "a", "x", 0.1, 0),
        ("S", "a", "y", 0.4, 1),
        ("S", "a", "z", 0.4, 2),
        ("S", "b", "x", 0.4, 0),
        ("S", "b", "y", 0.1, 1),
        ("S", "b", "w", 0.4, 2),
    ],
    columns=COLUMNS,
)
CANDIDATES = pd.DataFrame({"case_id": ["a", "b"], "candidate_genes": [["z", "x"], ["w", "x"]], "causal_index": [0, 1]})


def test_rank_is_the_place_and_a_tie_an_unbroken_run():
    """Case b's first and last candidate share a score without standing together: no tie decided between them."""
    table = listed_ranks(mark_causal(SCORED, CANDIDATES), ["b", "a", "c"], list_size=3)
    assert table["case_id"].tolist() == ["a", "b", "c"]
    assert table["rank"].fillna(0).tolist() == [3, 1, 0]
    assert table["tied"].tolist() == [2, 1, 0]
    assert table["n_candidates"].tolist() == [3, 3, 3]


def test_the_order_of_the_rows_means_nothing():
    marked = mark_causal(SCORED, CANDIDATES)
    shuffled = marked.sample(frac=1, random_state=1)
    expected = listed_ranks(marked, ["a", "b"], list_size=3)
    pd.testing.assert_frame_equal(listed_ranks(shuffled, ["a", "b"], list_size=3), expected)


def test_contradictions_are_errors():
    with pytest.raises(BadInputError, match="S, a: two causal genes"):
        listed_ranks(SCORED.assign(is_causal=True), ["a", "b"], list_size=3)
    with pytest.raises(BadInputError, match="1 ranked cases that are not among the cases, the first b"):
        listed_ranks(mark_causal(SCORED, CANDIDATES), ["a"], list_size=3)


def test_no_lists_give_an_empty_table_or_misses():
    empty = mark_causal(SCORED.iloc[:0], CANDIDATES)
    assert listed_ranks(empty, ["a"], list_size=3).empty
    missed = listed_ranks(empty, ["a"], list_size=3, systems=["S"])
    assert missed["rank"].isna().tolist() == [True]
    assert missed["tied"].tolist() == [0]
