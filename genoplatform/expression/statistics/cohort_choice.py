"""Which cohort, or pair of cohorts, answers a problem, and through which regressors (expression.md C.1, C.2).

The largest usable cohort; of equal ones the first by accession, always (the benchmark leaves ties to chance (!)). A
two-step problem takes the pair with the largest product of sizes that shares known genes of the condition.
Belongs here: choosing by size, covariates and gene names. Does not belong here: any model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from genoplatform.expression.linked import COVARIATES, LinkedCohort
from genoplatform.expression.statistics.problems import Problem

FIRST_RELEASE_REGRESSORS = 10


@dataclass(frozen=True)
class Choice:
    """What was chosen.

    Attributes:
        trait_cohort: its accession; None where no cohort answers.
        condition_cohort: of a two-step problem.
        regressors: genes through which the condition is carried over.
        why: one sentence.
    """

    trait_cohort: str | None
    condition_cohort: str | None = None
    regressors: tuple[str, ...] = ()
    why: str = ""


def choose(
    problem: Problem,
    of_trait: Iterable[LinkedCohort],
    of_condition: Iterable[LinkedCohort],
    condition_genes: Sequence[str],
    *,
    most_regressors: int | None = None,
    excluded: Collection[str] = (),
) -> Choice:
    """Choose for a problem.

    Args:
        problem: what is asked.
        of_trait, of_condition: usable cohorts.
        condition_genes: known genes of the condition, best first.
        most_regressors: 10 in the first release; None for all.
        excluded: genes that may not be regressors (the trait's own known genes, where they are left out).
    """
    candidates = sorted(of_trait, key=_largest_first)
    if problem.kind == "demographic":
        candidates = [cohort for cohort in candidates if problem.condition in cohort.clinical.columns]
    if not candidates:
        return Choice(None, why=f"no usable cohort of {problem.trait}" + _with(problem))
    if problem.kind != "two_step":
        best = candidates[0]
        return Choice(best.cohort, why=f"largest of {len(candidates)} usable cohorts ({len(best.clinical)} samples)")
    others = sorted(of_condition, key=_largest_first)
    if not others:
        return Choice(None, why=f"no usable cohort of the condition {problem.condition}")
    pairs = [(trait, other) for trait in candidates for other in others]
    pairs.sort(key=lambda pair: (-len(pair[0].clinical) * len(pair[1].clinical), pair[0].cohort, pair[1].cohort))
    for trait, other in pairs:
        names = common_regressors(trait, other, condition_genes, most_regressors, excluded)
        if names:
            why = f"largest pair with common regressors, of {len(pairs)}; {len(names)} regressors"
            return Choice(trait.cohort, other.cohort, tuple(names), why)
    return Choice(
        None, why=f"no known gene of {problem.condition} is measured in both cohorts of any of {len(pairs)} pairs"
    )


def common_regressors(
    trait: LinkedCohort,
    other: LinkedCohort,
    condition_genes: Sequence[str],
    most: int | None = None,
    excluded: Collection[str] = (),
) -> list[str]:
    """Known genes of the condition measured in both cohorts, in list order."""
    reserved = {*excluded, *COVARIATES, trait.trait, other.trait}
    both = (set(trait.genes) & set(other.genes)) - reserved
    names = [gene for gene in dict.fromkeys(condition_genes) if gene in both]
    return names if most is None else names[:most]


def _largest_first(cohort: LinkedCohort) -> tuple[int, str]:
    return -len(cohort.clinical), cohort.cohort


def _with(problem: Problem) -> str:
    return f" with {problem.condition}" if problem.kind == "demographic" else ""
