"""Metrics and subsets on ranks small enough to compute by hand."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.metrics import METRICS, metrics_by_subset, per_case_metrics
from genoplatform.inference.subsets import SUBSETS, recent_from_year, subset_masks

NAN = float("nan")


@pytest.mark.parametrize(
    ("rank", "expected"),
    [
        (1, [1, 1, 1, 1, 1]),
        (1.5, [0, 1, 1, 2 / 3, 1 / np.log2(2.5)]),  # a mean tie for the first place is no top-1 hit
        (3, [0, 1, 1, 1 / 3, 0.5]),
        (10, [0, 0, 1, 0.1, 1 / np.log2(11)]),
        (11, [0, 0, 0, 1 / 11, 0]),
        (NAN, [0, 0, 0, 0, 0]),
    ],
)
def test_contribution_of_one_case(rank, expected):
    assert per_case_metrics([rank])[0] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("rank", [0, -1, 0.5])
def test_a_rank_below_one_is_refused(rank):
    with pytest.raises(BadInputError):
        per_case_metrics([1, rank])


def test_means_and_counts_by_subset():
    values = per_case_metrics([1, 2, NAN, 4])
    masks = {"full": np.ones(4, bool), "overlap_absent": np.array([0, 1, 1, 0], bool), "post2020": np.zeros(4, bool)}
    table = metrics_by_subset(values, [("S", m) for m in METRICS], masks)
    assert table["subset"].unique().tolist() == ["full", "overlap_absent"]  # a subset without cases has no rows
    full = table[table["subset"] == "full"].set_index("metric")
    assert full["value"].to_dict() == pytest.approx(
        {
            "top1": 0.25,
            "top5": 0.75,
            "top10": 0.75,
            "mrr": 1.75 / 4,
            "ndcg10": (1 + 1 / np.log2(3) + 1 / np.log2(5)) / 4,
        }
    )
    assert full["count"].tolist()[:3] == [1, 3, 3]
    assert full["count"].isna().tolist() == [False, False, False, True, True]
    absent = table[table["subset"] == "overlap_absent"].set_index("metric")
    assert (absent.loc["mrr", "value"], absent.loc["top5", "n"]) == (0.25, 2)


def test_subsets_in_order_with_unknowns_in_full_only():
    masks = subset_masks(4, exposed=[1, 0, 0, NAN], recent=[1, 1, 0, NAN])
    assert tuple(masks) == SUBSETS
    assert {k: m.astype(int).tolist() for k, m in masks.items()} == {
        "full": [1, 1, 1, 1],
        "overlap_present": [1, 0, 0, 0],
        "overlap_absent": [0, 1, 1, 0],
        "pre2020": [0, 0, 1, 0],
        "post2020": [1, 1, 0, 0],
        "post2020_overlap_absent": [0, 1, 0, 0],
    }


def test_subsets_follow_the_covariates_at_hand():
    assert list(subset_masks(2)) == ["full"]
    assert list(subset_masks(2, exposed=[1, 0])) == ["full", "overlap_present", "overlap_absent"]
    with pytest.raises(BadInputError):
        subset_masks(2, exposed=[1, 2])


def test_2020_is_recent():
    years = pd.Series([2019, 2020, None], dtype="Int64").to_numpy(dtype=float, na_value=NAN)
    assert recent_from_year(years)[:2].tolist() == [0, 1]
    assert np.isnan(recent_from_year(years)[2])
