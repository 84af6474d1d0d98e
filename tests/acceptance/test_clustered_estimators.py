"""Estimators against independent implementations on generated hits over the released cases.

The covariates and the 415 publications (1 to 42 cases) are the real ones; hits are generated at the published
rates with publication effects, since the real ones are not released.
"""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from released_panel import generated_panel, reference, released_cases

from genoplatform.inference.density import density_adjusted_shift, density_interaction
from genoplatform.inference.did import difference_in_differences
from genoplatform.inference.interaction import stack
from genoplatform.inference.mixed import fit_random_intercept
from genoplatform.inference.panel import build_panel
from genoplatform.inference.weights import weighted_rates
from genoplatform.inference.zero_density import zero_density

pytestmark = pytest.mark.shared
SYSTEMS = ["M", "K", "S", "O"]


@pytest.fixture(scope="module")
def panel(shared):
    published = reference(shared)["wp3_did"]["per_system"]
    rates = {name: (published[name]["present"], published[name]["absent"]) for name in SYSTEMS}
    return build_panel(generated_panel(released_cases(shared), rates, seed=1))


@pytest.fixture(scope="module")
def result(panel):
    return difference_in_differences(panel, "M", draws=200)


def test_mixed_model_equals_the_raw_difference_of_shifts(panel, result):
    """Each publication holds every system equally often; equality to the rounding of the solver."""
    shift = result.shifts.set_index("system")["shift"]
    np.testing.assert_allclose(result.mixed["coef"], shift[SYSTEMS[1:]] - shift["M"], atol=1e-10)
    assert result.mixed["group_variance"].min() > 0.01


def test_mixed_model_equals_statsmodels(panel):
    """By conjugate gradients: statsmodels' L-BFGS can stop at an infinite group variance on such a panel and call it
    convergence. Its tolerance is a score of 1e-5, hence 1e-4 on the variances."""
    data = stack(panel, "M")
    ours = fit_random_intercept(data.y, data.design, data.names, data.groups)
    theirs = sm.MixedLM(data.y, data.design, data.groups).fit(method="cg", maxiter=500)
    assert ours.restricted_loglik == pytest.approx(theirs.llf, abs=1e-6)
    assert ours.residual_variance == pytest.approx(theirs.scale, rel=1e-4)
    at = [data.interaction(name) for name in data.others]
    np.testing.assert_allclose(ours.coef[at], theirs.fe_params[at], atol=1e-8)
    np.testing.assert_allclose(ours.se[at], theirs.bse_fe[at], rtol=1e-4)


def statsmodels_gee(y, design, groups, family):
    return sm.GEE(y, design, groups=groups, family=family, cov_struct=sm.cov_struct.Exchangeable()).fit(
        maxiter=200, ctol=1e-9
    )


def test_logistic_gee_equals_statsmodels(panel, result):
    """Both solve the score to 1e-9 or better; 1e-7 leaves room for its conditioning."""
    data = stack(panel, "M")
    theirs = statsmodels_gee(data.y, data.design, data.groups, sm.families.Binomial())
    at = [data.interaction(name) for name in data.others]
    np.testing.assert_allclose(result.gee["coef"], theirs.params[at], atol=1e-7)
    np.testing.assert_allclose(result.gee["z"], theirs.tvalues[at], atol=1e-6)
    np.testing.assert_allclose(np.log(result.gee["hi"]), theirs.params[at] + 1.96 * theirs.bse[at], atol=1e-6)


def test_density_models_equal_statsmodels(panel):
    table = density_adjusted_shift(panel).set_index("system")
    ones, absent, density = np.ones(1047), panel.absent * 1.0, panel.column("log_density")
    for name in ("M", "K"):
        y = panel.hits[:, panel.index(name)]
        designs = {"crude": np.column_stack([ones, absent]), "adjusted": np.column_stack([ones, absent, density])}
        for key, design in designs.items():
            theirs = statsmodels_gee(y, design, panel.groups, sm.families.Gaussian())
            found = table.loc[name, [key, f"{key}_se", f"{key}_p"]].to_numpy(dtype=float)
            np.testing.assert_allclose(found[:2], [theirs.params[1], theirs.bse[1]], atol=1e-8)
            assert found[2] == pytest.approx(theirs.pvalues[1], rel=1e-5)
    data = stack(panel, "M", "log_density")
    theirs = statsmodels_gee(data.y, data.design, data.groups, sm.families.Gaussian())
    rows = density_interaction(panel, "M")
    at = [data.interaction(name) for name in rows["system"]]
    np.testing.assert_allclose(rows["adjusted"], theirs.params[at], atol=1e-8)
    np.testing.assert_allclose(rows["adjusted_se"], theirs.bse[at], atol=1e-8)


def test_weighted_intervals_equal_a_naive_loop(panel):
    """The same stream drawn publication by publication, cases copied out; sums in another order, hence 1e-12."""
    part = panel.where(~panel.absent)
    clusters = part.cases["cluster"].to_numpy()
    names = list(dict.fromkeys(clusters))
    members = {name: np.flatnonzero(clusters == name) for name in names}
    weight = part.cases["weight"].to_numpy()[:, None]
    rng, draws = np.random.default_rng(42), []
    for _ in range(300):
        rows = np.concatenate([members[names[i]] for i in rng.choice(len(names), len(names), replace=True)])
        draws.append((weight[rows] * part.hits[rows]).sum(axis=0) / weight[rows].sum())
    table = weighted_rates(panel, draws=300)
    table = table[table["subset"] == "overlap_present"]
    expected = np.percentile(draws, [2.5, 97.5], axis=0)
    np.testing.assert_allclose(table[["ht_lo", "ht_hi"]].to_numpy().T, expected, atol=1e-12)


def test_zero_density_permutation_equals_a_naive_loop(panel):
    """Publication means by pandas, labels shuffled in publication order; the count is the same integer."""
    inside = panel.where(~panel.absent)
    hits = pd.DataFrame(inside.hits, columns=list(inside.systems))
    table = hits.assign(cluster=inside.cases["cluster"], z=inside.column("density") == 0)
    means = table.groupby("cluster").mean().sort_index()
    pure = means[means["z"].isin([0.0, 1.0])]
    label, rates = (pure["z"] == 1.0).to_numpy(), pure[list(inside.systems)].to_numpy()
    observed = np.abs(rates[label].mean(axis=0) - rates[~label].mean(axis=0))
    rng, count = np.random.default_rng(42), np.zeros(len(inside.systems))
    for _ in range(500):
        shuffled = rng.permutation(label)
        gap = np.abs(rates[shuffled].mean(axis=0) - rates[~shuffled].mean(axis=0))
        count += gap >= observed - 1e-12
    result = zero_density(panel, "M", draws=500)
    assert (label.sum(), (~label).sum(), result.n_mixed) == (78, 243, 1)
    assert result.gradients["p"].tolist() == ((count + 1) / 501).tolist()
