"""Reciprocal-rank fusion of two systems (cell N): the candidates both place high come first.

Here: ranks of all candidates, and their fusion. Not here: the systems' scores, or the causal gene's rank
(`listed_ranks.mark_causal` and `listed_ranks`, which keep the fused order).
Source: Cormack, Clarke & Buettcher 2009; constant, missing rank and order of ties as in the rare-disease
specification, section 8: score = 1 / (60 + rank a) + 1 / (60 + rank b), a missing rank is n + 1.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.prioritisation.candidate_scores import SCORED_COLUMNS

FUSION_CONSTANT = 60
DECIMALS = 6

Order = Literal["score", "listed"]


def candidate_ranks(scored: pd.DataFrame, *, order: Order = "score") -> pd.DataFrame:
    """Rank of every candidate of ONE system.

    Args:
        scored: case_id, gene, score, candidate_index.
        order: "score": by score, equal ones in the order of the list. "listed": the list is the system's order
            already, as in released and fused rankings, whose confidence need not fall along it.

    Returns:
        case_id, gene, rank (from 1), sorted by case and rank; candidates without a score have no row.

    Raises:
        BadInputError: a gene twice in one case, as when two systems are passed together.
    """
    if order not in ("score", "listed"):
        raise SettingsError("ranking candidates", repr(order), "one of score, listed")
    if scored.duplicated(["case_id", "gene"]).any():
        raise BadInputError("ranking candidates", "a gene twice in one case", "pass one system of one difficulty")
    kept = scored[scored["score"].notna()]
    by = ["candidate_index"] if order == "listed" else ["score", "candidate_index"]
    ranked = kept.sort_values(["case_id", *by], ascending=[True, *(name != "score" for name in by)], kind="stable")
    rank = ranked.groupby("case_id", sort=False).cumcount() + 1
    return ranked[["case_id", "gene"]].assign(rank=rank).reset_index(drop=True)


def fuse(first: pd.DataFrame, second: pd.DataFrame, *, system: str, constant: float = FUSION_CONSTANT) -> pd.DataFrame:
    """Fuse two systems.

    Args:
        first, second: case_id, gene, rank (from 1) of each, as `candidate_ranks` gives them; the first one's rank
            orders equal scores (the published cell N: M, then S).
        system: label of the result.
        constant: added to every rank; the larger, the less the first places count.

    Returns:
        SCORED_COLUMNS, sorted by case; candidate_index is the 0-based fused place (by score, then first rank,
        second rank, symbol), score is rounded to 6 decimals after ordering. A candidate that one of the systems did
        not rank takes that system's rank n + 1, n being the candidates of the case that either ranked.

    Raises:
        BadInputError: a gene twice in a case of one system.
        SettingsError: a negative constant.
    """
    if not 0 <= constant < np.inf:
        raise SettingsError("fusing two systems", f"constant {constant}", "give a number from 0 up")
    for table in (first, second):
        if table.duplicated(["case_id", "gene"]).any():
            raise BadInputError("fusing two systems", "a gene twice in one case", "pass one system on each side")
    keys = ["case_id", "gene"]
    both = first[[*keys, "rank"]].merge(second[[*keys, "rank"]], on=keys, how="outer", suffixes=("_a", "_b"))
    missing = both.groupby("case_id")["gene"].transform("size") + 1
    rank_a, rank_b = (both[name].fillna(missing).astype("float64") for name in ("rank_a", "rank_b"))
    both = both.assign(rank_a=rank_a, rank_b=rank_b, score=1 / (constant + rank_a) + 1 / (constant + rank_b))
    ordered = both.sort_values(
        ["case_id", "score", "rank_a", "rank_b", "gene"],
        ascending=[True, False, True, True, True],
        ignore_index=True,
    )
    return ordered.assign(
        system=pd.array([system] * len(ordered), dtype="str"),
        score=ordered["score"].round(DECIMALS),
        candidate_index=ordered.groupby("case_id").cumcount(),
    )[list(SCORED_COLUMNS)]
