"""Perfect cells, tie audit, floor and tie bounds, from candidate lists written out by hand."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.candidate_lists import candidate_lists
from genoplatform.inference.floor import (
    difficulty_tie_split,
    hardest_distractor,
    model_free_floor,
    tie_bounds,
)
from genoplatform.inference.perfect_cells import perfect_cells
from genoplatform.inference.tie_audit import tie_audit


def ranked(system: str, case: str, scores: list[float], causal: int) -> pd.DataFrame:
    """A list in rank order with the causal gene at 1-based rank `causal`."""
    rank = np.arange(1, len(scores) + 1)
    return pd.DataFrame(
        {"system": system, "case_id": case, "is_causal": rank == causal, "score": scores, "final_rank": rank}
    )


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.concat(
        [
            ranked("X", "first", [0.9, 0.5, 0.4, 0.3, 0.2, 0.1], 1),
            ranked("X", "tied at the top", [0.9, 0.9, 0.9, 0.3, 0.2, 0.1], 2),
            ranked("X", "tied over the fifth", [0.9, 0.8, 0.7, 0.6, 0.5, 0.5], 5),
            ranked("X", "re-ranked head", [0.9, 0.2, 0.6, 0.5, 0.4, 0.2], 2),
        ]
    ).sample(frac=1, random_state=0)


def test_hits_and_worst_ties(frame):
    table = perfect_cells(candidate_lists(frame, 6)).set_index("top_k")
    assert table["hits"].to_dict() == {1: 1, 5: 4, 10: 4}
    assert table["worst_tie_hits"].to_dict() == {1: 1, 5: 3, 10: 4}
    assert table["tied_cases"].unique().tolist() == [2]
    assert table["max_rank"].unique().tolist() == [5]
    assert table["perfect"].to_dict() == {1: False, 5: True, 10: True}
    assert table["perfect_under_worst_ties"].to_dict() == {1: False, 5: False, 10: True}


def test_tie_audit_counts_the_group_of_the_first_score(frame):
    audit = tie_audit(candidate_lists(frame, 6))
    row = audit.systems.iloc[0]
    assert (row["n"], row["mean_tied"], row["max_tied"]) == (4, 1.5, 3)
    assert (row["causal_in_tie"], row["causal_lost"]) == (2, 1)
    assert audit.sizes[["tied", "n_cases"]].to_numpy().tolist() == [[1, 3], [3, 1]]


def test_tie_bounds_span_lost_random_and_won_ties(frame):
    row = tie_bounds(candidate_lists(frame, 6), [1]).iloc[0]
    assert (row["lower"], row["upper"]) == (1 / 4, 2 / 4)
    assert row["expected"] == pytest.approx((1 + 1 / 3) / 4)
    assert row["chance"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.iloc[1:], "1 lists do not hold 6"),
        (lambda f: f.assign(is_causal=False), "exactly one causal"),
        (lambda f: f.assign(final_rank=f["final_rank"].replace(6, 5)), "not ranked 1..6"),
        (lambda f: f.assign(score=f["score"].where(f["score"] != 0.6)), "2 lists lack a score"),
        (lambda f: f.drop(columns="score"), "score"),
    ],
)
def test_malformed_lists_are_refused(frame, change, message):
    with pytest.raises(BadInputError, match=message):
        candidate_lists(change(frame), 6)


def test_difficulty_split_by_hand():
    """Harder by a margin, tied above zero within 1e-9, tied at zero, easier, harder than a zero."""
    table = pd.DataFrame(
        {
            "difficulty": "hard",
            "case_id": list("abcde"),
            "causal_similarity": [1.0, 1.0, 0.0, 1.0, 0.0],
            "hardest_distractor_similarity": [1.1, 1.0 + 5e-10, 0.0, 0.2, 0.3],
        }
    )
    split = difficulty_tie_split(table)
    assert split.iloc[0].to_dict() == {
        "difficulty": "hard",
        "n_cases": 5,
        "matches_or_exceeds_n": 4,
        "matches_or_exceeds_pct": 80.0,
        "strict_exceeds_n": 2,
        "strict_exceeds_pct": 40.0,
        "tie_at_zero_n": 1,
        "tie_at_zero_pct": 20.0,
        "tie_above_zero_n": 1,
        "tie_above_zero_pct": 20.0,
        "causal_bma_is_zero_n": 2,
    }
    floor = model_free_floor(split, 50).iloc[0]
    assert (floor["lower_hits"], floor["upper_hits"], floor["chance"]) == (1, 3, 0.02)


def test_hardest_distractor_is_the_largest_other_score(frame):
    table = hardest_distractor(frame[["case_id", "is_causal", "score"]]).set_index("case_id")
    assert table.loc["re-ranked head"].tolist() == [0.2, 0.9]
    assert table.loc["first"].tolist() == [0.9, 0.5]
    with pytest.raises(BadInputError, match="lacks"):
        hardest_distractor(frame[~frame["is_causal"]])
