"""Folds, scores, tuning rules, batch tests and stability, each against values by hand or of another library."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Samples
from genoplatform.expression.statistics.batch_effect import benchmark_rule, hidden_structure
from genoplatform.expression.statistics.folds import balanced_folds, compat_folds, leaking_groups
from genoplatform.expression.statistics.lasso import fit_lasso
from genoplatform.expression.statistics.scores import auroc, binary_scores, continuous_scores, gene_scores
from genoplatform.expression.statistics.stability import stability
from genoplatform.expression.statistics.tuning import automatic_penalties, tune, tune_compat


def none(n):
    return np.empty((n, 0))


def easy(n=60, p=120, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    return Samples(x, (x[:, 0] + x[:, 1] + 0.3 * rng.normal(size=n) > 0).astype(float), none(n))


class TestFolds:
    @pytest.mark.parametrize(
        ("n", "first"),
        [(10, [8, 1, 5, 0, 7, 2, 9, 4, 3, 6]), (48, [27, 40, 26, 43, 24]), (252, [165, 6, 111, 172, 115])],
    )
    def test_compat_folds_begin_as_published(self, n, first):
        """First shuffled indices: expression.md C.10."""
        folds = compat_folds(n)
        held_out = np.concatenate([fold.test for fold in folds])
        assert held_out[: len(first)].tolist() == first
        assert {len(fold.test) for fold in folds} == {n // 5}
        assert all((np.diff(fold.train) > 0).all() for fold in folds)

    def test_left_overs_are_only_trained_on_by_compat_and_held_out_once_by_ours(self):
        y = (np.arange(48) % 6 == 0).astype(float)
        published = np.concatenate([fold.test for fold in compat_folds(48)])
        ours = np.concatenate([fold.test for fold in balanced_folds(y, None)])
        assert len(set(published.tolist())) == 45
        assert sorted(ours.tolist()) == list(range(48))

    def test_persons_are_never_split_and_classes_are_even(self):
        groups = [f"p{i % 17:02d}" for i in range(252)]
        y = np.array([float(int(name[1:]) < 9) for name in groups])
        folds = balanced_folds(y, groups)
        assert leaking_groups(folds, groups) == 0
        assert leaking_groups(compat_folds(252), groups) > 0, "the (!) that makes the published influenza figures rosy"
        assert all(0 < y[fold.test].mean() < 1 for fold in folds)
        single = balanced_folds((np.arange(48) < 8).astype(float), None)
        assert sorted(int((np.arange(48) < 8)[fold.test].sum()) for fold in single) == [1, 1, 2, 2, 2]

    def test_fewer_groups_than_folds(self):
        assert len(balanced_folds(np.array([0.0, 1.0, 0.0, 1.0]), ["a", "a", "b", "b"])) == 2
        with pytest.raises(BadInputError, match="independent groups"):
            balanced_folds(np.zeros(3), ["a", "a", "a"])


class TestScores:
    def test_binary_by_hand(self):
        y, predicted = np.array([1.0, 1.0, 0.0, 0.0]), np.array([0.9, 0.2, 0.7, 0.5])
        assert binary_scores(y, predicted) == {"accuracy": 50.0, "precision": 50.0, "recall": 50.0, "f1": 50.0}
        assert binary_scores(np.zeros(3), np.zeros(3))["f1"] == 0.0

    def test_continuous_by_hand(self):
        found = continuous_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0]))
        assert found == {"nmse": 2.0, "r_squared": -1.0}

    def test_gene_sets_in_both_conventions(self):
        """expression.md D: both empty is 1 in the second release and 0 in tuning."""
        assert gene_scores(["A", "B"], ["B", "C", "D", "E"])["precision"] == 50.0
        assert gene_scores(["A", "B"], ["B", "C", "D", "E"])["recall"] == 25.0
        assert gene_scores(["A", "B"], ["B", "C", "D", "E"])["jaccard"] == 20.0
        assert gene_scores([], [], "zero")["f1"] == 0.0
        assert gene_scores([], [], "v2") == {"precision": 100.0, "recall": 100.0, "f1": 100.0, "jaccard": 0.0}
        assert gene_scores([], ["A"], "v2")["precision"] == 0.0
        assert gene_scores(["A"], [], "v2")["recall"] == 0.0

    def test_auroc_equals_scikit_learn_with_ties(self):
        rng = np.random.default_rng(0)
        y, score = (rng.random(200) < 0.3).astype(float), rng.integers(0, 6, 200).astype(float)
        assert auroc(y, score) == pytest.approx(roc_auc_score(y, score), rel=1e-12)
        assert np.isnan(auroc(np.ones(3), np.arange(3.0)))


class TestTuning:
    GRID = (1e-3, 1e-2, 1e-1, 1.0)

    def test_compat_prefers_precision_and_mixes_two_models(self):
        """C.10 (!): prediction is reported for another penalty than the chosen one."""
        samples = easy()
        found = tune_compat(fit_lasso, samples, self.GRID, compat_folds(60), {0, 1})
        table = found.table.set_index("penalty")
        assert found.penalty == table["selection_precision"].idxmax()
        assert found.selection["precision"] == pytest.approx(table["selection_precision"].max())
        assert found.prediction["f1"] == pytest.approx(table["prediction_f1"].max())

    def test_compat_falls_back_and_ties_keep_the_smaller_penalty(self):
        samples = easy()
        nothing = tune_compat(fit_lasso, samples, self.GRID, compat_folds(60), set())
        assert nothing.penalty == 0.1
        everything = tune_compat(fit_lasso, samples, (0.02, 0.03), compat_folds(60), set(range(120)))
        assert everything.penalty == 0.02

    def test_sound_reports_one_model_and_never_looks_at_known_genes(self):
        samples = easy()
        folds = balanced_folds(samples.y, None)
        with_known = tune(fit_lasso, samples, self.GRID, folds, {0, 1})
        without = tune(fit_lasso, samples, self.GRID, folds, set())
        assert with_known.penalty == without.penalty == with_known.prediction_penalty
        row = with_known.table.set_index("penalty").loc[with_known.penalty]
        assert row["deviance"] == with_known.table["deviance"].min()
        assert with_known.prediction["f1"] == pytest.approx(row["prediction_f1"])
        assert with_known.selection["precision"] == pytest.approx(row["selection_precision"])
        assert not np.isnan(with_known.held_out).any()

    def test_one_standard_error_gives_the_sparser_model(self):
        samples = easy()
        folds, grid = balanced_folds(samples.y, None), automatic_penalties(0.4)
        best = tune(fit_lasso, samples, grid, folds, set())
        sparse = tune(fit_lasso, samples, grid, folds, set(), "one_standard_error")
        assert sparse.penalty > best.penalty


class TestHiddenStructure:
    def batches(self, n, seed=0, size=0.8):
        rng = np.random.default_rng(seed)
        batch = np.arange(n) % 3
        return rng.normal(size=(n, 300)) + size * rng.normal(size=(3, 300))[batch], (np.arange(n) // 3 % 2).astype(
            float
        )

    def test_the_published_rule_cannot_fire_for_200_samples_and_ours_can(self):
        """C.5 (!): ratios differ by less than 1 and the threshold is 200 / n."""
        x, y = self.batches(48, size=3.0)
        rule = benchmark_rule(x)
        assert rule.threshold == pytest.approx(200 / 48)
        assert not rule.batch
        assert hidden_structure(x, y, none(48)).components == 2, "three batches are two directions"

    def test_the_rule_above_200_samples_asks_for_a_dominant_first_eigenvalue(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(400, 50)) + np.outer(np.arange(400) % 2, np.full(50, 5.0))
        assert benchmark_rule(x).batch
        assert not benchmark_rule(rng.normal(size=(400, 50))).batch

    def test_the_trait_itself_is_no_hidden_structure(self):
        rng = np.random.default_rng(1)
        y = (np.arange(60) % 2).astype(float)
        x = rng.normal(size=(60, 300)) + np.outer(y, rng.normal(size=300))
        assert hidden_structure(x, y, none(60)).components == 0
        assert hidden_structure(x, (np.arange(60) % 3 == 0).astype(float), none(60)).components == 1

    def test_level_is_kept_without_structure(self):
        """200 data sets of independent genes at level 0.05: more than 20 alarms would be a chance of 0.1 %."""
        rng = np.random.default_rng(3)
        y = (np.arange(20) % 2).astype(float)
        alarms = 0
        for i in range(200):
            x = rng.normal(size=(20, 40))
            alarms += hidden_structure(x, y, none(20), permutations=19, most=1, seed=i).found
        assert alarms <= 20


def test_stability_tells_real_genes_from_lucky_ones():
    samples = easy(n=100)
    found = stability(fit_lasso, samples, 0.1, pairs=15)
    assert found.halves == 30
    assert found.frequency[:2].min() > 0.8
    assert np.median(found.frequency[2:]) < 0.2
    assert found.expected_false(0.9) == pytest.approx(found.mean_chosen**2 / (0.8 * 120))
    again = stability(fit_lasso, samples, 0.1, pairs=15)
    assert (again.frequency == found.frequency).all()
