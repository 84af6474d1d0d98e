"""Categories by priority; no match is dropped or kept as "other"."""

import pandas as pd

from genoplatform.cohort.categories import categorise


def cases(*mondo_ids):
    return pd.DataFrame({"case_id": [f"X:{i}" for i in range(len(mondo_ids))], "mondo_ids": list(mondo_ids)})


def test_priority_and_all_matches(mondo):
    found = categorise(cases(["MONDO:0000007"], ["MONDO:0000004"], ["MONDO:0000003", "MONDO:0000002"]), mondo[1]).kept
    assert found["category"].tolist() == ["neurological", "developmental", "metabolic"]
    assert found["category_matches"].tolist() == [
        ["neurological", "immunological"],
        ["developmental"],
        ["metabolic", "immunological"],
    ]


def test_no_match_is_dropped_and_counted_or_kept_as_other(mondo):
    table = cases(["MONDO:0000006"], [], ["MONDO:0000001"])
    strict = categorise(table, mondo[1])
    assert strict.kept["case_id"].tolist() == ["X:2"]
    assert strict.dropped["detail"].tolist() == ["MONDO:0000006", "no MONDO id"]
    assert strict.report["no_category"] == 2
    lenient = categorise(table, mondo[1], keep_other=True)
    assert lenient.kept["category"].tolist() == ["other", "other", "neurological"]
    assert lenient.report["no_category"] == 0
