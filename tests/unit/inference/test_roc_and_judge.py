"""ROC arithmetic against scikit-learn, intervals against a naive loop, accounting by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import auc, precision_recall_curve, roc_auc_score, roc_curve

from genoplatform.errors import BadInputError
from genoplatform.inference.judge import ablation_accounting, confidence_thresholds, judge_means, triage
from genoplatform.inference.roc import auprc, auroc, auroc_interval, calibration, operating_point, youden_threshold


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    """200 cases in 60 publications, scores with many ties, higher where the answer is right."""
    rng = np.random.default_rng(5)
    hit = (rng.random(200) < 0.7).astype(float)
    score = np.round(np.clip(rng.normal(0.4 + 0.2 * hit, 0.25), 0, 1), 1)
    return pd.DataFrame({"hit": hit, "score": score, "cluster": [f"p{i}" for i in rng.integers(0, 60, 200)]})


def test_areas_and_threshold_equal_scikit_learn(data):
    hit, score = data["hit"].to_numpy(), data["score"].to_numpy()
    assert auroc(score, hit) == pytest.approx(roc_auc_score(hit, score), abs=1e-12)
    precision, recall, _ = precision_recall_curve(hit, score)
    assert auprc(score, hit) == pytest.approx(auc(recall, precision), abs=1e-12)
    fpr, tpr, thresholds = roc_curve(hit, score)
    assert youden_threshold(score, hit) == thresholds[np.argmax(tpr - fpr)]


def test_interval_equals_a_naive_loop_and_skips_draws_of_one_class():
    score, hit = np.array([0.1, 0.9, 0.4, 0.6, 0.5]), np.array([0.0, 1.0, 1.0, 1.0, 1.0])
    clusters = np.array(["a", "b", "b", "c", "c"])
    names, rng, areas = ["a", "b", "c"], np.random.default_rng(42), []
    for _ in range(100):
        rows = np.concatenate([np.flatnonzero(clusters == names[i]) for i in rng.choice(3, 3)])
        if len(set(hit[rows])) == 2:
            areas.append(roc_auc_score(hit[rows], score[rows]))
    lo, hi, used = auroc_interval(score, hit, clusters, draws=100)
    assert used == len(areas) < 100
    assert (lo, hi) == pytest.approx(tuple(np.percentile(areas, [2.5, 97.5])), abs=1e-12)


def test_one_class_has_no_area():
    assert np.isnan(auroc([0.1, 0.2], [1, 1]))
    assert np.isnan(auprc([0.1, 0.2], [0, 0]))
    assert np.isnan(youden_threshold([0.1, 0.2], [1, 1]))


def test_scores_and_outcomes_are_checked():
    with pytest.raises(BadInputError):
        auroc([0.1, np.nan], [0, 1])
    with pytest.raises(BadInputError):
        auroc([0.1, 0.2], [0, 2])


def test_operating_point_counts_the_threshold_as_above():
    point = operating_point([0.2, 0.5, 0.5, 0.9], [0, 1, 0, 1], 0.5)
    assert (point["n_above"], point["n_below"]) == (3, 1)
    assert (point["accuracy_above"], point["accuracy_below"], point["recall"]) == pytest.approx((2 / 3, 0.0, 1.0))


def test_calibration_bins_are_equal_counts_of_the_sorted_scores(data):
    table = calibration(data["score"], data["hit"], data["cluster"], draws=200)
    order = np.argsort(data["score"].to_numpy(), kind="stable")
    assert table["n"].tolist() == [50, 50, 50, 50]
    assert table["accuracy"][3] == data["hit"].to_numpy()[order[150:]].mean()
    assert table["mean_score"][0] == pytest.approx(data["score"].to_numpy()[order[:50]].mean())
    assert ((table["lo"] <= table["accuracy"]) & (table["accuracy"] <= table["hi"])).all()


def test_means_leave_out_and_count_what_the_judge_did_not_score():
    scores = pd.DataFrame({"cluster": ["a", "a", "b", "c"], "f": [0.2, 0.4, 0.9, np.nan], "none": [np.nan] * 4})
    table = judge_means(scores, ["f", "none"], draws=300).set_index("metric")
    assert table.loc["f", ["n", "n_missing"]].tolist() == [3, 1]
    assert table.loc["f", "mean"] == pytest.approx(0.5)
    assert table.loc["f", ["lo", "hi"]].tolist() == pytest.approx([0.3, 0.9])
    assert table.loc["f", ["case_lo", "case_hi"]].tolist() == pytest.approx([0.2, 0.9])
    assert np.isnan(table.loc["none", "mean"])


def test_triage_puts_the_parts_together(data):
    result = triage(pd.concat([data, data.iloc[:5].assign(score=np.nan)]), "score", draws=100)
    row = result.summary.iloc[0]
    assert (row["n"], row["n_publications"]) == (200, data["cluster"].nunique())
    assert row["lo"] < row["auroc"] < row["hi"]
    assert result.points["rule"].tolist() == ["median", "youden"]
    assert result.points["threshold"][0] == data["score"].median()


def test_confidence_thresholds_share():
    table = confidence_thresholds(pd.Series([0.95, 0.95, 0.85, 0.3]), pd.Series([1.0, 0.0, 1.0, 0.0]), [0.5, 0.9])
    assert table["share_above"].tolist() == [0.75, 0.5]
    assert table["accuracy_above"].tolist() == pytest.approx([2 / 3, 0.5])


def test_ablation_keeps_errored_records_as_they_stand_or_leaves_them_out():
    records = pd.DataFrame(
        {
            "model": "m",
            "exposed": [0, 0, 1, 1],
            "hit": [1.0, 0.0, 0.0, 1.0],
            "error": [False, True, False, True],
        }
    )
    table = ablation_accounting(records).set_index("scope")
    assert table.loc["all", ["n", "errors", "as_run", "n_ok", "error_excluded"]].tolist() == [4, 2, 0.5, 2, 0.5]
    assert table.loc["overlap_absent", "error_excluded"] == 1.0
