"""The audits of one difficulty from what the store holds: similarity scores of every list, and released lists.

Here: bringing both into one shape. Not here: the audits (rank_audit).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.inference.rank_audit import difficulty, rank_audit
from genoplatform.prioritisation.listed_ranks import mark_causal

Tables = dict[str, pd.DataFrame]
_COLUMNS = ["system", "case_id", "is_causal", "score", "final_rank"]


def audited_lists(
    cases: pd.DataFrame, candidates: pd.DataFrame, similarity: pd.DataFrame, released: pd.DataFrame, name: str
) -> Tables:
    """Every audit that the lists at hand allow.

    Args:
        cases: case_id, exposed.
        candidates: case_id, candidate_genes, causal_index, of this difficulty.
        similarity: scored table of the similarity system and its counterpart (may be empty).
        released: lists of released rankings (may be empty).
        name: the difficulty.

    Returns:
        tie_audit, tie_sizes, perfect_cells, and difficulty_split and model_free_floor where there is a similarity.
    """
    tables: Tables = {}
    scored = similarity.dropna(subset="score")
    parts = []
    if len(scored):
        marked = mark_causal(scored, candidates)
        ordered = marked.sort_values(
            ["system", "case_id", "score", "candidate_index"], ascending=[True, True, False, True], ignore_index=True
        )
        parts.append(ordered.assign(final_rank=ordered.groupby(["system", "case_id"]).cumcount() + 1)[_COLUMNS])
        base = marked[marked["system"] == marked["system"].min()]
        tables |= difficulty(base, name, int(candidates["candidate_genes"].map(len).max()))
    if len(released):
        parts.append(released[_COLUMNS])
    if parts:
        lists = pd.concat(parts, ignore_index=True)
        absent = cases.loc[cases["exposed"] == 0, "case_id"].tolist()
        tables |= rank_audit(lists, absent, int(lists["final_rank"].max()))
    return tables
