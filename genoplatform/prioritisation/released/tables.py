"""A released cohort as the named tables the store keeps, in the shape of a cohort built here."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from genoplatform.cohort.result import strata_table
from genoplatform.prioritisation.ranking import RANK_COLUMNS
from genoplatform.prioritisation.released.cohort import read_released_cohort
from genoplatform.prioritisation.released.rankings import read_rankings

_LIST_COLUMNS = ("system", "case_id", "gene", "score", "candidate_index", "is_causal", "final_rank")


def released_tables(path: Path, knowledge: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Read a release.

    Args:
        path: the release's directory, see `read_released_cohort`.
        knowledge: `HpoaRelease.raw`, to count annotations in where the release has no case table.

    Returns:
        cases, funnel, strata, and candidates_standard and candidates_hard where the release has them.
    """
    released = read_released_cohort(path, knowledge=knowledge)
    cases = released.cases
    funnel = pd.DataFrame({"stage": ["released"], "n": [len(cases)], "dropped": [0], "reason": [""]})
    tables = {"cases": cases, "funnel": funnel, "strata": strata_table(cases["stratum"], cases["stratum"])}
    lists = {"candidates_standard": released.standard, "candidates_hard": released.hard}
    return tables | {name: table for name, table in lists.items() if len(table)}


def rankings_tables(
    path: Path, cases: pd.DataFrame, candidates: pd.DataFrame, difficulty: str
) -> tuple[dict[str, pd.DataFrame], dict[str, int]]:
    """Read the rankings of one difficulty.

    Args:
        path: the release's directory or archive.
        cases: the case table: every case a system should have ranked.
        candidates: lists of this difficulty; a file whose genes differ is refused.
        difficulty: "standard" or "hard".

    Returns:
        Tables lists, ranks, coverage, rejected; and the report.
    """
    known = candidates if len(candidates) else None
    read = read_rankings(path, case_ids=cases["case_id"].tolist(), candidates=known, difficulty=difficulty)
    tables = {
        "lists": read.lists[list(_LIST_COLUMNS)],
        "ranks": read.ranks(difficulty),
        "coverage": read.coverage,
        "rejected": read.rejected,
    }
    return tables, read.report


def nothing_released() -> dict[str, pd.DataFrame]:
    """The same tables without a row, for a profile without a release."""
    kinds = {"system": "str", "case_id": "str", "gene": "str", "tie_rule": "str", "score": "float64", "rank": "float64"}
    kinds |= {"candidate_index": "int64", "final_rank": "int64", "is_causal": "bool", "n_candidates": "int64"}
    kinds |= {"tied": "int64"}
    empty = {
        name: pd.DataFrame({column: pd.Series(dtype=kinds[column]) for column in columns})
        for name, columns in (("lists", _LIST_COLUMNS), ("ranks", RANK_COLUMNS))
    }
    coverage = pd.DataFrame({"difficulty": pd.Series(dtype="str"), "system": pd.Series(dtype="str")})
    rejected = pd.DataFrame({"path": pd.Series(dtype="str"), "reason": pd.Series(dtype="str")})
    return empty | {"coverage": coverage, "rejected": rejected}
