"""Problems, pair rules, cohort choice, regressors, two steps, and the form of an answer."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from genoplatform.errors import BadInputError, EmptyResultError, SettingsError
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.linked_tables import linked_tables
from genoplatform.expression.statistics.answer import KnownGenes, answer, choose_cohorts
from genoplatform.expression.statistics.answer_tables import answer_of, answer_tables, result_table
from genoplatform.expression.statistics.arrays import Scaling
from genoplatform.expression.statistics.cohort_choice import Choice, choose
from genoplatform.expression.statistics.design import make_design
from genoplatform.expression.statistics.problems import (
    Catalogue,
    PairRules,
    Problem,
    catalogue_of_problems,
    catalogue_table,
    known_gene_table,
    propose_pairs,
)
from genoplatform.expression.statistics.result import file_name
from genoplatform.expression.statistics.solve import solve
from genoplatform.expression.statistics.two_step import predict_condition
from genoplatform.settings.expression import StatisticsSettings


def cohort(trait="T", name="GSE1", n=40, genes=30, seed=0, covariates=(), binary=True, groups=None):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, genes))
    y = x[:, 0] + 0.3 * rng.normal(size=n)
    clinical = pd.DataFrame({trait: (y > 0).astype(float) if binary else y})
    for covariate in covariates:
        clinical[covariate] = rng.integers(0, 2, n).astype(float)
    clinical.index = [f"GSM{i}" for i in range(n)]
    return LinkedCohort(trait, name, clinical, [f"G{i:02d}" for i in range(genes)], x, groups)


class TestProblems:
    def test_keys_kinds_and_file_names(self):
        assert Problem.of("Asthma|None") == Problem("Asthma")
        assert Problem("Asthma", "Age").kind == "demographic"
        assert Problem.of("Asthma|Obesity").kind == "two_step"
        assert file_name(Problem("Asthma")) == "significant_genes_condition_None.json"

    @pytest.mark.parametrize("key", ["Asthma", "Asthma|", "|Age", "A|B|C", "A|A"])
    def test_what_is_no_key_is_refused(self, key):
        with pytest.raises(BadInputError, match=r"Trait\|Condition"):
            Problem.of(key)

    def test_catalogue_of_task_info(self):
        """Order: traits sorted, unconditional first, conditions as listed (expression.md A.2)."""
        info = {
            "B": {"related_genes": ["X", "Y", "X"], "conditions": ["Age", "A"]},
            "A": {"related_genes": ["Y", "Z"], "conditions": []},
        }
        catalogue = Catalogue.of(info)
        assert [problem.key for problem in catalogue.problems()] == ["A|None", "B|None", "B|Age", "B|A"]
        table = catalogue_table(catalogue).set_index(["trait", "condition"])
        assert table.loc[("B", "A"), "jaccard"] == pytest.approx(1 / 3)
        assert known_gene_table(catalogue)["gene"].tolist() == ["Y", "Z", "X", "Y"]
        assert len(catalogue_table(catalogue_of_problems(["T|Age", "T|None"]))) == 2

    @pytest.mark.parametrize("entry", [[], {"related_genes": ["A"]}, {"related_genes": "A", "conditions": []}])
    def test_wrong_shapes_are_named(self, entry):
        with pytest.raises(BadInputError, match="entry 'T'"):
            Catalogue.of({"T": entry})

    def test_pair_rules(self):
        """Second release (A.2): Jaccard, always-conditions, sexes, cancers, entities that are no traits."""
        related = {name: ["X", "Y"] for name in ("Prostate", "Breast", "Lung", "Asthma", "LDL")} | {"Obesity": ["Q"]}
        rules = PairRules(
            male={"Prostate"}, female={"Breast"}, cancers={"Prostate", "Breast", "Lung"}, not_traits={"LDL"}
        )
        kept = {problem.key for problem in propose_pairs(related, rules)}
        assert {"Asthma|Lung", "Asthma|Gender", "Asthma|Age", "Lung|Obesity", "Prostate|Age", "Asthma|LDL"} <= kept
        refused = {
            "Prostate|Breast",
            "Lung|Prostate",
            "Prostate|Gender",
            "LDL|Asthma",
            "Obesity|Asthma",
            "Asthma|Asthma",
        }
        assert not refused & kept


class TestChoice:
    def test_largest_cohort_and_a_fixed_rule_for_ties(self):
        """C.1 (!): the published order of ties is left to chance."""
        cohorts = [cohort(name="GSE9", n=40), cohort(name="GSE10", n=40), cohort(name="GSE1", n=30)]
        for order in (cohorts, cohorts[::-1]):
            assert choose(Problem("T"), order, [], []).trait_cohort == "GSE10"

    def test_a_covariate_must_be_there(self):
        small = cohort(name="GSE2", n=20, covariates=["Age"])
        found = choose(Problem("T", "Age"), [cohort(n=50), small], [], [])
        assert found.trait_cohort == "GSE2"
        none = choose(Problem("T", "Gender"), [small], [], [])
        assert none.trait_cohort is None
        assert "no usable cohort of T with Gender" in none.why

    def test_pairs_by_product_of_sizes_with_common_regressors(self):
        """The largest pair shares nothing; the next is taken. Regressors in list order."""
        big = LinkedCohort("C", "GSE5", *_renamed(cohort("C", n=90), "H"))
        small = cohort("C", "GSE6", n=25)
        found = choose(Problem("T", "C"), [cohort()], [big, small], ["G07", "nowhere", "G03"])
        assert (found.condition_cohort, found.regressors) == ("GSE6", ("G07", "G03"))
        assert choose(Problem("T", "C"), [cohort()], [big], ["G07"]).trait_cohort is None
        settings = StatisticsSettings(exclude_trait_genes=True)
        known = KnownGenes(["G07"], ["G07", "G03"])
        assert choose_cohorts(Problem("T", "C"), [cohort(), small], known, settings).regressors == ("G03",)
        many = KnownGenes([], [f"G{i:02d}" for i in range(20)])
        first = choose_cohorts(Problem("T", "C"), [cohort(), small], many, StatisticsSettings(rules="compat_v1"))
        assert len(first.regressors) == 10


class TestTwoSteps:
    def test_probability_is_learnt_in_one_cohort_and_applied_by_own_z_scores(self):
        """C.4: each cohort is scaled by its own mean and spread, so units of a platform do not matter."""
        here, there = cohort("C", n=60), cohort("T", "GSE2", n=30, seed=4)
        shifted = LinkedCohort("T", "GSE2", there.clinical, there.genes, 100.0 + 7.0 * there.values)
        names = ("G00", "G05")
        found = predict_condition(here, there, names)
        np.testing.assert_allclose(predict_condition(here, shifted, names), found, rtol=1e-9)
        x, new = here.values[:, [0, 5]], there.values[:, [0, 5]]
        model = LogisticRegression(max_iter=5000).fit(Scaling.of(x).apply(x), here.clinical["C"])
        np.testing.assert_allclose(found, model.predict_proba(Scaling.of(new).apply(new))[:, 1], rtol=1e-9)

    def test_a_continuous_condition_keeps_its_information_whatever_its_unit(self):
        """C.4 (!): a Lasso with penalty 1 gives a constant where the condition has a small spread."""
        condition = cohort("C", n=20, genes=40, binary=False)
        names = tuple(condition.genes)
        trait = cohort("T", "GSE2", n=25, genes=40, seed=2)
        compat = predict_condition(condition, trait, names, "compat_v2")
        assert np.ptp(compat) == 0.0
        sound = predict_condition(condition, trait, names)
        assert np.ptp(sound) > 0.1
        tenfold = LinkedCohort("C", "GSE1", condition.clinical * 10.0, condition.genes, condition.values)
        np.testing.assert_allclose(predict_condition(tenfold, trait, names), 10.0 * sound, rtol=1e-6)

    @pytest.mark.parametrize("binary", [True, False])
    @pytest.mark.parametrize("regressors", [3, 40])
    def test_compat_takes_the_benchmark_s_four_models(self, binary, regressors):
        condition, trait = cohort("C", n=20, genes=40, binary=binary), cohort("T", "GSE2", genes=40)
        found = predict_condition(condition, trait, tuple(condition.genes[:regressors]), "compat_v1")
        assert found.shape == (40,)
        assert (((found >= 0) & (found <= 1)).all()) or not binary

    def test_regressors_are_left_out_of_the_genes_except_by_the_second_release(self):
        """C.4 (!)."""
        trait, condition = cohort(), cohort("C", "GSE2", seed=3)
        choice = Choice("GSE1", "GSE2", ("G01", "G02"))
        sound = make_design(Problem("T", "C"), choice, trait, condition)
        assert not {"G01", "G02"} & set(sound.genes)
        assert sound.samples.x.shape == (40, 28)
        assert sound.removed == ("G01", "G02")
        forgotten = make_design(Problem("T", "C"), choice, trait, condition, "compat_v2")
        assert {"G01", "G02"} <= set(forgotten.genes)
        assert not {"G01"} & set(make_design(Problem("T", "C"), choice, trait, condition, "compat_v1").genes)

    def test_other_codes_of_a_binary_trait_are_made_0_and_1(self):
        trait = cohort()
        two = LinkedCohort("T", "GSE1", trait.clinical + 1.0, trait.genes, trait.values)
        assert set(make_design(Problem("T"), Choice("GSE1"), two, None).samples.y) == {0.0, 1.0}

    def test_missing_values_are_refused(self):
        trait = cohort()
        trait.values[3, 4] = np.nan
        with pytest.raises(BadInputError, match="genes with missing values"):
            make_design(Problem("T"), Choice("GSE1"), trait, None)


class TestAnswers:
    SETTINGS = StatisticsSettings(permutations=19, stability_pairs=3)

    @pytest.mark.parametrize("model", ["auto", "lasso", "lmm_lasso", "lmm_test"])
    def test_every_model_finds_the_gene_and_says_what_it_rests_on(self, model):
        settings = self.SETTINGS.model_copy(update={"model": model})
        found = answer(Problem("T"), Choice("GSE1"), [cohort(n=80)], KnownGenes(["G00", "G09"]), settings)
        assert found.chosen[0] == "G00"
        assert found.facts["rules"] == "sound"
        assert found.facts["leaking_groups"] == 0
        assert found.genes.loc[0, "known"]
        assert found.performance["prediction"].keys() == {"accuracy", "precision", "recall", "f1"}
        assert found.genes["p_value"].between(0, 1).all()

    def test_continuous_traits(self):
        found = answer(Problem("T"), Choice("GSE1"), [cohort(n=80, binary=False)], KnownGenes([]), self.SETTINGS)
        assert found.performance["prediction"].keys() == {"nmse", "r_squared"}
        assert found.performance["prediction"]["r_squared"] > 0.5

    def test_benchmark_file_with_and_without_p_values(self):
        """expression.md A.5: parallel lists; Absolute Coefficient, or p_value and corrected_p_value."""
        for model, last in (("lasso", ["Absolute Coefficient"]), ("lmm_test", ["p_value", "corrected_p_value"])):
            settings = self.SETTINGS.model_copy(update={"model": model})
            found = answer(Problem("T"), Choice("GSE1"), [cohort(n=80)], KnownGenes(["G00"]), settings).benchmark()
            genes = found["significant_genes"]
            assert list(genes) == ["Variable", "Coefficient", *last]
            assert len({len(values) for values in genes.values()}) == 1
            order = [abs(v) for v in genes["Coefficient"]] if model == "lasso" else [-p for p in genes["p_value"]]
            assert order == sorted(order, reverse=True)
            assert found["cv_performance"].keys() == {"prediction", "selection"}
            json.dumps(found, allow_nan=False)

    def test_the_covariate_is_no_gene(self):
        trait = cohort(n=60, covariates=["Age"])
        for rules in ("sound", "compat_v2"):
            settings = self.SETTINGS.model_copy(update={"rules": rules, "model": "lasso"})
            found = answer(Problem("T", "Age"), Choice("GSE1"), [trait], KnownGenes(["G00"]), settings)
            assert "Age" not in found.chosen
            assert len(found.facts["covariate_coefficients"]) == 1

    def test_persons_do_not_leak_and_compat_says_that_they_do(self):
        people = [f"p{i // 4}" for i in range(80)]
        trait = cohort(n=80, groups=people)
        sound = answer(Problem("T"), Choice("GSE1"), [trait], KnownGenes(["G00"]), self.SETTINGS)
        assert (sound.facts["leaking_groups"], sound.facts["persons"], sound.facts["model"]) == (0, 20, "lmm_test")
        compat = self.SETTINGS.model_copy(update={"rules": "compat_v2"})
        assert answer(Problem("T"), Choice("GSE1"), [trait], KnownGenes(["G00"]), compat).facts["leaking_groups"] > 0

    def test_compat_has_no_tests_and_no_cohort_is_no_answer(self):
        compat = StatisticsSettings(rules="compat_v2", model="lmm_test")
        with pytest.raises(SettingsError, match="compat has no lmm_test"):
            answer(Problem("T"), Choice("GSE1"), [cohort()], KnownGenes([]), compat)
        with pytest.raises(EmptyResultError, match="nothing there"):
            answer(Problem("T"), Choice(None, why="nothing there"), [], KnownGenes([]), compat)

    def test_from_stored_tables_to_stored_tables_and_one_row_a_problem(self):
        record = pd.DataFrame({"is_usable": [True]})
        stored = {"T|GSE1": linked_tables(cohort(n=60)) | {"record": record}}
        known = pd.DataFrame({"trait": ["Known"], "rank": [1], "gene": ["G00"]})
        settings = self.SETTINGS.model_copy(update={"known_traits": {"T": "Known"}})
        tables = solve("T|None", stored, known, settings)
        back = answer_of(Problem("T"), tables)
        direct = answer(Problem("T"), Choice("GSE1"), [cohort(n=60)], KnownGenes(["G00"]), settings)
        assert back.chosen == direct.chosen
        assert back.benchmark() == direct.benchmark()
        unusable = {"T|GSE1": stored["T|GSE1"] | {"record": pd.DataFrame({"is_usable": [False]})}}
        empty = solve("T|None", unusable, known, settings)
        assert answer_of(Problem("T"), empty) is None
        rows = result_table({"T|None": tables, "T|Age": empty})
        assert rows["answered"].tolist() == [False, True]
        assert rows["why"].iloc[0] == "no usable cohort of T"
        assert rows["known_chosen"].tolist() == [0, 1]
        assert answer_tables(direct, Choice("GSE1", why="x"))["genes"].equals(direct.genes)


def _renamed(one, prefix):
    return one.clinical, [f"{prefix}{i:02d}" for i in range(len(one.genes))], one.values
