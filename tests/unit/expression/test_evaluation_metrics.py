"""Metrics of the evaluation by hand, and what each published variant leaves out."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.expression.evaluation.cohorts import chosen_cohorts, filtering
from genoplatform.expression.evaluation.means import everything, summarise
from genoplatform.expression.evaluation.ranking import (
    enrichment,
    honest_auroc,
    published_auroc,
    published_enrichment,
)
from genoplatform.expression.evaluation.tables import compare_tables, mean_correlation, samples_as_rows
from genoplatform.expression.statistics.problems import Problem

UNIVERSE = [f"G{i}" for i in range(100)]


def record(available=True, usable=True, size=50, **more):
    return {"is_available": available, "is_usable": usable, "sample_size": size} | more


def test_filtering_counts_cohorts_that_either_names():
    """TP GSE1, FP GSE2, FN GSE3 and GSE4 (absent is false), TN GSE5: precision 1/2, recall 1/3, accuracy 2/5."""
    gold = {name: record(flag) for name, flag in (("GSE1", True), ("GSE2", False), ("GSE3", True), ("GSE4", True))}
    gold["GSE5"] = record(False)
    mine = {"GSE1": record(), "GSE2": record(), "GSE3": record(False), "GSE5": record(False)}
    found = filtering(mine, gold)
    assert found == pytest.approx({"precision": 50.0, "recall": 100 / 3, "f1": 40.0, "accuracy": 40.0})
    assert filtering({}, {})["f1"] == 0.0


INFO = {
    "GSE3": record(size=80, has_age=False),
    "GSE2": record(size=70, has_age=True),
    "GSE10": record(size=70, has_age=True),
    "GSE4": record(usable=False, size=500),
}


class TestChosenCohorts:
    def always(self, *_):
        return True

    def test_one_step(self):
        assert chosen_cohorts(Problem("T"), INFO, {}, self.always) == ("GSE3",)
        assert chosen_cohorts(Problem("T", "Age"), INFO, {}, self.always) == ("GSE10",)
        assert chosen_cohorts(Problem("T", "Gender"), INFO, {}, self.always) == ()

    def test_two_step_takes_the_largest_pair_that_shares_regressors(self):
        other = {"GSE7": record(size=20), "GSE8": record(size=10)}
        assert chosen_cohorts(Problem("T", "C"), INFO, other, self.always) == ("GSE3", "GSE7")
        assert chosen_cohorts(Problem("T", "C"), INFO, other, lambda *a: a[3] == "GSE8") == ("GSE3", "GSE8")
        assert chosen_cohorts(Problem("T", "C"), INFO, other, lambda *a: False) == ()


class TestTables:
    def frame(self, values, rows, columns):
        return pd.DataFrame(values, index=rows, columns=columns, dtype=float)

    def test_by_hand(self):
        """AJ 2/4, SJ 3/4; A correlates perfectly, B inversely: mean 0."""
        gold = self.frame([[1, 3, 0], [2, 2, 0], [3, 1, 0], [9, 9, 9]], ["s1", "s2", "s3", "s4"], ["A", "B", "C"])
        mine = self.frame([[10, 1, 0], [20, 2, 1], [30, 3, 2]], ["s1", "s2", "s3"], ["A", "B", "D"])
        assert compare_tables(mine, gold) == {"aj": 0.5, "sj": 0.75, "correlation": 0.0, "csc": 0.0}
        same = compare_tables(gold, gold)
        assert same == pytest.approx({"aj": 1, "sj": 1, "correlation": 1, "csc": 1})

    def test_missing_values_and_constant_columns(self):
        """NaN takes the column's mean; a column that does not vary in either table is left out."""
        rows = ["a", "b", "c"]
        gold = self.frame([[1, 5, 1], [2, 5, np.nan], [3, 5, 3]], rows, ["A", "B", "C"])
        mine = self.frame([[1, 1, 1], [np.nan, 2, 2], [3, 3, 3]], rows, ["A", "B", "C"])
        assert mean_correlation(mine, gold) == pytest.approx(1.0)
        assert mean_correlation(self.frame([[0.1]] * 3, rows, ["A"]), gold) == 0.0
        assert compare_tables(gold.iloc[:0, :0], gold.iloc[:0, :0])["csc"] == 0.0

    def test_every_common_column_counts(self):
        rng = np.random.default_rng(0)
        a, b = rng.normal(size=(20, 300)), rng.normal(size=(20, 300))
        names = [f"g{i}" for i in range(300)]
        expected = np.mean([np.corrcoef(a[:, i], b[:, i])[0, 1] for i in range(300)])
        rows = [f"s{i}" for i in range(20)]
        assert mean_correlation(self.frame(a, rows, names), self.frame(b, rows, names)) == pytest.approx(expected)

    def test_orientation_of_clinical_tables(self):
        """A.3 (!): TCGA files lie the other way round, and the published evaluator turns them all."""
        geo = self.frame([[1, 0], [30, 40]], ["T", "Age"], ["s1", "s2"])
        tcga = geo.T
        for stored in (geo, tcga):
            assert list(samples_as_rows(stored, "clinical", "T").columns) == ["T", "Age"]
        assert list(samples_as_rows(tcga, "clinical", "T", "published").columns) == ["s1", "s2"]
        assert samples_as_rows(geo, "linked", "T") is geo


class TestRanking:
    def test_honest_area_by_hand(self):
        """Two of four reference genes on top of 100: they beat all 96 others; the missed two tie with 95 or so."""
        found = honest_auroc(["G0", "G1"], ["G0", "G1", "G2", "G3"], UNIVERSE)
        assert found == pytest.approx((2 * 1.0 + 2 * 0.5) / 4)
        assert honest_auroc(["G0", "G1"], ["G0", "G1"], UNIVERSE) == 1.0
        assert np.isnan(honest_auroc(["G0"], [], UNIVERSE))

    def test_the_second_release_does_not_see_missed_genes(self):
        """D (!): two right genes of a hundred to find score 1; honestly it is near a half."""
        wanted = [f"G{i}" for i in range(90)]
        assert published_auroc(["G0", "G1"], wanted, "v2") == pytest.approx(1.0)
        assert published_auroc(["G0", "G1"], wanted, "corrected") < 0.52
        assert honest_auroc(["G0", "G1"], wanted, UNIVERSE) < 0.52

    def test_enrichment_by_hand(self):
        """Hits at places 1 and 3 of 100, two reference genes: 1/2 - 1/98 + 1/2."""
        assert enrichment(["G0", "G50", "G1"], ["G0", "G1"], UNIVERSE) == pytest.approx(1 - 1 / 98)
        assert enrichment(["G5"], ["G0"], UNIVERSE) == 0.0

    def test_published_enrichments_differ_by_what_a_hit_is_worth(self):
        wanted = [f"G{i}" for i in range(10)]
        assert published_enrichment(["G0"], wanted, "v2") == pytest.approx(0.1)
        assert published_enrichment(["G0"], wanted, "corrected") == pytest.approx(1.0)


def test_means_with_failures_counted_and_left_out():
    """80 and 60 of three expected: 46.67 penalised, 70 left out, 66.67 % success."""
    table = pd.DataFrame({"found": [True, False, True], "f1": [80.0, np.nan, 60.0], "auroc": [np.nan, np.nan, 90.0]})
    found = summarise("genes", table, ["f1", "auroc"], everything(table)).set_index("metric")
    assert found.loc["success", "penalised"] == 66.67
    assert found.loc["f1", ["penalised", "found_only"]].tolist() == [46.67, 70.0]
    assert found.loc["auroc", ["penalised", "found_only"]].tolist() == [45.0, 90.0], "undefined is not failed"
    assert found.loc["f1", ["expected", "found"]].tolist() == [3, 2]
