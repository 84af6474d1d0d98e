"""Two systems on the same cases: difference of hit rates with case-level and clustered intervals and tests.

Belongs here: the paired contrast. Does not belong here: adjustment over several contrasts (multiplicity) or subsets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from genoplatform.inference.mcnemar import discordant_counts, mcnemar_exact
from genoplatform.inference.resampling import (
    case_bootstrap,
    cluster_bootstrap,
    cluster_index,
    percentile_interval,
    sign_flip_permutations,
)

Interval = tuple[float, float]


@dataclass(frozen=True)
class Contrast:
    """System A against system B, rounded as the benchmark stores it: 6 decimals, the permutation p 5.

    `b` cases are hit by A alone, `c` by B alone. With fewer than two publications there is nothing to resample:
    `cluster_ci` and `p_cluster` are NaN.
    """

    n: int
    n_publications: int
    correct_a: int
    correct_b: int
    delta: float
    cluster_ci: Interval
    case_ci: Interval
    b: int
    c: int
    p_mcnemar: float
    p_cluster: float


def contrast(
    hit_a: ArrayLike,
    hit_b: ArrayLike,
    clusters: ArrayLike | pd.Series,
    *,
    n_boot: int = 10_000,
    n_perm: int = 10_000,
    seed: int = 42,
) -> Contrast:
    """Compare two systems on the same cases; see `contrasts`."""
    hits = np.column_stack([np.asarray(hit_a, dtype=np.float64), np.asarray(hit_b, dtype=np.float64)])
    return contrasts(hits, [(0, 1)], clusters, n_boot=n_boot, n_perm=n_perm, seed=seed)[0]


def contrasts(
    hits: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
    clusters: ArrayLike | pd.Series,
    *,
    n_boot: int = 10_000,
    n_perm: int = 10_000,
    seed: int = 42,
) -> list[Contrast]:
    """Compare pairs of systems under the same draws; each result is what the pair alone would give.

    Args:
        hits: [n_cases, n_systems] of 0 and 1.
        pairs: column numbers (a, b).
        clusters: [n_cases] publication of each case.
        n_boot: bootstrap draws, by cluster and by case.
        n_perm: sign-flip permutations.
        seed: of every random stream, each fresh.
    """
    if not pairs:
        return []
    a, b = (hits[:, list(side)] for side in zip(*pairs, strict=True))
    differences = a - b
    n_clusters = cluster_index(clusters)[1]
    case = percentile_interval(case_bootstrap(differences, draws=n_boot, seed=seed))
    cluster, p = np.full_like(case, np.nan), [float("nan")] * len(pairs)
    if n_clusters > 1:
        cluster = percentile_interval(cluster_bootstrap(differences, clusters, draws=n_boot, seed=seed))
        p = [r.p for r in sign_flip_permutations(differences, clusters, n_perm, seed)]
    ends = np.vstack([cluster, case]).T.tolist()
    return [_contrast(a[:, j], b[:, j], n_clusters, ends=ends[j], p_cluster=p[j]) for j in range(len(pairs))]


def _contrast(
    hit_a: NDArray[np.float64], hit_b: NDArray[np.float64], n_clusters: int, *, ends: list[float], p_cluster: float
) -> Contrast:
    only_a, only_b = discordant_counts(hit_a, hit_b)
    cluster_lo, cluster_hi, case_lo, case_hi = (round(end, 6) for end in ends)
    return Contrast(
        n=len(hit_a),
        n_publications=n_clusters,
        correct_a=int(hit_a.sum()),
        correct_b=int(hit_b.sum()),
        delta=round((only_a - only_b) / len(hit_a), 6),
        cluster_ci=(cluster_lo, cluster_hi),
        case_ci=(case_lo, case_hi),
        b=only_a,
        c=only_b,
        p_mcnemar=round(mcnemar_exact(only_a, only_b), 6),
        p_cluster=round(p_cluster, 5),
    )
