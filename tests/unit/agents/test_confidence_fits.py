"""Calibration: the fits against references, and no publication on both sides of a fold."""

import numpy as np
import pandas as pd
import pytest
from sklearn.isotonic import IsotonicRegression

from genoplatform.agents.confidence_fit import (
    brier_score,
    expected_calibration_error,
    fitted,
    fold_of,
    out_of_fold,
)
from genoplatform.errors import BadInputError, SettingsError


def cohort(n=300, seed=1):
    rng = np.random.default_rng(seed)
    confidence = rng.choice(np.linspace(0.05, 1, 25), n)
    correct = (rng.random(n) < confidence**2).astype(float)  # over-confident by design
    return pd.DataFrame({"confidence": confidence, "correct": correct, "cluster": [f"PMID:{i // 3}" for i in range(n)]})


def test_isotonic_is_the_reference_librarys():
    table = cohort()
    confidence, correct = table["confidence"].to_numpy(), table["correct"].to_numpy()
    reference = IsotonicRegression(out_of_bounds="clip").fit(confidence, correct)
    new = np.linspace(0, 1, 101)
    assert fitted(confidence, correct, "isotonic")(new) == pytest.approx(reference.predict(new), abs=1e-12)


def test_isotonic_by_hand():
    # Violators 1, 0 at 0.2 and 0.4 are pooled to 1/2; the pooled block stands before 1.
    found = fitted(np.array([0.2, 0.4, 0.8]), np.array([1.0, 0.0, 1.0]), "isotonic")
    assert found(np.array([0.0, 0.3, 0.6, 0.9])) == pytest.approx([0.5, 0.5, 0.75, 1.0])


def test_platt_is_at_the_optimum_of_his_targets():
    table = cohort()
    confidence, correct = table["confidence"].to_numpy(), table["correct"].to_numpy()
    predicted = fitted(confidence, correct, "platt")(confidence)
    n1 = correct.sum()
    n0 = len(correct) - n1
    target = np.where(correct == 1, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    # The score equations of a logistic fit: residuals sum to 0, also weighted by the confidence.
    assert np.sum(predicted - target) == pytest.approx(0, abs=1e-3)
    assert np.sum((predicted - target) * confidence) == pytest.approx(0, abs=1e-3)


def test_no_publication_is_in_two_folds_and_folds_are_even():
    table = cohort()
    fold = fold_of(table["cluster"], 5)
    assert (pd.Series(fold).groupby(table["cluster"]).nunique() == 1).all()
    assert set(np.bincount(fold)) == {60}
    assert (fold == fold_of(table["cluster"], 5)).all()


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_out_of_fold_calibration_lowers_the_error_of_an_over_confident_system(method):
    table = cohort(900)
    confidence, correct = table["confidence"].to_numpy(), table["correct"].to_numpy()
    predicted = out_of_fold(table, method=method)
    assert expected_calibration_error(predicted, correct) < expected_calibration_error(confidence, correct) / 2
    assert brier_score(predicted, correct) < brier_score(confidence, correct)


def test_a_cases_own_publication_does_not_enter_its_prediction():
    table = cohort()
    changed = table.assign(correct=table["correct"].where(table["cluster"] != "PMID:7", 1 - table["correct"]))
    own = (table["cluster"] == "PMID:7").to_numpy()
    assert out_of_fold(table)[own] == pytest.approx(out_of_fold(changed)[own])


def test_errors_by_hand():
    predicted, correct = np.array([0.95, 0.95, 0.15, 1.0]), np.array([1.0, 0.0, 0.0, 1.0])
    # Bin of 0.9 to 1: predicted 2.9, right 2: 0.9 apart; bin of 0.1: 0.15. Over four cases.
    assert expected_calibration_error(predicted, correct) == pytest.approx((0.9 + 0.15) / 4)
    assert brier_score(predicted, correct) == pytest.approx((0.05**2 + 0.95**2 + 0.15**2) / 4)


def test_too_few_publications_and_unknown_methods():
    with pytest.raises(BadInputError, match="2 publications for 5 folds"):
        out_of_fold(cohort(6))
    with pytest.raises(SettingsError):
        fitted(np.array([0.5]), np.array([1.0]), "magic")
