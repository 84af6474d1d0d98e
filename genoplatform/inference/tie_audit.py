"""What the tie rule decides at rank 1.

Belongs here: how many candidates share the first entry's score, how often the causal gene is among them, and how
often it lost its place to the tie rule. Does not belong here: ties further down (`perfect_cells.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.inference.candidate_lists import CandidateLists


@dataclass(frozen=True)
class TieAudit:
    """Rank-1 ties.

    Attributes:
        systems: system, n, mean_tied, max_tied, causal_in_tie, causal_lost (in the tie, not listed first).
        sizes: system, tied, n_cases: distribution of the number of entries sharing the first score.
    """

    systems: pd.DataFrame
    sizes: pd.DataFrame


def tie_audit(lists: CandidateLists) -> TieAudit:
    """Audit every system; the tie group is all entries equal to the first listed entry's score."""
    n_lists = len(lists.scores)
    tied = (lists.scores == lists.scores[:, :1]).sum(axis=1)
    inside = lists.scores[np.arange(n_lists), lists.causal] == lists.scores[:, 0]
    table = lists.keys.assign(tied=tied, inside=inside, lost=inside & (lists.causal > 0))
    groups = table.groupby("system", sort=True)
    systems = groups.agg(
        n=("tied", "size"),
        mean_tied=("tied", "mean"),
        max_tied=("tied", "max"),
        causal_in_tie=("inside", "sum"),
        causal_lost=("lost", "sum"),
    )
    sizes = table.groupby(["system", "tied"], sort=True).size().rename("n_cases")
    return TieAudit(systems.reset_index(), sizes.reset_index())
