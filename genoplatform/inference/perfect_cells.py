"""Re-derivation of hit counts from the candidate lists, best and worst tie order.

Belongs here: counting, for each system, the cases whose causal gene is in the top k as listed, and the count if
every tie were broken against the causal gene. It shares no code with the metrics, so that a cell reported as
282 of 282 is confirmed or refuted by a second road. Does not belong here: rank-1 ties (`tie_audit.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from genoplatform.inference.candidate_lists import CandidateLists
from genoplatform.inference.resampling import FloatArray, IntArray

DEPTHS = (1, 5, 10)


def perfect_cells(lists: CandidateLists, depths: Sequence[int] = DEPTHS) -> pd.DataFrame:
    """Hits by system and depth.

    Returns:
        system, top_k, n, hits, worst_tie_hits, tied_cases (causal gene inside a tie), max_rank, perfect
        (hits == n), perfect_under_worst_ties.
    """
    last = tie_block_end(lists.scores, lists.causal)
    first = tie_block_start(lists.scores, lists.causal)
    rank, worst = lists.causal + 1, last + 1
    rows = []
    for system, at in lists.keys.groupby("system", sort=True).indices.items():
        for k in depths:
            hits, kept = int((rank[at] <= k).sum()), int((worst[at] <= k).sum())
            rows.append(
                {
                    "system": system,
                    "top_k": k,
                    "n": len(at),
                    "hits": hits,
                    "worst_tie_hits": kept,
                    "tied_cases": int((last[at] > first[at]).sum()),
                    "max_rank": int(rank[at].max()),
                    "perfect": hits == len(at),
                    "perfect_under_worst_ties": kept == len(at),
                }
            )
    return pd.DataFrame(rows)


def tie_block_end(scores: FloatArray, causal: IntArray) -> IntArray:
    """0-based position of the last entry of the unbroken run of equal scores around the causal gene.

    A run, not all entries of that score: a list re-ranked at its head repeats a score further down without the
    tie rule having decided between the two.
    """
    n, size = scores.shape
    position = np.arange(size)
    own = scores[np.arange(n), causal][:, None]
    breaks = (scores != own) & (position > causal[:, None])
    end: IntArray = np.where(breaks.any(axis=1), breaks.argmax(axis=1) - 1, size - 1)
    return end


def tie_block_start(scores: FloatArray, causal: IntArray) -> IntArray:
    """0-based position of the first entry of that run."""
    size = scores.shape[1]
    start: IntArray = size - 1 - tie_block_end(scores[:, ::-1], size - 1 - causal)
    return start
