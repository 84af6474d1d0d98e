"""Statistics of the two reference series: the published behaviour reproduced, and what sound rules make of them.

Source of the published figures: the reference data's `reference_runs.json` (expression.md section F), which the
original functions gave on the same files; of the rest: sections A.6, C and G, as named.
"""

import json

import numpy as np
import pytest
from expression_cohorts import BLADDER, FLU, known_genes, linked_cohort, synonyms

from genoplatform.expression.statistics.answer import KnownGenes, answer, choose_cohorts
from genoplatform.expression.statistics.arrays import Samples
from genoplatform.expression.statistics.batch_effect import hidden_structure
from genoplatform.expression.statistics.design import Design, make_design
from genoplatform.expression.statistics.folds import compat_folds
from genoplatform.expression.statistics.lasso import fit_lasso
from genoplatform.expression.statistics.lasso_compat import fit_lasso_compat
from genoplatform.expression.statistics.linear_model import with_intercept
from genoplatform.expression.statistics.mixed_compat import fit_mixed_compat
from genoplatform.expression.statistics.mixed_test import inflation_factor
from genoplatform.expression.statistics.problems import Problem
from genoplatform.expression.statistics.screen import screen_genes, screen_plainly
from genoplatform.expression.statistics.tuning import tune_compat
from genoplatform.settings.expression import StatisticsSettings

pytestmark = pytest.mark.shared
NAMES = {"bladder": BLADDER, "flu": FLU}
COMPAT = StatisticsSettings(rules="compat_v2")
GRID = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]


@pytest.fixture(scope="module")
def data(shared):
    return shared / "expression"


@pytest.fixture(scope="module")
def reference(data):
    return json.loads((data / "reference_runs.json").read_text())


@pytest.fixture(scope="module")
def cohorts(data, tmp_path_factory):
    aliases = synonyms(data, tmp_path_factory.mktemp("names"))
    return {name: linked_cohort(data, key, aliases) for name, key in NAMES.items()}


@pytest.fixture(scope="module")
def known(data):
    return {name: KnownGenes(known_genes(data, key)) for name, key in NAMES.items()}


def design_of(cohort, condition=None, rules="compat_v2") -> Design:
    problem = Problem(cohort.trait, condition)
    choice = choose_cohorts(problem, [cohort], KnownGenes([]), COMPAT)
    return make_design(problem, choice, cohort, None, rules)


@pytest.mark.parametrize(
    ("name", "condition"), [("bladder", None), ("flu", None), ("flu", "Age"), ("flu", "Gender")], ids=str
)
def test_compat_lasso_is_the_reference_run(cohorts, known, reference, name, condition):
    """Eigenvalue ratios, threshold, batch answer, penalty, number and names of genes, and both reports."""
    cohort, expected = cohorts[name], reference[name][f"stat_{condition}"]
    problem = Problem(cohort.trait, condition)
    choice = choose_cohorts(problem, [cohort], known[name], COMPAT)
    found = answer(problem, choice, [cohort], known[name], COMPAT)
    np.testing.assert_allclose(found.facts["eigenvalue_ratios"], expected["eig_norm"], atol=5e-5)
    assert found.facts["threshold"] == pytest.approx(expected["thr"])
    assert found.facts["batch_effect"] is expected["batch"]
    lasso = expected["Lasso"]
    assert found.facts["penalty"] == lasso["best"]["alpha"]
    assert len(found.chosen) == lasso["n_sig"]
    assert found.chosen[: len(lasso["top"])] == lasso["top"]
    for report in ("prediction", "selection"):
        assert found.performance[report] == pytest.approx(lasso["perf"][report], rel=1e-9)


def test_compat_mixed_model_agrees_with_the_reference_run_where_that_is_determined(cohorts, known, reference):
    """Bladder. Prediction is at a penalty with no gene, so eigenvectors' signs do not matter; for the genes they do.

    With the reference run's own scipy call the list differs by machine: 11 to 22 genes here, by the kernel of the
    linear-algebra library and its threads, where the reference has 18 (docs/published-gene-lists.md).
    """
    design, expected = design_of(cohorts["bladder"]), reference["bladder"]["stat_None"]["LMM"]
    wanted = [i for i, gene in enumerate(design.genes) if gene in set(known["bladder"].trait)]
    folds = compat_folds(len(design.samples.y))
    found = tune_compat(fit_mixed_compat, design.samples, [1e-3, 1e-2, 1e-1, 1.0], folds, wanted)
    assert found.prediction == pytest.approx(expected["perf"]["prediction"], rel=1e-9)
    models = fit_mixed_compat(design.samples, [1e-3, 1.0])
    assert models[0].facts["log_delta"] == 5.0, "on the edge of its grid (C.9)"
    assert 5 <= len(models[0].chosen) <= 40
    assert not models[1].chosen


def test_published_lists_are_an_artefact_of_the_order_of_columns(cohorts):
    """A.6: at 1e-6 the cold run has 2,403 genes, the 20 largest all begin with A; shuffled columns, an unrelated 20.

    The last digits of the z-scores move the count by a few: 2,396 to 2,403 with rows or columns contiguous.
    """
    design = design_of(cohorts["bladder"])
    samples, genes = design.samples, np.array(design.genes)
    cold = fit_lasso_compat(samples, [1e-6])[0]
    top = genes[np.argsort(-np.abs(cold.coefficients), kind="stable")[:20]]
    assert 2390 <= len(cold.chosen) <= 2410
    assert {gene[0] for gene in top} == {"A"}
    assert cold.relative_gap > 0.5
    assert cold.facts["sweeps"] < 10, "its tolerance is a share of the trait, not of what is minimised"
    order = np.random.default_rng(1).permutation(len(genes))
    shuffled = fit_lasso_compat(Samples(samples.x[:, order], samples.y, samples.z), [1e-6])[0]
    other = genes[order][np.argsort(-np.abs(shuffled.coefficients), kind="stable")[:20]]
    assert not set(top) & set(other)
    exact, exact_shuffled = (
        fit_lasso(Samples(samples.x[:, columns], samples.y, samples.z), [1e-6])[0]
        for columns in (np.arange(len(genes)), order)
    )
    assert set(exact.chosen) == set(order[exact_shuffled.chosen].tolist())
    assert len(exact.chosen) <= len(samples.y) - 1
    assert exact.relative_gap < 1e-6


def test_known_batches_that_the_published_rule_misses_are_seen(cohorts):
    """C.5: bladder has five known batches; 48 samples, threshold 4.17, false."""
    samples = design_of(cohorts["bladder"]).samples
    assert hidden_structure(samples.x, samples.y, samples.z).components >= 2


def test_plain_tests_are_inflated_and_mixed_ones_are_not(cohorts):
    for name, least in (("bladder", 10.0), ("flu", 30.0)):
        samples = design_of(cohorts[name], rules="sound").samples
        assert inflation_factor(screen_plainly(samples).p) > least
        assert 0.85 < inflation_factor(screen_genes(samples).tests.p) < 1.15


def test_persons_in_the_influenza_series(cohorts, known):
    """C.10's folds give F1 100 with the same persons on both sides; with persons apart it is below 90.

    Tested between the 17 persons, the genes of least p are those of the interferon response, as they should be in
    influenza (STAT1, STAT2, GBP1 and APOL6 are its textbook members).
    """
    cohort = cohorts["flu"]
    settings = StatisticsSettings(model="lasso", penalties=GRID)
    problem = Problem(cohort.trait)
    found = answer(problem, choose_cohorts(problem, [cohort], known["flu"], settings), [cohort], known["flu"], settings)
    assert found.facts["leaking_groups"] == 0
    assert 50 < found.performance["prediction"]["f1"] < 90
    assert found.facts["penalty"] == found.facts["prediction_penalty"]
    assert found.facts["relative_gap"] < 1e-6
    screen = screen_genes(design_of(cohort, rules="sound").samples)
    assert (screen.unit, screen.units) == ("person", 17)
    first = {cohort.genes[i] for i in np.argsort(screen.tests.p)[:8]}
    assert len(first & {"STAT1", "STAT2", "GBP1", "APOL6", "PSME2"}) >= 4


def test_the_lasso_path_is_optimal_on_real_genes(cohorts):
    for name in NAMES:
        samples = design_of(cohorts[name]).samples
        for model in fit_lasso(samples, GRID):
            assert model.relative_gap < 1e-6
            assert len(model.chosen) < len(samples.y)


def test_the_covariate_of_a_problem_is_taken_out_of_the_genes_too(cohorts):
    """C.7 (!): what is left of the trait is orthogonal to Age by sound rules."""
    samples = design_of(cohorts["flu"], "Age").samples
    model = fit_lasso(samples, [0.1])[0]
    left = samples.y - model.predict(samples.x, samples.z)
    assert np.abs(with_intercept(samples.z).T @ left).max() < 1e-7
