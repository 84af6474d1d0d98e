"""The whole evaluation on small tables: subsets, notes, families, and JSON without NaN."""

import json

import numpy as np
import pandas as pd
import pytest

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.inference.contrast import contrast
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.resampling import cluster_bootstrap, percentile_interval
from genoplatform.inference.subsets import SUBSETS


def table(n=24, seed=5) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, 8, n)
    frame = pd.DataFrame({"item": [f"i{k}" for k in range(n)], "cluster": [f"p{c}" for c in cluster]})
    frame["exposed"], frame["recent"] = cluster % 2, (cluster // 2) % 2
    for system in "ABC":
        frame[f"rank_{system}"] = rng.integers(1, 4, n)
    return frame


FEW = {"n_boot": 100, "n_perm": 100}


def test_every_cell_is_what_its_system_and_subset_give_alone():
    frame = table()
    result = evaluate_items(frame, [("A", "B")], **FEW)
    assert result.metrics["subset"].unique().tolist() == list(SUBSETS)
    part = frame[(frame["exposed"] == 0) & (frame["recent"] == 1)]
    hit_a, hit_b = (part["rank_A"] == 1), (part["rank_B"] == 1)
    row = result.metrics.query("subset == 'post2020_overlap_absent' and system == 'A' and metric == 'top1'").iloc[0]
    lo, hi = percentile_interval(cluster_bootstrap(hit_a, part["cluster"], draws=100))
    assert row[["value", "cluster_lo", "cluster_hi"]].tolist() == pytest.approx([hit_a.mean(), lo, hi], abs=5e-7)
    assert row[["n", "n_publications", "count"]].tolist() == [len(part), part["cluster"].nunique(), hit_a.sum()]
    expected = contrast(hit_a, hit_b, part["cluster"], **FEW)
    got = result.contrasts.query("subset == 'post2020_overlap_absent'").iloc[0]
    assert (got["delta"], got["p_cluster"]) == (expected.delta, expected.p_cluster)
    assert (got["cluster_lo"], got["cluster_hi"]) == expected.cluster_ci


def test_shift_is_unexposed_minus_exposed():
    frame = table()
    shift = evaluate_items(frame, **FEW).overlap_shift.set_index("system").loc["A"]
    means = (frame["rank_A"] == 1).groupby(frame["exposed"]).mean()
    assert shift["shift"] == pytest.approx(means[0] - means[1], abs=5e-7)
    assert shift["lo"] <= shift["shift"] <= shift["hi"]


def test_adjusted_inside_each_subset():
    contrasts = evaluate_items(table(), [("A", "B"), ("A", "C")], **FEW).contrasts
    for _, family in contrasts.groupby("subset"):
        p = sorted(family["p_cluster"])
        assert sorted(family["p_holm"]) == pytest.approx(
            sorted([min(1, 2 * p[0]), max(min(1, 2 * p[0]), p[1])]), abs=1e-6
        )
        assert (family["p_bh"] <= family["p_holm"] + 1e-9).all()


def test_json_has_no_nan_and_says_what_is_missing():
    frame = table()
    frame.loc[frame["exposed"] == 0, "cluster"] = "only one"
    frame["rank_A"] = frame["rank_A"].astype(float).where(frame["rank_A"] < 3)
    result = evaluate_items(frame.drop(columns="recent"), [("A", "B")], **FEW)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    absent = next(row for row in plain["contrasts"] if row["subset"] == "overlap_absent")
    assert (absent["cluster_lo"], absent["p_cluster"], absent["p_holm"]) == (None, None, None)
    assert absent["case_lo"] is not None
    assert "subset overlap_absent: one publication, so no clustered interval or test" in plain["notes"]
    assert plain["summary"]["items"] == 24
    assert plain["settings"] == {"n_boot": 100, "n_perm": 100, "seed": 42}


def test_without_exposure_there_is_no_shift():
    result = evaluate_items(table().drop(columns=["exposed", "recent"]), **FEW)
    assert result.to_dict()["overlap_shift"] == []
    assert result.to_dict()["contrasts"] == []
    assert "no column exposed: no overlap shift and no subsets by exposure" in result.notes
    assert result.metrics["subset"].unique().tolist() == ["full"]


def test_an_empty_subset_is_told():
    result = evaluate_items(table().assign(exposed=1), **FEW)
    assert result.overlap_shift.empty
    assert "subset overlap_absent: no items" in result.notes


def test_systems_on_different_items_are_scored_apart_and_not_contrasted():
    frame = pd.DataFrame(
        [("a", "p", "S", 1), ("b", "q", "S", 2), ("a", "p", "M", 1), ("b", "q", "M", 1), ("c", "q", "M", 5)],
        columns=["item", "cluster", "system", "rank"],
    )
    result = evaluate_items(frame, **FEW)
    top1 = result.metrics.query("metric == 'top1'").set_index("system")
    assert top1["n"].to_dict() == {"S": 2, "M": 3}
    assert "S: 2 of 3 items; scores are on these only" in result.notes
    with pytest.raises(BadInputError, match="0 items only 'S' has, 1 only 'M' has"):
        evaluate_items(frame, [("S", "M")], **FEW)


def test_a_system_that_gives_hits_has_one_metric():
    frame = table()[["item", "cluster", "rank_A"]].assign(hit_Z=[0, 1] * 12)
    metrics = evaluate_items(frame, [("A", "Z")], **FEW).metrics
    assert metrics.query("system == 'Z'")["metric"].tolist() == ["hit"]
    assert metrics.query("system == 'Z'")["value"].tolist() == [0.5]


@pytest.mark.parametrize(("pair", "message"), [(("A", "Q"), "no system 'Q'"), (("A", "A"), "against itself")])
def test_contrasts_that_make_no_sense(pair, message):
    with pytest.raises(BadInputError, match=message):
        evaluate_items(table(), [pair], **FEW)


@pytest.mark.parametrize("draws", [{"n_boot": 0}, {"n_perm": 0}, {"seed": -1}])
def test_at_least_one_draw_and_a_seed(draws):
    with pytest.raises(SettingsError):
        evaluate_items(table(), [("A", "B")], **{**FEW, **draws})


def test_row_order_does_not_change_point_values():
    frame = table()
    one, other = (evaluate_items(f, **FEW).metrics for f in (frame, frame.sample(frac=1, random_state=1)))
    assert one["value"].tolist() == other["value"].tolist()
