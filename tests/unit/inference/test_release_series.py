"""Rates by release, counted by hand: four cases of two publications, two releases."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.inference.release_series import release_series


def ranked(release, system, ranks, exposed):
    return pd.DataFrame(
        {
            "release": release,
            "system": system,
            "case_id": ["a", "b", "c", "d"],
            "cluster": ["p", "p", "q", "q"],
            "exposed": exposed,
            "rank": ranks,
        }
    )


@pytest.fixture
def frame():
    parts = [
        ranked("2025", "x", [1, 1, 1, 1], [1, 1, 1, 1]),
        ranked("2020", "x", [1, 1.5, 10, np.nan], [1, 1, 0, 0]),
        ranked("2020", "w", [1, 1, 40, np.nan], [1, 1, 0, 0]),
    ]
    return pd.concat(parts, ignore_index=True)


def test_rates_by_hand(frame):
    table = release_series(frame, draws=200)
    assert table[["release", "system"]].to_numpy().tolist() == [["2020", "w"], ["2020", "x"], ["2025", "x"]]
    counted = ["n", "n_publications", "overlap_rate", "ranked", "top1", "top10"]
    assert table[counted].to_numpy().tolist() == [
        [4, 2, 0.5, 0.75, 0.5, 0.5],
        [4, 2, 0.5, 0.75, 0.25, 0.75],  # a rank of 1.5 is behind rank 1; 10 is inside the top 10; no rank is a miss
        [4, 2, 1.0, 1.0, 1.0, 1.0],
    ]


def test_whole_publications_are_drawn(frame):
    """w hits both cases of p and none of q: a draw of two publications gives 0, 1/2 or 1, and both ends occur."""
    table = release_series(frame, draws=500).set_index(["release", "system"])
    assert table.loc[("2020", "w"), ["top1_lo", "top1_hi"]].tolist() == [0.0, 1.0]
    assert table.loc[("2025", "x"), ["top1_lo", "top1_hi", "top10_lo", "top10_hi"]].tolist() == [1.0] * 4


def test_the_order_of_the_rows_does_not_matter(frame):
    shuffled = frame.sample(frac=1, random_state=3)
    pd.testing.assert_frame_equal(release_series(shuffled, draws=50), release_series(frame, draws=50))


def test_without_releases_there_is_an_empty_table_with_its_columns(frame):
    empty = release_series(frame.iloc[:0], draws=10)
    assert empty.empty
    assert list(empty.columns) == list(release_series(frame, draws=10).columns)
