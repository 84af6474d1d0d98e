"""Full candidate lists as checked matrices: the input of the audits that must not trust the metric code.

Belongs here: validating the long frame of ranked candidates and laying it out case by case. Does not belong
here: ranks or metrics computed elsewhere; the audits count from these lists alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.resampling import FloatArray, IntArray

LIST_SIZE = 50
_COLUMNS = ("system", "case_id", "is_causal", "score", "final_rank")


@dataclass(frozen=True)
class CandidateLists:
    """Ranked lists, all of one length.

    Attributes:
        keys: one row per list: system, case_id.
        scores: lists x size, in rank order.
        causal: 0-based position of the causal gene in each list.
    """

    keys: pd.DataFrame
    scores: FloatArray
    causal: IntArray


def candidate_lists(frame: pd.DataFrame, size: int = LIST_SIZE) -> CandidateLists:
    """Lay out and check a long frame.

    Args:
        frame: system, case_id, is_causal (bool), score, final_rank (1..size); one row per candidate.
        size: candidates every list must have.

    Raises:
        BadInputError: a list of another length, ranks that are not 1..size, a missing score, or not exactly one
            causal entry; the first offending list is named and the offenders counted.
    """
    if missing := [name for name in _COLUMNS if name not in frame.columns]:
        raise BadInputError("laying out candidate lists", f"columns missing: {missing}")
    if frame.empty:
        raise EmptyResultError("laying out candidate lists", "no rows")
    rows = frame.loc[:, list(_COLUMNS)].sort_values(["system", "case_id", "final_rank"], kind="stable")
    counts = rows.groupby(["system", "case_id"], sort=True).size()
    _refuse(counts.index[(counts != size).to_numpy()], f"do not hold {size} candidates")
    shape = (len(counts), size)
    ranks = rows["final_rank"].to_numpy(dtype=np.float64, na_value=np.nan).reshape(shape)
    scores = rows["score"].to_numpy(dtype=np.float64, na_value=np.nan).reshape(shape)
    causal = rows["is_causal"].to_numpy(dtype=bool).reshape(shape)
    _refuse(counts.index[(ranks != np.arange(1, size + 1)).any(axis=1)], f"are not ranked 1..{size}")
    _refuse(counts.index[np.isnan(scores).any(axis=1)], "lack a score")
    _refuse(counts.index[causal.sum(axis=1) != 1], "do not hold exactly one causal gene")
    return CandidateLists(counts.index.to_frame(index=False), scores, causal.argmax(axis=1))


def _refuse(bad: pd.Index, what: str) -> None:
    if len(bad):
        raise BadInputError("checking candidate lists", f"{len(bad)} lists {what}, the first {tuple(bad[0])}")
