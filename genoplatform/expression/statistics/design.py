"""The arrays of one problem: which samples and genes, which target, which covariate (expression.md C.3, C.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from genoplatform.errors import BadInputError
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.statistics.arrays import Floats, Samples, is_binary
from genoplatform.expression.statistics.cohort_choice import Choice
from genoplatform.expression.statistics.problems import Problem
from genoplatform.expression.statistics.two_step import predict_condition
from genoplatform.settings.expression import Rules


@dataclass(frozen=True)
class Design:
    """What models are fitted on.

    Attributes:
        genes: p names. samples: their values, the trait, at most one covariate, and persons.
        removed: regressors left out of the genes, since the covariate is made of them.
    """

    genes: list[str]
    samples: Samples
    removed: tuple[str, ...] = ()


def make_design(
    problem: Problem, choice: Choice, trait: LinkedCohort, condition: LinkedCohort | None, rules: Rules = "sound"
) -> Design:
    """Arrays of a problem.

    One step: the trait on all genes, Age and Gender left out or, if asked for, as the covariate. Two steps: the
    covariate is the condition as predicted from the regressors, which are not among the genes; `compat_v2` leaves them
    there, as the second release's script forgot to drop them (!).

    Raises:
        BadInputError: the covariate is missing or constant, or values are not finite.
    """
    y = trait.clinical.iloc[:, 0].to_numpy(dtype=np.float64)
    if rules == "sound" and is_binary(y):
        y = (y == y.max()).astype(np.float64)
    removed: tuple[str, ...] = ()
    genes, x = trait.genes, trait.values
    if problem.kind == "unconditional":
        z = np.empty((len(y), 0))
    elif problem.kind == "demographic":
        z = _covariate(problem, trait)
    else:
        if condition is None:
            raise BadInputError(f"preparing {problem.key}", "no cohort of the condition")
        z = predict_condition(condition, trait, choice.regressors, rules)[:, None]
        if rules != "compat_v2":
            removed = choice.regressors
            kept = [i for i, gene in enumerate(genes) if gene not in set(removed)]
            genes, x = [genes[i] for i in kept], x[:, kept]
    for name, array in (("trait", y), ("covariate", z), ("genes", x)):
        if not np.isfinite(array).all():
            raise BadInputError(f"preparing {problem.key}", f"{name} with missing values", "link the cohort again")
    return Design(list(genes), Samples(x, y, z, trait.groups), removed)


def _covariate(problem: Problem, trait: LinkedCohort) -> Floats:
    if problem.condition not in trait.clinical.columns:
        raise BadInputError(f"preparing {problem.key}", f"cohort {trait.cohort} has no {problem.condition}")
    return trait.clinical[[problem.condition]].to_numpy(dtype=np.float64)
