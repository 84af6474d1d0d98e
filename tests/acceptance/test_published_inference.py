"""Published figures of the clustered inference, re-derived from the released ranks and counts, to the printed digit."""

import csv
import json
import math

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from genoplatform.cli.evaluate import evaluate
from genoplatform.inference.evaluate import evaluate_items
from genoplatform.inference.items import read_items
from genoplatform.inference.mcnemar import mcnemar_exact
from genoplatform.inference.multiplicity import benjamini_hochberg, holm
from genoplatform.inference.results_table import results_table

pytestmark = pytest.mark.shared

RANKS = "released/ranks_post2020_overlap_absent.csv"
SUBSET = "post2020_overlap_absent"


@pytest.fixture(scope="module")
def reference(shared):
    return json.loads((shared / "released/reference_values.json").read_text())


@pytest.fixture(scope="module")
def released(shared):
    return read_items(shared / RANKS)


@pytest.fixture(scope="module")
def evaluation(released):
    return evaluate_items(released, [("S", "M")])


def test_published_contrast_through_the_command(shared, reference):
    app = typer.Typer()
    app.command()(evaluate)
    result = CliRunner().invoke(app, [str(shared / RANKS), "--contrast", "S,M", "--json"])
    assert result.exit_code == 0, result.output
    (got,) = json.loads(result.stdout)["contrasts"]
    assert {k: v for k, v in got.items() if k not in ("subset", "p_holm", "p_bh")} == {
        **{"system_a": "S", "system_b": "M", "n": 88, "n_publications": 18, "correct_a": 75, "correct_b": 68},
        **{"delta": 0.079545, "cluster_lo": -0.098366, "cluster_hi": 0.184466},
        **{"case_lo": -0.022727, "case_hi": 0.181818},
        **{"b": 13, "c": 6, "p_mcnemar": 0.167068, "p_cluster": 0.78242},
    }
    stored = reference["wp4_contrasts"][f"standard/{SUBSET}/S-M"]
    assert (got["cluster_lo"], got["cluster_hi"]) == (stored["cl_lo"], stored["cl_hi"])
    assert (got["case_lo"], got["case_hi"]) == (stored["case_lo"], stored["case_hi"])


@pytest.mark.parametrize("system", ["S", "M"])
def test_published_point_values_and_intervals(evaluation, reference, system):
    rows = evaluation.metrics.query("system == @system").set_index("metric")
    stored = reference["stratum_table_wp7"]["standard"][system][SUBSET]
    assert rows["value"].to_dict() == {m: stored[m] for m in ("top1", "top5", "top10", "mrr", "ndcg10")}
    assert rows["count"].tolist()[:3] == stored["counts"]
    interval = reference["wp4_point_ci"]["standard"][system][SUBSET]
    assert rows.loc["top1", ["cluster_lo", "cluster_hi"]].tolist() == interval["cluster"]
    assert rows.loc["top1", ["case_lo", "case_hi"]].tolist() == interval["case"]


def test_released_order_is_the_order_of_the_cases(shared, released):
    cases = pd.read_csv(shared / "released/case_table.csv")["case_id"].tolist()
    items = released.rows["item"].drop_duplicates().tolist()
    assert cases == sorted(cases)
    assert items == [case for case in cases if case in set(items)]


def test_intervals_depend_on_that_order(shared, evaluation):
    """Sorted by (category, case) the same cases give another interval: the order is part of the method."""
    order = pd.read_csv(shared / "released/case_table.csv").sort_values(["category", "case_id"])["case_id"]
    ranks = pd.read_csv(shared / RANKS).set_index("case_id")
    other = evaluate_items(ranks.loc[order[order.isin(ranks.index)]].reset_index(), [("S", "M")]).contrasts.iloc[0]
    ours = evaluation.contrasts.iloc[0]
    assert (other["delta"], other["p_cluster"]) == (ours["delta"], ours["p_cluster"])
    assert other["cluster_lo"] != ours["cluster_lo"]
    assert other["cluster_lo"] == pytest.approx(ours["cluster_lo"], abs=0.005)


def test_every_contrast_follows_from_its_discordant_counts(reference):
    assert len(reference["wp4_contrasts"]) == 15
    for name, row in reference["wp4_contrasts"].items():
        assert round((row["b"] - row["c"]) / row["n"], 6) == row["delta"], name
        assert row["correct_a"] - row["correct_b"] == row["b"] - row["c"], name
        assert round(mcnemar_exact(row["b"], row["c"]), 6) == row["p_mcnemar"], name


@pytest.mark.parametrize("family", ["primary", "supportive", "supportive_hard"])
def test_families_of_tests(reference, family):
    stored = reference["wp4_multiplicity"][family]
    assert {k: round(v, 6) for k, v in holm(stored["raw"]).items()} == stored["holm"]
    assert {k: round(v, 6) for k, v in benjamini_hochberg(stored["raw"]).items()} == stored["bh"]


def test_stratum_table_counts_give_its_rates(shared):
    with (shared / "released/full_stratum_table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 15 * 6
    for row in rows:
        for metric in ("top1", "top5", "top10"):
            assert round(int(row[f"{metric}_count"]) / int(row["n_cases"]), 6) == float(row[metric]), row


def test_results_table_interval_of_a_single_miss(shared):
    """M misses 1 of 1,047 in the first ten: wherever the miss stands, the interval is [0.9971, 1]."""
    table = pd.read_csv(shared / "released/results_table_standard.csv").set_index("cell")
    stored = table.loc["M", ["top10_point", "top10_ci_lo", "top10_ci_hi"]].tolist()
    for position in (0, 500, 1046):
        ranks = np.ones(1047)
        ranks[position] = math.nan
        ours = results_table({"M": ranks}).iloc[0]
        assert ours[["top10_point", "top10_ci_lo", "top10_ci_hi"]].tolist() == stored
