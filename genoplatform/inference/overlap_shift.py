"""Overlap shift: hit rate on unexposed cases minus hit rate on exposed ones, drawn jointly over all publications.

Belongs here: the shift of each system. Does not belong here: its models (mixed, GEE) or its adjustments. A system
that leans on curated annotations falls on cases whose publication was not curated; the shift measures by how much.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from genoplatform.errors import BadInputError
from genoplatform.inference.resampling import FloatArray, cluster_bootstrap, cluster_index, percentile_interval


def overlap_shift(
    values: ArrayLike,
    systems: Sequence[str],
    exposed: ArrayLike,
    clusters: ArrayLike | pd.Series,
    *,
    draws: int = 10_000,
    seed: int = 42,
) -> pd.DataFrame:
    """Shift of every system with its cluster bootstrap interval.

    Args:
        values: [n_cases, n_systems], for example top-1 hits.
        systems: names of the columns.
        exposed: [n_cases] of 1 (overlap present) and 0 (absent), both occurring.
        clusters: [n_cases] publication of each case.
        draws: bootstrap draws over all publications; both rates are recomputed in each, a draw without one of the
            groups is left out of the percentiles.
        seed: of the bootstrap.

    Returns:
        system, n_present, n_absent, present, absent, shift (= absent - present), lo, hi; unrounded.

    Raises:
        BadInputError: exposed is not 0/1 or one group is empty.
    """
    hits = np.asarray(values, dtype=np.float64)
    flag = np.asarray(exposed, dtype=np.float64)
    if not np.isin(flag, (0.0, 1.0)).all() or flag.min(initial=1) == flag.max(initial=0):
        raise BadInputError("computing the overlap shift", "exposed is not 0/1 with both occurring")
    present, absent = flag == 1, flag == 0
    lo, hi = np.full((2, hits.shape[1]), np.nan)
    if cluster_index(clusters)[1] > 1:
        lo, hi = percentile_interval(_shift_draws(hits, present, absent, clusters, draws=draws, seed=seed))
    table = pd.DataFrame({"system": list(systems), "n_present": int(present.sum()), "n_absent": int(absent.sum())})
    table["present"], table["absent"] = hits[present].mean(axis=0), hits[absent].mean(axis=0)
    return table.assign(shift=table["absent"] - table["present"], lo=lo, hi=hi)


def _shift_draws(
    hits: FloatArray,
    present: np.ndarray,
    absent: np.ndarray,
    clusters: ArrayLike | pd.Series,
    *,
    draws: int,
    seed: int,
) -> FloatArray:
    k = hits.shape[1]
    membership = np.repeat(np.column_stack([absent, present]).astype(np.float64), k, axis=1)
    rates = cluster_bootstrap(
        np.hstack([hits, hits]), clusters, statistic="weighted mean", weights=membership, draws=draws, seed=seed
    )
    return rates[:, :k] - rates[:, k:]
