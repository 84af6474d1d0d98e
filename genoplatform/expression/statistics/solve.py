"""A problem from stored tables to stored tables: cohorts in, answer out, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.linked_tables import linked_from_tables
from genoplatform.expression.statistics.answer import KnownGenes, answer, choose_cohorts
from genoplatform.expression.statistics.answer_tables import answer_tables, no_answer
from genoplatform.expression.statistics.problems import Problem
from genoplatform.settings.expression import StatisticsSettings


def solve(
    key: str, linked: Mapping[str, Mapping[str, pd.DataFrame]], known: pd.DataFrame, settings: StatisticsSettings
) -> dict[str, pd.DataFrame]:
    """Answer a problem.

    Args:
        key: `Trait|Condition`.
        linked: `Trait|Cohort` -> tables of the linked cohort, of the trait and of the condition.
        known: trait, rank, gene of the catalogue.
        settings: rules in force.
    """
    problem = Problem.of(key)
    cohorts = usable_cohorts(linked)
    genes = KnownGenes(
        genes_of(known, settings.known_traits.get(problem.trait, problem.trait)),
        genes_of(known, settings.known_traits.get(problem.condition or "", problem.condition or "")),
    )
    choice = choose_cohorts(problem, cohorts, genes, settings)
    if choice.trait_cohort is None:
        return no_answer(settings.rules, choice.why)
    return answer_tables(answer(problem, choice, cohorts, genes, settings), choice)


def usable_cohorts(linked: Mapping[str, Mapping[str, pd.DataFrame]]) -> list[LinkedCohort]:
    """Cohorts whose record says usable, by key."""
    found = []
    for _, tables in sorted(linked.items()):
        cohort = linked_from_tables(dict(tables))
        if cohort is not None and bool(tables["record"]["is_usable"].iloc[0]):
            found.append(cohort)
    return found


def genes_of(known: pd.DataFrame, trait: str) -> list[str]:
    """Known genes of a trait, best first."""
    mine = known[known["trait"] == trait].sort_values("rank")
    return [str(gene) for gene in mine["gene"]]
