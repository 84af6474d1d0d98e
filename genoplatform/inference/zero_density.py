"""Cases whose disease the knowledge base knows from the case's own publication alone.

Belongs here: the strata Z (overlap present, no other annotation), P (present, others too) and A (absent), each
system's rates in them, the gradient Z - P with a joint cluster bootstrap, and the permutation of Z and P over
publications. A large negative gradient says the system lives on the other annotations; none says that the
case's own rows are enough. Does not belong here: density as a covariate (`density.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.errors import EmptyResultError
from genoplatform.inference.groups import GroupSums
from genoplatform.inference.overlap_shift import overlap_shift
from genoplatform.inference.panel import N_DRAWS, SEED, BoolArray, Panel
from genoplatform.inference.resampling import (
    FloatArray,
    IntArray,
    cluster_bootstrap,
    percentile_interval,
    sorted_cluster_index,
)

_TOLERANCE = 1e-12


@dataclass(frozen=True)
class ZeroDensity:
    """The zero-density analysis.

    Attributes:
        strata: system, stratum, n, n_publications, hits, rate, lo, hi.
        gradients: system, gradient, lo, hi, p, versus_reference; gradient is rate in Z minus rate in P.
        n_mixed: publications left out of the permutation because they hold both Z and P cases.
    """

    strata: pd.DataFrame
    gradients: pd.DataFrame
    n_mixed: int


def zero_density(panel: Panel, reference: str, draws: int = N_DRAWS, seed: int = SEED) -> ZeroDensity:
    """Rates by stratum and gradients of every system.

    Args:
        panel: balanced panel with the case column density.
        reference: the system whose gradient the others' are compared with.
        draws: bootstrap draws, and permutations.
        seed: fresh generator for each stratum, gradient and permutation.

    Raises:
        EmptyResultError: Z or P holds no case.
    """
    zero, exposed = panel.column("density") == 0, ~panel.absent
    masks = {"Z": exposed & zero, "P": exposed & ~zero, "A": ~exposed}
    for name in "ZP":
        if not masks[name].any():
            raise EmptyResultError("measuring the zero-density gradient", f"stratum {name} is empty")
    strata = [_rates(panel, name, mask, draws, seed) for name, mask in masks.items() if mask.any()]
    inside = panel.where(exposed)
    is_zero = zero[exposed]
    shift = overlap_shift(
        inside.hits, inside.systems, (~is_zero).astype(int), inside.cases["cluster"], draws=draws, seed=seed
    )
    p, n_mixed = _permutation(inside, is_zero, draws, seed)
    gradient = shift["shift"]
    gradients = pd.DataFrame(
        {
            "system": panel.systems,
            "gradient": gradient,
            "lo": shift["lo"],
            "hi": shift["hi"],
            "p": p,
            "versus_reference": gradient - gradient[panel.index(reference)],
        }
    )
    table = pd.concat(strata, ignore_index=True)
    table = table.sort_values("system", kind="stable", key=lambda s: s.map(panel.index), ignore_index=True)
    return ZeroDensity(table, gradients, n_mixed)


def _rates(panel: Panel, name: str, mask: BoolArray, draws: int, seed: int) -> pd.DataFrame:
    part = panel.where(mask)
    lo, hi = percentile_interval(cluster_bootstrap(part.hits, part.cases["cluster"], draws=draws, seed=seed))
    return pd.DataFrame(
        {
            "system": part.systems,
            "stratum": name,
            "n": len(part.cases),
            "n_publications": part.n_publications,
            "hits": part.hits.sum(axis=0).astype("int64"),
            "rate": part.hits.mean(axis=0),
            "lo": lo,
            "hi": hi,
        }
    )


def _permutation(panel: Panel, is_zero: BoolArray, draws: int, seed: int) -> tuple[FloatArray, int]:
    """p-values of the difference of unweighted publication means, labels shuffled over publications."""
    rates, share = _publication_means(panel, is_zero)
    pure = (share == 0.0) | (share == 1.0)
    label = share[pure] == 1.0
    if label.all() or not label.any():
        return np.full(rates.shape[1], np.nan), int((~pure).sum())
    values, n_zero = rates[pure], int(label.sum())
    total, n_rest = values.sum(axis=0), len(label) - n_zero

    def contrast(picked: FloatArray) -> FloatArray:
        gap: FloatArray = picked / n_zero - (total - picked) / n_rest
        return gap

    observed = np.abs(contrast(label.astype(np.float64) @ values))
    chosen = np.empty((draws, len(label)))
    rng = np.random.default_rng(seed)
    for row in chosen:
        row[:] = rng.permutation(label)
    count = (np.abs(contrast(chosen @ values)) >= observed - _TOLERANCE).sum(axis=0)
    return (count + 1) / (draws + 1), int((~pure).sum())


def _publication_means(panel: Panel, is_zero: BoolArray) -> tuple[FloatArray, FloatArray]:
    codes: IntArray = sorted_cluster_index(panel.cases["cluster"])[0]
    sums = GroupSums(codes)
    totals = sums.of(np.column_stack([panel.hits, is_zero.astype(np.float64)])) / sums.sizes[:, None]
    return totals[:, :-1], totals[:, -1]
