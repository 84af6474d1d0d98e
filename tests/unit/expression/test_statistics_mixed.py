"""Mixed models against dense algebra and statsmodels; calibration and power; and what the published one does."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import kstest
from scipy.stats import t as student

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Samples, Scaling
from genoplatform.expression.statistics.kernel import Kernel, gene_kernel, group_kernel
from genoplatform.expression.statistics.mixed_compat import compat_log_delta, fit_mixed_compat
from genoplatform.expression.statistics.mixed_lasso import fit_mixed_lasso
from genoplatform.expression.statistics.mixed_test import benjamini_hochberg, inflation_factor, lmm_test
from genoplatform.expression.statistics.null_model import fit_null, intercept_only
from genoplatform.expression.statistics.screen import by_person, screen_genes, screen_plainly, trait_is_of_persons


def related(n=80, p=400, families=16, seed=3):
    """Genes of samples that come in families, z-scored."""
    rng = np.random.default_rng(seed)
    family = np.arange(n) % families
    x = 1.2 * rng.normal(size=(families, p))[family] + rng.normal(size=(n, p))
    return Scaling.of(x).apply(x), family


def dense_tests(k, delta, x, y, covariates):
    """Generalised least squares gene by gene, by inverting the covariance: no eigenvectors, no projections."""
    precision = np.linalg.inv(k + delta * np.eye(len(y)))
    p_values, betas = [], []
    for gene in x.T:
        a = np.column_stack([covariates, gene])
        information = a.T @ precision @ a
        fit = np.linalg.solve(information, a.T @ precision @ y)
        residual = y - a @ fit
        degrees = len(y) - a.shape[1]
        variance = residual @ precision @ residual / degrees
        se = np.sqrt(variance * np.linalg.inv(information)[-1, -1])
        betas.append(fit[-1])
        p_values.append(2 * student.sf(abs(fit[-1] / se), degrees))
    return np.array(betas), np.array(p_values)


@pytest.mark.parametrize("delta", [0.05, 1.0, 30.0])
def test_p_values_equal_a_dense_computation(delta):
    x, _ = related()
    rng = np.random.default_rng(0)
    y = x[:, 0] + rng.normal(size=len(x))
    covariates = np.column_stack([np.ones(len(x)), rng.normal(size=len(x))])
    k = gene_kernel(x)
    found = lmm_test(Kernel.of(k), delta, x, y, covariates)
    beta, p = dense_tests(k, delta, x, y, covariates)
    np.testing.assert_allclose(found.p, p, rtol=1e-10)
    np.testing.assert_allclose(found.beta, beta, rtol=1e-8, atol=1e-12)
    assert found.degrees == len(y) - 3


def test_likelihood_is_that_of_the_dense_covariance():
    x, _ = related()
    y = np.random.default_rng(1).normal(size=len(x)) + x[:, 0]
    k, n = gene_kernel(x), len(x)
    for reml in (False, True):
        null = fit_null(Kernel.of(k), y, intercept_only(n), reml=reml)
        covariance = null.kernel_variance * k + null.residual_variance * np.eye(n)
        precision = np.linalg.inv(covariance)
        residual = y - null.fixed[0]
        log_det = np.linalg.slogdet(covariance)[1]
        dense = -0.5 * (n * np.log(2 * np.pi) + log_det + residual @ precision @ residual)
        if reml:
            dense += 0.5 * (np.log(2 * np.pi) - np.log(precision.sum()) + np.log(n))
        assert null.log_likelihood == pytest.approx(dense, rel=1e-10)


def test_one_kernel_of_groups_equals_statsmodels_mixedlm():
    """Random intercepts by REML: statsmodels' MixedLM on the same data, fixed effects, errors and variances."""
    rng = np.random.default_rng(7)
    groups = np.repeat(np.arange(20), 6)
    gene, n = rng.normal(size=120), 120
    y = 1.0 + 0.4 * gene + rng.normal(size=20)[groups] + 0.8 * rng.normal(size=n)
    design = np.column_stack([np.ones(n), gene])
    reference = sm.MixedLM(y, design, groups=groups).fit(reml=True)
    null = fit_null(Kernel.of(group_kernel(groups.astype(str).tolist())), y, design)
    np.testing.assert_allclose(null.fixed, reference.fe_params, rtol=1e-5)
    # statsmodels inverts the joint Hessian of effects and variances, which for the slope is a little more.
    np.testing.assert_allclose(null.fixed_se, reference.bse[:2], rtol=3e-3)
    assert null.residual_variance == pytest.approx(reference.scale, rel=1e-4)
    assert null.kernel_variance == pytest.approx(np.asarray(reference.cov_re)[0, 0], rel=1e-3)
    # statsmodels leaves out the term of the design alone.
    of_design = 0.5 * np.linalg.slogdet(design.T @ design)[1]
    assert null.log_likelihood - of_design == pytest.approx(reference.llf, rel=1e-6)


def test_p_values_are_uniform_without_effects_whatever_the_relatedness_and_plain_ones_are_not():
    """One gene a simulated trait; 600 independent traits with half of their variance the families'."""
    x, _ = related(n=90, p=600, families=15)
    rng = np.random.default_rng(11)
    k = gene_kernel(x)
    kernel, ones = Kernel.of(k), intercept_only(90)
    root = np.linalg.cholesky(k + 1e-9 * np.eye(90))
    plain_kernel = Kernel(np.ones(90), np.eye(90))
    mixed, plain = [], []
    for i in range(600):
        y = root @ rng.normal(size=90) + rng.normal(size=90)
        gene = x[:, [i]]
        null = fit_null(kernel, y, ones)
        mixed.append(lmm_test(kernel, null.delta, gene, y, ones).p[0])
        plain.append(lmm_test(plain_kernel, 1.0, gene, y, ones).p[0])
    assert kstest(mixed, "uniform").pvalue > 0.05
    assert 0.8 < inflation_factor(np.array(mixed)) < 1.25
    assert kstest(plain, "uniform").pvalue < 1e-6
    assert inflation_factor(np.array(plain)) > 1.5


def test_planted_genes_are_found_and_little_else():
    rng = np.random.default_rng(5)
    x, _ = related(n=200, p=1500, families=25)
    planted = np.arange(0, 1500, 300)
    k = gene_kernel(x)
    y = x[:, planted] @ np.full(5, 1.0) + np.linalg.cholesky(k + 1e-9 * np.eye(200)) @ rng.normal(size=200)
    y += rng.normal(size=200)
    found = screen_genes(Samples(x, y, np.empty((200, 0))))
    chosen = set(np.flatnonzero(benjamini_hochberg(found.tests.p) < 0.05))
    assert len(chosen & set(planted)) >= 4
    assert len(chosen - set(planted)) <= 1
    loose = set(np.flatnonzero(benjamini_hochberg(screen_plainly(Samples(x, y, np.empty((200, 0)))).p) < 0.05))
    assert len(loose - set(planted)) > 100, "taken as independent, relatives make many genes seem to matter"


def test_the_kernel_is_divided_by_the_number_of_genes_so_that_the_variance_ratio_is_found_inside_its_grid():
    """The (!) of C.9: undivided, with p = 3,000, the published grid ends before the optimum."""
    rng = np.random.default_rng(2)
    x, _ = related(n=100, p=3000, families=20)
    k = gene_kernel(x)
    y = np.linalg.cholesky(k + 1e-9 * np.eye(100)) @ rng.normal(size=100) + 1.5 * rng.normal(size=100)
    y = (y > -0.5).astype(float)  # as the benchmark's traits: 0 and 1, not centred
    null = fit_null(Kernel.of(k), y, intercept_only(100))
    assert null.edge is None
    assert 0.3 < null.delta < 20
    values, vectors = np.linalg.eigh(k * 3000)
    assert compat_log_delta(np.maximum(values, 0), vectors.T @ y) == 5.0


def test_restricted_likelihood_is_a_switch_that_does_something():
    """The (!) of C.9: the published one is inert. ML has the smaller residual variance, n against n - q."""
    rng = np.random.default_rng(9)
    groups = np.repeat(np.arange(8), 5).astype(str).tolist()
    design = np.column_stack([np.ones(40), rng.normal(size=(40, 8))])
    y = rng.normal(size=40)
    kernel = Kernel.of(group_kernel(groups))
    ml, reml = fit_null(kernel, y, design, reml=False), fit_null(kernel, y, design, reml=True)
    assert ml.residual_variance + ml.kernel_variance < 0.9 * (reml.residual_variance + reml.kernel_variance)


def test_edges_of_the_grid_are_told():
    x, family = related()
    noise = np.random.default_rng(4).permutation(np.linspace(-1, 1, len(x)))
    kernel = Kernel.of(group_kernel(family.astype(str).tolist()))
    assert fit_null(kernel, noise, intercept_only(len(x))).edge == "high"
    assert fit_null(kernel, family.astype(float), intercept_only(len(x))).edge == "low"


def test_too_few_samples_are_refused():
    with pytest.raises(BadInputError, match="mixed model"):
        fit_null(Kernel.of(np.eye(3)), np.zeros(3), np.ones((3, 2)))


class TestMixedLasso:
    def signs(self, x, y, penalty, flips):
        """The published model on the same kernel, eigenvectors with other signs: equally right eigenvectors."""
        values, vectors = np.linalg.eigh(x @ x.T)
        turned = ((vectors * flips) / np.sqrt(values + np.exp(5.0))).T @ x
        from genoplatform.expression.statistics.lasso_compat import cold_lasso

        return set(np.flatnonzero(cold_lasso(turned, y, penalty).coef_))

    def test_the_published_choice_depends_on_the_arbitrary_signs_of_eigenvectors(self):
        x, _ = related(n=60, p=800)
        y = (x[:, 0] > 0).astype(float)
        flips = np.where(np.arange(60) % 2, 1.0, -1.0)
        first, second = self.signs(x, y, 1e-3, np.ones(60)), self.signs(x, y, 1e-3, flips)
        assert first
        assert len(first & second) / len(first | second) < 0.3

    def test_ours_does_not_and_finds_the_gene(self, monkeypatch):
        x, _ = related(n=60, p=800)
        rng = np.random.default_rng(0)
        y = 1.5 * x[:, 0] + rng.normal(size=60)
        samples = Samples(x, y, np.empty((60, 0)))
        first = fit_mixed_lasso(samples, [0.2])[0]
        real = Kernel.of

        def flipped(k):
            kernel = real(k)
            return Kernel(kernel.eigenvalues, kernel.vectors * np.where(np.arange(60) % 2, 1.0, -1.0))

        monkeypatch.setattr(Kernel, "of", flipped)
        second = fit_mixed_lasso(samples, [0.2])[0]
        np.testing.assert_allclose(first.coefficients, second.coefficients, atol=1e-8)
        assert int(np.abs(first.coefficients).argmax()) == 0

    def test_ours_predicts_new_relatives_and_the_published_one_calls_all_positive(self):
        """C.9: un-rotated target and genes (!). Half of each family is held out."""
        rng = np.random.default_rng(8)
        x, family = related(n=160, p=600, families=20)
        y = (x[:, :5].sum(axis=1) + 2.0 * rng.normal(size=20)[family] > -1.0).astype(float)
        train, test = np.flatnonzero(np.arange(160) // 20 % 2 == 0), np.flatnonzero(np.arange(160) // 20 % 2 == 1)
        samples, none = Samples(x[train], y[train], np.empty((80, 0))), np.empty((80, 0))
        ours = fit_mixed_lasso(samples, [0.1])[0].predict(x[test], none) > 0.5
        theirs = fit_mixed_compat(samples, [0.01])[0].predict(x[test], none) > 0.5
        assert (ours == y[test]).mean() > max(y[test].mean(), 1 - y[test].mean()) + 0.05
        assert len(set(theirs.tolist())) == 1

    def test_prediction_is_mean_plus_blup_of_the_dense_model(self):
        """With no gene chosen: C b + K*(K + delta I)^-1 (y - C b)."""
        x, _ = related(n=60, p=300)
        rng = np.random.default_rng(1)
        y, z = x[:, 0] + rng.normal(size=60), rng.normal(size=(60, 1))
        new = rng.normal(size=(7, 300))
        model = fit_mixed_lasso(Samples(x, y, z), [50.0])[0]
        assert not model.coefficients.any()
        scaled, k = Scaling.of(x).apply(x), None
        k = gene_kernel(scaled)
        covariates = np.column_stack([np.ones(60), Scaling.of(z).apply(z)])
        null = fit_null(Kernel.of(k), y, covariates)
        precision = np.linalg.inv(k + null.delta * np.eye(60))
        fixed = np.linalg.solve(covariates.T @ precision @ covariates, covariates.T @ precision @ y)
        cross = Scaling.of(x).apply(new) @ scaled.T / 300
        z_new = rng.normal(size=(7, 1))
        means = np.column_stack([np.ones(7), Scaling.of(z).apply(z_new)]) @ fixed
        expected = means + cross @ precision @ (y - covariates @ fixed)
        np.testing.assert_allclose(model.predict(new, z_new), expected, rtol=1e-6, atol=1e-8)


class TestPersons:
    def test_a_trait_of_persons_is_tested_between_persons(self):
        """12 persons, 10 samples each; no effect at all. Counted as 120 samples, persons look like evidence."""
        rng = np.random.default_rng(6)
        persons = np.repeat(np.arange(12), 10)
        x = 2.0 * rng.normal(size=(12, 800))[persons] + rng.normal(size=(120, 800))
        y = (persons % 2).astype(float)
        samples = Samples(x, y, np.empty((120, 0)), [f"p{i:02d}" for i in persons])
        assert trait_is_of_persons(samples)
        found = screen_genes(samples)
        assert (found.unit, found.units) == ("person", 12)
        assert kstest(found.tests.p, "uniform").pvalue > 0.001
        assert inflation_factor(screen_plainly(samples).p) > 3
        assert (found.tests.p < 0.05).mean() < 0.1

    def test_averages_by_person(self):
        x = np.arange(8.0).reshape(4, 2)
        samples = Samples(
            x, np.array([1.0, 1.0, 0.0, 0.0]), np.array([[30.0], [30.0], [40.0], [40.0]]), ["b", "b", "a", "a"]
        )
        found = by_person(samples)
        assert found.y.tolist() == [0.0, 1.0]
        assert found.x.tolist() == [[5.0, 6.0], [1.0, 2.0]]
        assert found.z.tolist() == [[40.0], [30.0]]

    def test_a_trait_that_varies_within_persons_keeps_all_samples(self):
        rng = np.random.default_rng(6)
        persons = [f"p{i // 2}" for i in range(40)]
        x = 1.5 * rng.normal(size=(20, 300))[np.arange(40) // 2] + rng.normal(size=(40, 300))
        y = (np.arange(40) % 2).astype(float)
        x[:, 0] += 2.0 * y
        found = screen_genes(Samples(x, y, np.empty((40, 0)), persons))
        assert (found.unit, found.units) == ("sample", 40)
        assert int(found.tests.p.argmin()) == 0


def test_benjamini_hochberg_equals_statsmodels():
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(0).beta(0.5, 1, size=500)
    np.testing.assert_allclose(benjamini_hochberg(p), multipletests(p, method="fdr_bh")[1], rtol=1e-12)
    with pytest.raises(BadInputError):
        benjamini_hochberg(np.array([0.5, np.nan]))


def test_genes_that_do_not_vary_are_counted_and_never_significant():
    x, _ = related(p=20)
    x[:, 3] = 0.0
    covariates = np.column_stack([np.ones(len(x)), x[:, 5]])
    found = lmm_test(Kernel.of(gene_kernel(x)), 1.0, x, x[:, 0], covariates)
    assert found.untestable == 2
    assert found.p[[3, 5]].tolist() == [1.0, 1.0]
    assert pd.notna(found.p).all()
