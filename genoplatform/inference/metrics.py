"""Ranking metrics: top-1, top-5, top-10, reciprocal rank and NDCG@10, per case and averaged by subset.

Belongs here: point values. Does not belong here: intervals (resampling) or how a rank came about. One relevant gene a
case, so NDCG@10 is 1 / log2(rank + 1) inside the first ten. A case that was not ranked is a miss: 0 in every metric.
Source: section 10 of the benchmark's specification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from genoplatform.errors import BadInputError
from genoplatform.inference.subsets import Mask

METRICS = ("top1", "top5", "top10", "mrr", "ndcg10")
COUNTED = ("top1", "top5", "top10", "hit")

_DEPTHS = (1, 5, 10)


def per_case_metrics(ranks: ArrayLike) -> NDArray[np.float64]:
    """Contribution of each case to each metric.

    Args:
        ranks: [...] from 1; halves from mean ties are fine; NaN = not ranked.

    Returns:
        [..., 5] in the order of `METRICS`, all between 0 and 1.

    Raises:
        BadInputError: a rank below 1.
    """
    rank = np.asarray(ranks, dtype=np.float64)
    if (rank < 1).any():
        raise BadInputError("computing metrics", f"a rank of {np.nanmin(rank):g}", "ranks start at 1")
    rank = np.where(np.isnan(rank), np.inf, rank)
    top = [(rank <= k).astype(np.float64) for k in _DEPTHS]
    gain = np.where(rank <= 10, 1.0 / np.log2(rank + 1.0), 0.0)
    return np.stack([*top, 1.0 / rank, gain], axis=-1)


def metrics_by_subset(
    values: NDArray[np.float64], columns: Sequence[tuple[str, str]], masks: Mapping[str, Mask]
) -> pd.DataFrame:
    """Mean of every column in every subset.

    Args:
        values: [n_cases, k] per-case contributions.
        columns: k pairs (system, metric).
        masks: subset -> [n_cases] mask; a subset without cases gives no rows.

    Returns:
        One row per subset, system and metric, in that order: subset, system, metric, n, value, count (the number of
        hits for the metrics that count them, else NA).
    """
    names = pd.DataFrame(list(columns), columns=["system", "metric"])
    parts = []
    for subset, mask in masks.items():
        n = int(mask.sum())
        if n == 0:
            continue
        totals = values[mask].sum(axis=0)
        part = names.assign(n=n, value=totals / n, count=pd.array(np.rint(totals), dtype="Int64"))
        part.loc[~part["metric"].isin(COUNTED), "count"] = pd.NA
        part.insert(0, "subset", subset)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
