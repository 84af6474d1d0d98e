"""Estimates for the eligible population: Horvitz-Thompson weights in Hajek's ratio form.

Belongs here: weighted rates and their differences with cluster-bootstrap intervals, beside the unweighted rate
and the equal-weight mean over categories. Does not belong here: how cases were sampled; the weight of a case
is the inverse of its inclusion probability, declared in the panel's `weight` column.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.inference.panel import N_DRAWS, SEED, Panel, overlap_subsets
from genoplatform.inference.resampling import FloatArray, cluster_bootstrap, percentile_interval


def weighted_rates(panel: Panel, draws: int = N_DRAWS, seed: int = SEED) -> pd.DataFrame:
    """Hit rates of every system in the full panel and by overlap.

    Returns:
        One row per system and subset: system, subset, n, n_publications, unweighted, u_lo, u_hi, equal, ht,
        ht_lo, ht_hi. `equal` is the mean over the categories present; intervals are 95 % cluster bootstrap.
    """
    rows = []
    for name, part in overlap_subsets(panel).items():
        point, lo, hi = _hajek(part, part.hits, draws, seed)
        k = len(part.systems)
        table = pd.DataFrame(
            {
                "system": part.systems,
                "subset": name,
                "n": len(part.cases),
                "n_publications": part.n_publications,
                "unweighted": point[:k],
                "u_lo": lo[:k],
                "u_hi": hi[:k],
                "equal": _equal_weight(part),
                "ht": point[k:],
                "ht_lo": lo[k:],
                "ht_hi": hi[k:],
            }
        )
        rows.append(table)
    return pd.concat(rows, ignore_index=True)


def weighted_deltas(
    panel: Panel, pairs: Sequence[tuple[str, str]], draws: int = N_DRAWS, seed: int = SEED
) -> pd.DataFrame:
    """Paired differences first - second, unweighted and weighted, in the full panel and by overlap.

    Returns:
        One row per pair and subset: first, second, subset, n, unweighted, u_lo, u_hi, ht, ht_lo, ht_hi.
    """
    rows = []
    for name, part in overlap_subsets(panel).items():
        gaps = np.column_stack([part.hits[:, part.index(a)] - part.hits[:, part.index(b)] for a, b in pairs])
        point, lo, hi = _hajek(part, gaps, draws, seed)
        k = len(pairs)
        table = pd.DataFrame(
            {
                "first": [a for a, _ in pairs],
                "second": [b for _, b in pairs],
                "subset": name,
                "n": len(part.cases),
                "unweighted": point[:k],
                "u_lo": lo[:k],
                "u_hi": hi[:k],
                "ht": point[k:],
                "ht_lo": lo[k:],
                "ht_hi": hi[k:],
            }
        )
        rows.append(table)
    return pd.concat(rows, ignore_index=True)


def _hajek(panel: Panel, values: FloatArray, draws: int, seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Unweighted then weighted means of the columns, with interval ends, all from the same draws."""
    weight = panel.column("weight")
    if (weight <= 0).any():
        raise BadInputError("weighting by design", "a case has a weight that is not positive")
    k = values.shape[1]
    both = np.repeat(np.column_stack([np.ones(len(weight)), weight]), k, axis=1)
    doubled = np.hstack([values, values])
    samples = cluster_bootstrap(
        doubled,
        panel.cases["cluster"],
        statistic="weighted mean",
        weights=both,
        draws=draws,
        seed=seed,
    )
    lo, hi = percentile_interval(samples)
    return (both * doubled).sum(axis=0) / both.sum(axis=0), lo, hi


def _equal_weight(panel: Panel) -> FloatArray:
    rates = pd.DataFrame(panel.hits).groupby(panel.cases["category"].to_numpy()).mean()
    return rates.mean(axis=0).to_numpy(dtype=np.float64)
