"""Ranks of systems that give an order, not only scores: released rankings, fused rankings.

Here: reading the causal gene's rank off a given order. Not here: making an order out of scores (ranking.py). The
two differ where a list was re-ranked at its head: there the scores do not fall along the list, and only the order
is the system's answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.ranking import RANK_COLUMNS

AS_LISTED = "as_listed"
"""What the ranks table says in place of a tie rule: the system itself put equal scores in order."""


def listed_ranks(
    lists: pd.DataFrame, case_ids: Sequence[str], *, list_size: int, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Rank of the causal gene in every list, as listed.

    Args:
        lists: system, case_id, score, candidate_index (0-based place in the system's order), is_causal (bool).
        case_ids: every case a system should have ranked.
        list_size: candidates of a full list.
        systems: the systems to give rows; one without a single list misses every case. Default those of `lists`.

    Returns:
        RANK_COLUMNS, one row per system and case of `case_ids`, sorted; rank NaN (a miss) where the system has no
        list of the case or the list lacks its causal gene. `tied` is the length of the unbroken run of equal
        scores around the causal gene, 0 without a rank.

    Raises:
        BadInputError: a list with two causal genes, or of a case that is not among `case_ids`.
    """
    ordered = lists.sort_values(["system", "case_id", "candidate_index"], kind="stable", ignore_index=True)
    causal = ordered.assign(tied=_run_lengths(ordered))[ordered["is_causal"].to_numpy(dtype=bool)]
    _check(lists, causal, case_ids)
    rows = sorted(set(lists["system"] if systems is None else systems))
    grid = pd.MultiIndex.from_product([rows, sorted(set(case_ids))], names=["system", "case_id"])
    found = causal.set_index(["system", "case_id"])[["candidate_index", "tied"]].reindex(grid)
    table = found.reset_index().assign(
        rank=(found["candidate_index"] + 1).to_numpy(dtype=np.float64, na_value=np.nan),
        n_candidates=list_size,
        tied=found["tied"].fillna(0).astype("int64").to_numpy(),
        tie_rule=pd.array([AS_LISTED] * len(found), dtype="str"),
    )
    return table.astype({"system": "str", "case_id": "str"})[list(RANK_COLUMNS)]


def mark_causal(scored: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Add is_causal to a scored table.

    Args:
        scored: case_id, gene.
        candidates: case_id, candidate_genes, causal_index; one row per case.
    """
    genes = [names[at] for names, at in zip(candidates["candidate_genes"], candidates["causal_index"], strict=True)]
    causal = pd.Series(genes, index=candidates["case_id"], dtype="str")
    return scored.assign(is_causal=(scored["gene"] == scored["case_id"].map(causal)).to_numpy(dtype=bool))


def _run_lengths(ordered: pd.DataFrame) -> np.ndarray:
    """Length of the run of equal scores each row of the ordered lists stands in."""
    score = ordered["score"].to_numpy(dtype=np.float64)
    list_number = ordered.groupby(["system", "case_id"], sort=False).ngroup().to_numpy()
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = (score[1:] != score[:-1]) | (list_number[1:] != list_number[:-1])
    run = np.cumsum(first) - 1
    return np.asarray(np.bincount(run)[run] if len(run) else run)


def _check(lists: pd.DataFrame, causal: pd.DataFrame, case_ids: Sequence[str]) -> None:
    twice = causal[causal.duplicated(["system", "case_id"])]
    if len(twice):
        first = twice.iloc[0]
        raise BadInputError("reading ranks off lists", f"{first['system']}, {first['case_id']}: two causal genes")
    unknown = sorted(set(lists["case_id"]) - set(case_ids))
    if unknown:
        found = f"{len(unknown)} ranked cases that are not among the cases, the first {unknown[0]}"
        raise BadInputError("reading ranks off lists", found, "pass the cases that were ranked")
