"""Overlap rate and score by release, for the same cases: how a benchmark ages into contamination."""

from __future__ import annotations

import numpy as np
import pandas as pd

from genoplatform.inference.resampling import cluster_bootstrap, percentile_interval

_DEPTHS = (1, 10)
_COLUMNS = [
    *("release", "system", "n", "n_publications", "overlap_rate", "ranked"),
    *(f"top{k}{end}" for k in _DEPTHS for end in ("", "_lo", "_hi")),
]


def release_series(ranked: pd.DataFrame, *, draws: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Rates per release and system.

    Args:
        ranked: release, system, case_id, cluster, exposed, rank; the same cases in every release.
        draws: publication-cluster bootstrap draws.
        seed: of the bootstrap.

    Returns:
        release, system, n, n_publications, overlap_rate, ranked (share with a rank), then top1, top10 and each one's
        _lo and _hi (95 %); sorted by release and system. A missing rank is a miss.
    """
    rows = []
    for (release, system), part in ranked.groupby(["release", "system"], sort=True):
        ordered = part.sort_values("case_id")
        rank = ordered["rank"].to_numpy(dtype=np.float64)
        hits = np.column_stack([rank <= k for k in _DEPTHS]).astype(np.float64)
        lo, hi = percentile_interval(cluster_bootstrap(hits, ordered["cluster"], draws=draws, seed=seed))
        row = {
            "release": release,
            "system": system,
            "n": len(ordered),
            "n_publications": ordered["cluster"].nunique(),
            "overlap_rate": ordered["exposed"].mean(),
            "ranked": float((~np.isnan(rank)).mean()),
        }
        for at, k in enumerate(_DEPTHS):
            row |= {f"top{k}": hits[:, at].mean(), f"top{k}_lo": lo[at], f"top{k}_hi": hi[at]}
        rows.append(row)
    return pd.DataFrame(rows, columns=_COLUMNS).astype({"release": "str", "system": "str"})
