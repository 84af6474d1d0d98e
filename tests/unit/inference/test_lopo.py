import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.lopo import arm_against_systems, lopo_comparison


@pytest.fixture
def cases() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "case_id": list("abcdef"),
            "cluster": ["p1", "p1", "p2", "p3", "p4", "p5"],
            "exposed": [1, 1, 1, 1, 0, 0],
            "category": ["x", "x", "y", "y", "y", "y"],
        }
    )


def arm(*ranks) -> pd.DataFrame:
    return pd.DataFrame({"case_id": list("abcdef")[: len(ranks)], "rank": ranks})


def test_arms_are_compared_case_by_case_and_a_missing_case_is_a_miss(cases):
    control, left_out = arm(1, 1, 1, 7, 1, 3), arm(1, 2, 6, 1, 1).iloc[::-1]
    leaks = pd.DataFrame({"case_id": list("abcdef"), "source_in_causal_pool": [True, True, False, False, False, True]})
    table = lopo_comparison(cases, control, left_out, leaks, draws=200).set_index("subset")
    full = table.loc["full"]
    assert (full["control_top1"], full["left_out_top1"]) == pytest.approx((4 / 6, 3 / 6))
    assert (full["control_top5"], full["left_out_top5"], full["left_out_top10"]) == pytest.approx((5 / 6, 4 / 6, 5 / 6))
    assert (full["b"], full["c"], full["p_mcnemar"]) == (2, 1, 1.0)
    assert full["delta"] == pytest.approx(1 / 6, abs=1e-6)
    assert full["source_in_pool"] == 0.5
    assert table.loc["overlap_absent", ["b", "c", "n_publications"]].tolist() == [0, 0, 2]
    assert table.loc["category:x", "n"] == 2


def test_an_arm_against_another_system(cases):
    ranks = pd.concat([arm(1, 2, 2, 2, 2, 2).assign(system="K"), arm(1, 1, 1, 1, 1, 1).assign(system="M")])
    table = arm_against_systems(cases, arm(1, 1, 1, 2, 1, 2), ranks, draws=100).set_index(["system", "subset"])
    assert table.loc[("K", "full"), ["b", "c"]].tolist() == [3, 0]
    assert table.loc[("M", "overlap_absent"), ["b", "c", "delta"]].tolist() == [0, 1, -0.5]


def test_a_case_twice_is_refused(cases):
    with pytest.raises(BadInputError, match="twice"):
        lopo_comparison(cases, pd.concat([arm(1), arm(1)]), arm(1))
