"""Best and worst case of a paired comparison when some outcomes are not known.

Belongs here: the range of the difference and of McNemar's exact p over everything the unknown outcomes could
be, from per-case hits with gaps or from published totals alone. Does not belong here: imputation; these are
bounds, not estimates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from genoplatform.errors import BadInputError
from genoplatform.inference.resampling import FloatArray, IntArray


@dataclass(frozen=True)
class ComparisonBounds:
    """Extremes over every completion of the data.

    Attributes:
        n: cases.
        n_unknown: cases with at least one unknown outcome.
        delta_min: smallest difference of hit rates, first - second.
        delta_max: largest.
        p_min: smallest McNemar p.
        p_max: largest.
    """

    n: int
    n_unknown: int
    delta_min: float
    delta_max: float
    p_min: float
    p_max: float


def bounds_from_cases(hit_a: ArrayLike, hit_b: ArrayLike) -> ComparisonBounds:
    """Bounds from two aligned arrays of 0, 1 or NaN (unknown)."""
    a, b = np.asarray(hit_a, dtype=np.float64), np.asarray(hit_b, dtype=np.float64)
    known = np.concatenate([a[~np.isnan(a)], b[~np.isnan(b)]])
    if a.shape != b.shape or a.ndim != 1 or len(a) == 0 or not np.isin(known, (0.0, 1.0)).all():
        raise BadInputError("bounding a comparison", f"outcomes of shape {a.shape} and {b.shape}, or not 0/1")
    no_a, no_b = np.isnan(a), np.isnan(b)
    only_a = int(((a == 1) & (b == 0)).sum())
    only_b = int(((a == 0) & (b == 1)).sum())
    may_a = int((((a == 1) & no_b) | (no_a & (b == 0))).sum())
    may_b = int((((a == 0) & no_b) | (no_a & (b == 1))).sum())
    either = int((no_a & no_b).sum())
    more_a, more_b = np.meshgrid(np.arange(may_a + either + 1), np.arange(may_b + either + 1), indexing="ij")
    shared = np.clip(more_a - may_a, 0, None) + np.clip(more_b - may_b, 0, None)
    possible = shared <= either
    p = _mcnemar(only_a + more_a[possible], only_b + more_b[possible])
    return ComparisonBounds(
        n=len(a),
        n_unknown=int((no_a | no_b).sum()),
        delta_min=(only_a - only_b - may_b - either) / len(a),
        delta_max=(only_a + may_a + either - only_b) / len(a),
        p_min=float(p.min()),
        p_max=float(p.max()),
    )


def bounds_from_totals(correct_a: int, correct_b: int, n: int) -> ComparisonBounds:
    """Bounds when only the totals are published: the overlap of the two sets of hits is free, the difference not."""
    if not (0 <= correct_a <= n and 0 <= correct_b <= n and n > 0):
        raise BadInputError("bounding a comparison", f"totals {correct_a} and {correct_b} of {n} cases")
    both = np.arange(max(0, correct_a + correct_b - n), min(correct_a, correct_b) + 1)
    p = _mcnemar(correct_a - both, correct_b - both)
    delta = (correct_a - correct_b) / n
    return ComparisonBounds(n, n, delta, delta, float(p.min()), float(p.max()))


def _mcnemar(b: IntArray, c: IntArray) -> FloatArray:
    low, total = np.minimum(b, c), b + c
    return np.where(total == 0, 1.0, np.minimum(1.0, 2.0 * bdtr(low, np.maximum(total, 1), 0.5)))
