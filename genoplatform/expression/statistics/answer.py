"""From a problem and its cohorts to an answer, by the rules in force. The order of the steps, and nothing else.

`sound`: hidden structure tested by permutation; persons kept together in folds; the Lasso converged; penalties chosen
by held-out deviance; p-values of every gene from a mixed model beside any choice. `compat`: the benchmark's steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from genoplatform.errors import EmptyResultError, SettingsError
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.statistics.arrays import Samples, Scaling
from genoplatform.expression.statistics.batch_effect import benchmark_rule, hidden_structure
from genoplatform.expression.statistics.cohort_choice import FIRST_RELEASE_REGRESSORS, Choice, choose
from genoplatform.expression.statistics.design import Design, make_design
from genoplatform.expression.statistics.folds import balanced_folds, compat_folds, leaking_groups
from genoplatform.expression.statistics.lasso import fit_lasso
from genoplatform.expression.statistics.lasso_compat import fit_lasso_compat
from genoplatform.expression.statistics.lasso_path import largest_alpha
from genoplatform.expression.statistics.linear_model import Fitter, LinearModel
from genoplatform.expression.statistics.mixed_compat import fit_mixed_compat
from genoplatform.expression.statistics.mixed_lasso import mixed_lasso_fitter
from genoplatform.expression.statistics.mixed_screen import NO_PENALTY, screened_fitter
from genoplatform.expression.statistics.mixed_test import benjamini_hochberg, inflation_factor
from genoplatform.expression.statistics.problems import Problem
from genoplatform.expression.statistics.result import Answer, gene_table
from genoplatform.expression.statistics.screen import screen_genes, screen_plainly
from genoplatform.expression.statistics.stability import Stability, stability
from genoplatform.expression.statistics.tuning import Tuning, automatic_penalties, tune, tune_compat
from genoplatform.settings.expression import StatisticsSettings

GRIDS = {
    "compat_v1": [1e-6, 1e-4, 1e-2, 1.0],
    "compat_v2": [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0],
}


@dataclass(frozen=True)
class KnownGenes:
    """Known genes, best first, of the trait and of the condition (empty where there is none)."""

    trait: Sequence[str]
    condition: Sequence[str] = ()


def choose_cohorts(
    problem: Problem, cohorts: Sequence[LinkedCohort], known: KnownGenes, settings: StatisticsSettings
) -> Choice:
    """Cohorts and regressors of a problem among usable cohorts of its trait and condition."""
    return choose(
        problem,
        [cohort for cohort in cohorts if cohort.trait == problem.trait],
        [cohort for cohort in cohorts if cohort.trait == problem.condition],
        known.condition,
        most_regressors=FIRST_RELEASE_REGRESSORS if settings.rules == "compat_v1" else None,
        excluded=known.trait if settings.exclude_trait_genes else (),
    )


def answer(
    problem: Problem, choice: Choice, cohorts: Sequence[LinkedCohort], known: KnownGenes, settings: StatisticsSettings
) -> Answer:
    """Answer a problem with the chosen cohorts.

    Raises:
        EmptyResultError: no cohort was chosen.
        SettingsError: compat has no such model.
    """
    if choice.trait_cohort is None:
        raise EmptyResultError(f"answering {problem.key}", choice.why, "see the cohorts' records")
    trait = _named(cohorts, problem.trait, choice.trait_cohort)
    other = _named(cohorts, problem.condition, choice.condition_cohort) if choice.condition_cohort else None
    design = make_design(problem, choice, trait, other, settings.rules)
    wanted = set(known.trait)
    related = [i for i, gene in enumerate(design.genes) if gene in wanted]
    facts: dict[str, Any] = {
        "rules": settings.rules,
        "trait_cohort": choice.trait_cohort,
        "condition_cohort": choice.condition_cohort,
        "regressors": list(choice.regressors),
        "samples": len(design.samples.y),
        "persons": len(set(design.samples.groups or range(len(design.samples.y)))),
        "genes": len(design.genes),
        "known_genes": len(related),
    }
    solve = _sound if settings.rules == "sound" else _compat
    return solve(problem, design, related, wanted, facts, settings)


def _compat(
    problem: Problem, design: Design, related: list[int], wanted: set[str], facts: dict[str, Any],
    settings: StatisticsSettings,
) -> Answer:  # fmt: skip
    if settings.model == "lmm_test":
        raise SettingsError("choosing a model", "compat has no lmm_test", "use rules: sound")
    samples = design.samples
    rule = benchmark_rule(samples.x)
    mixed = rule.batch if settings.model == "auto" else settings.model == "lmm_lasso"
    fitter: Fitter = fit_mixed_compat if mixed else fit_lasso_compat
    penalties = settings.penalties or GRIDS[settings.rules]
    folds = compat_folds(len(samples.y), settings.folds, settings.seed)
    tuning = tune_compat(fitter, samples, penalties, folds, related)
    model = fitter(samples, [tuning.penalty])[0]
    table = gene_table(design.genes, model.coefficients, model.coefficients != 0, wanted, tested=False)
    facts |= {
        "model": "lmm_lasso" if mixed else "lasso",
        "batch_effect": rule.batch,
        "eigenvalue_ratios": rule.ratios.tolist(),
        "threshold": rule.threshold,
        "leaking_groups": leaking_groups(folds, samples.groups),
    } | _tuned(tuning, model)
    return Answer(problem, table, False, _performance(tuning), tuning.table, facts)


def _sound(
    problem: Problem, design: Design, related: list[int], wanted: set[str], facts: dict[str, Any],
    settings: StatisticsSettings,
) -> Answer:  # fmt: skip
    samples = design.samples
    structure = hidden_structure(
        samples.x, samples.y, samples.z, permutations=settings.permutations, seed=settings.seed
    )
    name = settings.model
    if name == "auto":
        name = "lmm_test" if structure.found or samples.groups is not None else "lasso"
    fitter = {
        "lasso": fit_lasso,
        "lmm_lasso": mixed_lasso_fitter(settings.reml),
        "lmm_test": screened_fitter(settings.fdr, settings.reml),
    }[name]
    folds = balanced_folds(samples.y, samples.groups, settings.folds, settings.seed)
    penalties = _penalties(samples, name, settings)
    rule = settings.penalty_rule
    tuning = tune(fitter, samples, penalties, folds, related, rule)
    model = fitter(samples, [tuning.penalty])[0]
    screen = screen_genes(samples, reml=settings.reml)
    tests, null = screen.tests, screen.null
    corrected = benjamini_hochberg(tests.p)
    tested = name == "lmm_test"
    chosen = np.asarray(corrected < settings.fdr if tested else model.coefficients != 0, dtype=np.bool_)
    steady = _stability(fitter, samples, tuning.penalty, settings)
    table = gene_table(
        design.genes, tests.beta if tested else model.coefficients, chosen, wanted, tested=tested, p=tests.p,
        corrected=corrected, stability=steady.frequency if steady else None,
    )  # fmt: skip
    facts |= {
        "model": name,
        "hidden_components": structure.components,
        "component_p_values": structure.p_values.tolist(),
        "leaking_groups": leaking_groups(folds, samples.groups),
        "pooled": tuning.pooled,
        "inflation_plain": inflation_factor(screen_plainly(samples).p),
        "inflation_mixed": inflation_factor(tests.p),
        "heritability": null.heritability,
        "variance_edge": null.edge,
        "tested_unit": screen.unit,
        "tested_units": screen.units,
        "gene_kernel_share": screen.gene_share,
        "untestable_genes": tests.untestable,
        "stability_halves": steady.halves if steady else 0,
    } | _tuned(tuning, model, penalised=not tested)
    return Answer(problem, table, tested, _performance(tuning), tuning.table, facts)


def _named(cohorts: Sequence[LinkedCohort], trait: str | None, name: str) -> LinkedCohort:
    return next(cohort for cohort in cohorts if cohort.trait == trait and cohort.cohort == name)


def _penalties(samples: Samples, model: str, settings: StatisticsSettings) -> list[float]:
    if model == "lmm_test":
        return [NO_PENALTY]
    if settings.penalties:
        return list(settings.penalties)
    return automatic_penalties(largest_alpha(Scaling.of(samples.x).apply(samples.x), samples.y))


def _stability(fitter: Fitter, samples: Samples, penalty: float, settings: StatisticsSettings) -> Stability | None:
    if not settings.stability_pairs:
        return None
    return stability(fitter, samples, penalty, pairs=settings.stability_pairs, seed=settings.seed)


def _performance(tuning: Tuning) -> dict[str, dict[str, float]]:
    return {"prediction": tuning.prediction, "selection": tuning.selection}


def _tuned(tuning: Tuning, model: LinearModel, *, penalised: bool = True) -> dict[str, Any]:
    gap = model.relative_gap
    return {
        "penalty": tuning.penalty if penalised else None,
        "prediction_penalty": tuning.prediction_penalty if penalised else None,
        "relative_gap": None if np.isnan(gap) else gap,
        "chosen_genes": len(model.chosen),
        "covariate_coefficients": model.covariates.tolist(),
        "fit": dict(model.facts),
    }
