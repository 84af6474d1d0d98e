import pandas as pd
import pytest
from panels import RATES, generated_panel, small_cases

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.panel import build_panel, overlap_subsets, require_both_groups


def long_frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "case_id": ["b", "b", "a", "a"],
            "system": ["S", "M", "M", "S"],
            "cluster": ["p2", "p2", "p1", "p1"],
            "exposed": [1, 1, 0, 0],
            "rank": [1.0, 2.5, float("nan"), 1.0],
            "density": [3, 3, 0, 0],
        }
    )


def test_cases_and_systems_keep_their_order_and_a_missing_rank_is_a_miss():
    panel = build_panel(long_frame())
    assert panel.cases["case_id"].tolist() == ["b", "a"]
    assert panel.systems == ("S", "M")
    assert panel.hits.tolist() == [[1.0, 0.0], [1.0, 0.0]]
    assert panel.absent.tolist() == [False, True]
    assert panel.groups.tolist() == [0, 1]


def test_subsets_split_by_overlap():
    panel = build_panel(long_frame())
    parts = overlap_subsets(panel)
    assert {name: part.cases["case_id"].tolist() for name, part in parts.items()} == {
        "full": ["b", "a"],
        "overlap_present": ["b"],
        "overlap_absent": ["a"],
    }
    with pytest.raises(EmptyResultError, match="0 of 1"):
        require_both_groups(parts["overlap_present"], "comparing")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.iloc[1:], "1 case-system pairs have no outcome"),
        (lambda f: pd.concat([f, f.iloc[:1]]), "more than once"),
        (lambda f: f.assign(exposed=[1, 0, 0, 0]), "exposed differs between systems"),
        (lambda f: f.assign(exposed=2), "0 or 1"),
        (lambda f: f.assign(hit=[0, 1, 2, 0]), "neither 0 nor 1"),
        (lambda f: f.drop(columns="rank"), "hit or rank"),
    ],
)
def test_gaps_and_contradictions_are_refused(change, message):
    with pytest.raises(BadInputError, match=message):
        build_panel(change(long_frame()))


def test_a_missing_covariate_is_named():
    panel = build_panel(generated_panel(small_cases(), RATES, 1))
    with pytest.raises(BadInputError, match="weight2"):
        panel.column("weight2")
