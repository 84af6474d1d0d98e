"""Both estimators against statsmodels, an independent implementation of the same estimating equations."""

import numpy as np
import pytest
import statsmodels.api as sm
from panels import RATES, generated_panel, small_cases

from genoplatform.errors import BadInputError
from genoplatform.inference.gee import fit_gee
from genoplatform.inference.interaction import stack
from genoplatform.inference.mixed import fit_random_intercept
from genoplatform.inference.panel import build_panel


@pytest.fixture(scope="module")
def stacked():
    return stack(build_panel(generated_panel(small_cases(), RATES, 1)), "M")


def statsmodels_gee(data, family, y=None):
    model = sm.GEE(
        data.y if y is None else y,
        data.design,
        groups=data.groups,
        family=family,
        cov_struct=sm.cov_struct.Exchangeable(),
    )
    return model.fit(maxiter=200, ctol=1e-10)


@pytest.mark.parametrize(
    ("family", "reference"), [("binomial", sm.families.Binomial), ("gaussian", sm.families.Gaussian)]
)
def test_gee_equals_statsmodels(stacked, family, reference):
    """Both stop when the score is below 1e-10; 1e-7 leaves room for its conditioning."""
    ours = fit_gee(stacked.y, stacked.design, stacked.names, stacked.groups, family)
    theirs = statsmodels_gee(stacked, reference())
    assert ours.converged
    np.testing.assert_allclose(ours.coef, theirs.params, atol=1e-7)
    np.testing.assert_allclose(ours.se, theirs.bse, atol=1e-7)
    np.testing.assert_allclose(ours.p, theirs.pvalues, rtol=1e-5)
    assert ours.correlation == pytest.approx(theirs.model.cov_struct.dep_params, abs=1e-7)


def test_gee_with_a_continuous_outcome_equals_statsmodels(stacked):
    y = stacked.y + np.random.default_rng(3).normal(size=len(stacked.y))
    ours = fit_gee(y, stacked.design, stacked.names, stacked.groups, "gaussian")
    np.testing.assert_allclose(ours.se, statsmodels_gee(stacked, sm.families.Gaussian(), y).bse, atol=1e-9)


def test_separated_data_are_reported_and_not_estimated(stacked):
    always = stacked.y.copy()
    always[: len(always) // 3] = 1.0
    fit = fit_gee(always, stacked.design, stacked.names, stacked.groups, "binomial")
    assert not fit.converged
    assert fit.note.startswith("separated")
    assert np.isnan(fit.coef).all()
    assert np.isnan(fit.p).all()


def test_a_correlation_too_negative_for_the_largest_group_falls_back_to_independence():
    """One hit in each publication of three: the moment estimate is -1/2, where the correlation matrix is singular."""
    y = np.tile([1.0, 0.0, 0.0], 20)
    fit = fit_gee(y, np.ones((60, 1)), ("intercept",), np.repeat(np.arange(20), 3), "gaussian")
    assert fit.converged
    assert fit.correlation == 0.0
    assert fit.note.startswith("impossible working correlation of -0.5")
    assert fit.coef[0] == pytest.approx(1 / 3)


def test_a_perfect_fit_has_no_correlation_to_estimate():
    fit = fit_gee(np.ones(6), np.ones((6, 1)), ("intercept",), np.repeat([0, 1], 3), "gaussian")
    assert (fit.coef[0], fit.se[0], fit.correlation) == pytest.approx((1.0, 0.0, 0.0))


def test_reml_equals_statsmodels(stacked):
    """statsmodels by conjugate gradients, whose own tolerance (score of 1e-5) sets ours: its default optimiser
    stops at an infinite group variance on some panels of this shape and reports convergence."""
    ours = fit_random_intercept(stacked.y, stacked.design, stacked.names, stacked.groups)
    theirs = sm.MixedLM(stacked.y, stacked.design, stacked.groups).fit(method="cg", maxiter=500)
    assert theirs.converged
    assert ours.restricted_loglik == pytest.approx(theirs.llf, abs=1e-6)
    assert ours.restricted_loglik >= theirs.llf - 1e-9
    assert ours.residual_variance == pytest.approx(theirs.scale, rel=1e-4)
    assert ours.group_variance == pytest.approx(float(theirs.cov_re.squeeze()), rel=1e-3)
    np.testing.assert_allclose(ours.coef, theirs.fe_params, atol=1e-5)
    np.testing.assert_allclose(ours.se, theirs.bse_fe, rtol=1e-3)


def test_without_group_effects_the_mixed_model_is_least_squares():
    """Group sums all equal: the restricted likelihood falls from theta = 0, so REML must be ordinary least squares."""
    y = np.tile([0.0, 1.0], 30)
    groups = np.repeat(np.arange(30), 2)
    design = np.ones((60, 1))
    fit = fit_random_intercept(y, design, ("intercept",), groups)
    assert fit.group_variance == 0.0
    assert fit.coef[0] == pytest.approx(0.5)
    assert fit.se[0] == pytest.approx(np.sqrt(y.var(ddof=1) / 60))


def test_dependent_columns_are_refused(stacked):
    doubled = np.hstack([stacked.design, stacked.design[:, :1]])
    with pytest.raises(BadInputError, match="dependent"):
        fit_random_intercept(stacked.y, doubled, (*stacked.names, "again"), stacked.groups)
    with pytest.raises(BadInputError, match="dependent"):
        fit_gee(stacked.y, doubled, (*stacked.names, "again"), stacked.groups, "binomial")
