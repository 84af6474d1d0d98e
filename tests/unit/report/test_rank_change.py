"""Ranks with and without the own publication, counted by hand on the six exposed cases."""

import pandas as pd
from report_frames import NAN, cases, ranks, removed

from genoplatform.report.rank_change import emptied, rank_bins, rank_change, share_bins
from genoplatform.report.systems import Pair

PAIR = Pair("resnik", "resnik_decontaminated")


def test_bins_of_ranks():
    found = rank_bins(pd.Series([1.0, 1.5, 5.0, 5.5, 10.0, 10.5, NAN]))
    assert found.tolist() == [
        *("1st", "2nd to 5th", "2nd to 5th", "6th to 10th", "6th to 10th", "below 10th", "not ranked")
    ]


def test_bins_of_shares_and_a_gene_without_annotations_lost_none():
    table = pd.DataFrame({"causal_terms": [4, 4, 4, 4, 100, 4, 0], "causal_terms_removed": [0, 1, 2, 3, 99, 4, 0]})
    assert share_bins(table).tolist() == ["none", "up to ¼", "¼ to ½", "½ to ¾", "over ¾", "all", "none"]


def test_counts_are_of_exposed_cases_only():
    change = rank_change(ranks(), cases(), removed(), PAIR)
    assert change.before.to_dict() == {"1st": 5, "2nd to 5th": 1, "6th to 10th": 0, "below 10th": 0, "not ranked": 0}
    assert change.after.to_dict() == {"1st": 1, "2nd to 5th": 2, "6th to 10th": 1, "below 10th": 1, "not ranked": 1}
    assert (change.lower, change.same, change.higher) == (4, 2, 0)
    assert change.by_share.sum(axis=1).to_dict() == {"none": 2, "up to ¼": 1, "¼ to ½": 1, "over ¾": 1, "all": 1}
    assert change.by_share.loc["all", "not ranked"] == 1


def test_not_ranked_before_and_after_is_no_change():
    change = rank_change(ranks(base=(NAN, 2), removed=(NAN, 1)), cases()[:2], removed(), PAIR)
    assert (change.lower, change.same, change.higher) == (0, 1, 1)


def test_nothing_to_compare():
    assert rank_change(ranks(), cases((0,) * 8), removed(), PAIR) is None
    assert rank_change(ranks(), cases(), removed(), Pair("resnik", None)) is None


def test_emptied_counts_exposed_cases_whose_gene_keeps_nothing():
    assert emptied(removed(), cases()) == 1
