"""The Lasso: optimal, with the support of an exact solver, and what the published cold descent gives instead."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso, lars_path

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Samples, Scaling
from genoplatform.expression.statistics.lasso import fit_lasso
from genoplatform.expression.statistics.lasso_compat import fit_lasso_compat
from genoplatform.expression.statistics.lasso_path import largest_alpha, lasso_path

GRID = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0]


def wide(n=40, p=300, seed=1):
    """Correlated columns (blocks share a factor) and a binary target that depends on a few."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, 10))
    x = 0.6 * factor[:, rng.integers(0, 10, p)] + rng.normal(size=(n, p))
    y = (x[:, :4].sum(axis=1) + 0.5 * rng.normal(size=n) > 0).astype(float)
    return Scaling.of(x).apply(x), y


def objective(x, y, beta, intercept, alpha):
    return ((y - intercept - x @ beta) ** 2).sum() / (2 * len(y)) + alpha * np.abs(beta).sum()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_penalty_is_optimal_and_has_the_support_of_lars(seed):
    """scikit-learn's LARS is exact; its path between knots is linear, so that its solution at alpha is known."""
    x, y = wide(seed=seed)
    centred = y - y.mean()
    alphas, _, path = lars_path(x - x.mean(axis=0), centred, method="lasso")
    for fit in lasso_path(x, y, [0.1, 0.03, 0.01, 1e-3]):
        exact = np.array([np.interp(fit.alpha, alphas[::-1], row[::-1]) for row in path])
        best = objective(x, y, exact, y.mean(), fit.alpha)
        found = objective(x, y, fit.coefficients, fit.intercept, fit.alpha)
        assert found <= best * (1 + 1e-9)
        assert fit.relative_gap < 1e-10
        assert fit.converged
        assert set(np.flatnonzero(fit.coefficients)) == set(np.flatnonzero(np.abs(exact) > 1e-12))
        np.testing.assert_allclose(fit.coefficients, exact, atol=1e-9)


def test_the_gap_bounds_the_distance_to_the_optimum_on_the_published_grid():
    x, y = wide(p=900)
    for fit in lasso_path(x, y, GRID):
        assert fit.relative_gap < 1e-6
        assert np.count_nonzero(fit.coefficients) <= len(y) - 1, "an exact Lasso has at most as many genes as samples"


def test_optimality_conditions_hold_over_all_columns():
    x, y = wide(p=2000)
    for fit in lasso_path(x, y, [0.05, 0.005]):
        slope = x.T @ (y - fit.predict(x)) / len(y)
        active = fit.coefficients != 0
        np.testing.assert_allclose(slope[active], fit.alpha * np.sign(fit.coefficients[active]), rtol=1e-6)
        assert np.abs(slope).max() <= fit.alpha * (1 + 1e-8)


def test_cold_descent_stops_early_and_depends_on_the_order_of_columns_while_the_path_does_not():
    """The (!) of expression.md A.6 and C.8 in small."""
    x, y = wide(n=60, p=3000)
    order = np.random.default_rng(0).permutation(x.shape[1])
    none = np.empty((len(y), 0))

    def chosen(fitter, columns):
        model = fitter(Samples(x[:, columns], y, none), [1e-6])[0]
        return set(columns[model.chosen].tolist()), model.relative_gap

    straight = np.arange(x.shape[1])
    (cold, gap), (cold_shuffled, _) = chosen(fit_lasso_compat, straight), chosen(fit_lasso_compat, order)
    (exact, exact_gap), (exact_shuffled, _) = chosen(fit_lasso, straight), chosen(fit_lasso, order)
    assert len(cold) > 2 * len(y)
    assert len(cold & cold_shuffled) / len(cold | cold_shuffled) < 0.5
    assert gap > 0.1
    assert exact == exact_shuffled
    assert len(exact) < len(y)
    assert exact_gap < 1e-6


def test_the_published_solver_is_scikit_learn_from_zero():
    x, y = wide()
    for model in fit_lasso_compat(Samples(x, y, np.empty((len(y), 0))), [0.01, 0.1]):
        reference = Lasso(alpha=model.penalty).fit(Scaling.of(x).apply(x), y)
        np.testing.assert_allclose(model.coefficients, reference.coef_, rtol=1e-12)


def test_covariates_are_not_penalised_and_are_taken_out_of_genes_too():
    """With the covariate given, the solution is that of the Lasso on what it leaves of target and genes (FWL)."""
    x, y = wide()
    z = x[:, :3].sum(axis=1, keepdims=True) + np.random.default_rng(5).normal(size=(len(y), 1))
    model = fit_lasso(Samples(x, y, z), [0.05])[0]
    residual = y - model.predict(x, z)
    assert abs(residual.mean()) < 1e-12
    assert abs(residual @ (z[:, 0] - z.mean())) < 1e-9, "a penalised covariate would leave some of itself"
    compat = fit_lasso_compat(Samples(x, y, z), [0.05])[0]
    left = y - compat.predict(x, z)
    assert abs(left @ (z[:, 0] - z.mean())) > 1e-3, "the published order of steps does"


def test_a_covariate_that_is_constant_in_the_training_rows_does_no_harm():
    x, y = wide()
    with_constant = fit_lasso(Samples(x, y, np.ones((len(y), 1))), [0.05])[0]
    without = fit_lasso(Samples(x, y, np.empty((len(y), 0))), [0.05])[0]
    np.testing.assert_allclose(with_constant.coefficients, without.coefficients, atol=1e-12)


def test_equal_columns_constant_columns_and_a_constant_target():
    x, y = wide(p=50)
    doubled = np.hstack([x, x[:, :5], np.zeros((len(y), 1))])
    for fit in lasso_path(doubled, y, [0.1, 0.01, 1e-4]):
        assert fit.relative_gap < 1e-8
        assert fit.coefficients[-1] == 0
    (flat,) = lasso_path(x, np.full(len(y), 3.0), [0.1])
    assert not flat.coefficients.any()
    assert flat.intercept == 3.0


def test_nothing_is_chosen_at_the_largest_useful_penalty_and_something_just_below():
    x, y = wide()
    top = largest_alpha(x, y)
    at, below = lasso_path(x, y, [top, 0.99 * top])
    assert not at.coefficients.any()
    assert np.count_nonzero(below.coefficients) == 1


def test_bad_penalties_are_refused():
    x, y = wide()
    with pytest.raises(BadInputError, match="positive"):
        lasso_path(x, y, [0.0])
