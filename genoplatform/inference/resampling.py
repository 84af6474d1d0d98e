"""The three resampling schemes: cluster bootstrap, case bootstrap, sign-flip permutation over clusters.

Belongs here: index drawing, the statistics that are ratios of sums, percentile intervals. Does not belong here: what
is compared with what (contrast, overlap_shift) or models. Source: section 11 of the benchmark's specification; the
random streams are those of its sequential recipe (one `Generator` per call, one draw of n indices or n signs after
the other), so every draw, not only its distribution, is reproduced.

Every statistic is sum(w*y) / sum(w) over the drawn cases, so per-cluster sums are enough: a block of draws is a
sparse matrix of picks times a small table. Blocks bound memory at a few megabytes whatever the number of draws. The
products stay off the threaded BLAS: many small ones there wait for each other's threads on a busy machine (measured
20 times slower), and their last digits depend on the processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError, SettingsError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Statistic = Literal["mean", "weighted mean"]

_BLOCK_CELLS = 1 << 16  # draws x clusters held at once; 512 kB of indices stay in the second-level cache
_PERMUTATION_TOLERANCE = 1e-15


@dataclass(frozen=True)
class PermutationResult:
    """One sign-flip test: p = (count + 1) / (draws + 1), two-sided; `observed` is the mean difference over cases."""

    p: float
    observed: float
    count: int


def cluster_index(clusters: ArrayLike | pd.Series) -> tuple[IntArray, int]:
    """Number the clusters in order of first appearance.

    Args:
        clusters: [n_cases] labels.

    Returns:
        codes [n_cases] from 0, and the number of clusters.

    Raises:
        BadInputError: a label is missing.
    """
    codes, labels = pd.factorize(_as_series(clusters))
    if (codes < 0).any():
        raise BadInputError(
            "numbering the clusters",
            f"{int((codes < 0).sum())} of {len(codes)} cases have no cluster",
            "give a case without a publication a cluster of its own",
        )
    return codes.astype(np.int64), len(labels)


def sorted_cluster_index(clusters: ArrayLike | pd.Series) -> tuple[IntArray, int]:
    """Number the clusters in code-point order of their labels as strings (the permutation test's order)."""
    text = _as_series(clusters).map(str)
    codes, n_clusters = cluster_index(text)
    labels = text.drop_duplicates().tolist()
    order = np.empty(n_clusters, dtype=np.int64)
    order[sorted(range(n_clusters), key=labels.__getitem__)] = np.arange(n_clusters)
    return order[codes], n_clusters


def cluster_bootstrap(
    values: ArrayLike,
    clusters: ArrayLike | pd.Series,
    *,
    statistic: Statistic = "mean",
    weights: ArrayLike | None = None,
    draws: int = 10_000,
    seed: int = 42,
) -> FloatArray:
    """Resample whole clusters with replacement; all cases of a picked cluster enter as often as it was picked.

    Args:
        values: [n_cases] or [n_cases, k], finite.
        clusters: [n_cases] labels; their order of first appearance decides which draw picks which.
        statistic: "mean" over the pooled cases, or "weighted mean" = sum(w*y) / sum(w) (Hajek's ratio).
        weights: for "weighted mean": [n_cases], or [n_cases, k] for one weight per column. 0/1 weights give means
            within subsets, drawn jointly.
        draws: number of bootstrap draws.
        seed: of numpy's default generator, fresh for each call.

    Returns:
        [draws] or [draws, k]; NaN where a draw has no weight at all.

    Raises:
        BadInputError: shapes that do not match, values that are not finite, negative weights, no cases.
        SettingsError: draws < 1, a negative seed, or weights that do not go with the statistic.
    """
    codes, n_clusters = cluster_index(clusters)
    weight = _weight_columns(statistic, weights, codes)
    return _bootstrap(values, weight, codes, n_clusters, draws=draws, seed=seed)


def case_bootstrap(
    values: ArrayLike,
    *,
    statistic: Statistic = "mean",
    weights: ArrayLike | None = None,
    draws: int = 10_000,
    seed: int = 42,
) -> FloatArray:
    """Resample cases as if they were independent: `cluster_bootstrap` with every case its own cluster."""
    codes = np.arange(len(np.asarray(values)))
    weight = _weight_columns(statistic, weights, codes)
    return _bootstrap(values, weight, codes, len(codes), draws=draws, seed=seed)


def percentile_interval(draws: ArrayLike, level: float = 0.95) -> FloatArray:
    """Equal-tailed percentile interval along the first axis, linear interpolation, draws that are NaN left out.

    Args:
        draws: [draws] or [draws, k].
        level: coverage, inside (0, 1).

    Returns:
        [2] or [2, k]: lower and upper ends; NaN where no draw has a value.
    """
    if not 0 < level < 1:
        raise SettingsError("taking a percentile interval", f"level {level} is not between 0 and 1")
    tail = round(50 * (1 - level), 10)  # 100 * (1 - .95) / 2 is not 2.5 in binary; the percentile asked for is
    samples = np.asarray(draws, dtype=np.float64)
    if not np.isnan(samples).any():
        return np.percentile(samples, [tail, 100 - tail], axis=0)
    columns = samples.reshape(len(samples), -1)
    ends = np.full((2, columns.shape[1]), np.nan)
    for j in np.flatnonzero(~np.isnan(columns).all(axis=0)):
        ends[:, j] = np.nanpercentile(columns[:, j], [tail, 100 - tail])
    return ends.reshape(2, *samples.shape[1:])


def sign_flip_permutation(
    differences: ArrayLike, clusters: ArrayLike | pd.Series, draws: int = 10_000, seed: int = 42
) -> PermutationResult:
    """Two-sided test of a mean paired difference, flipping the sign of whole clusters.

    Args:
        differences: [n_cases], for example hit_a - hit_b.
        clusters: [n_cases] labels, taken in code-point order.
        draws: number of permutations.
        seed: of numpy's default generator.
    """
    return sign_flip_permutations(np.asarray(differences, dtype=np.float64)[:, None], clusters, draws, seed)[0]


def sign_flip_permutations(
    differences: ArrayLike, clusters: ArrayLike | pd.Series, draws: int = 10_000, seed: int = 42
) -> list[PermutationResult]:
    """`sign_flip_permutation` of every column of `differences` [n_cases, k] under the same signs."""
    codes, n_clusters = sorted_cluster_index(clusters)
    table = _cluster_sums(_checked(differences, codes, "differences"), codes, n_clusters)
    n_cases = len(codes)
    observed = table.sum(axis=0) / n_cases
    count = np.zeros(table.shape[1], dtype=np.int64)
    for signs in _sign_blocks(n_clusters, draws, seed):
        count += (
            np.abs(np.einsum("ij,jk->ik", signs, table) / n_cases) >= np.abs(observed) - _PERMUTATION_TOLERANCE
        ).sum(axis=0)
    return [
        PermutationResult((int(c) + 1) / (draws + 1), float(o), int(c)) for c, o in zip(count, observed, strict=True)
    ]


def _bootstrap(
    values: ArrayLike, weight: FloatArray, codes: IntArray, n_clusters: int, *, draws: int, seed: int
) -> FloatArray:
    columns = _checked(values, codes, "values")
    if weight.shape[1] not in (1, columns.shape[1]) or (weight < 0).any():
        raise BadInputError("bootstrapping", "weights are negative or not one per case (and column)")
    table = _cluster_sums(np.hstack([columns * weight, weight]), codes, n_clusters)
    k = columns.shape[1]
    out = np.empty((max(draws, 0), k))
    start = 0
    for picks in _pick_blocks(n_clusters, draws, seed):
        sums = picks @ table
        with np.errstate(invalid="ignore"):
            out[start : start + len(sums)] = sums[:, :k] / sums[:, k:]
        start += len(sums)
    return out[:, 0] if np.ndim(values) == 1 else out


def _weight_columns(statistic: Statistic, weights: ArrayLike | None, codes: IntArray) -> FloatArray:
    if statistic not in ("mean", "weighted mean") or (statistic == "weighted mean") is (weights is None):
        found = f"statistic {statistic!r} with{'out' if weights is None else ''} weights"
        raise SettingsError("bootstrapping", found, '"mean" takes no weights, "weighted mean" needs them')
    return np.ones((len(codes), 1)) if weights is None else _checked(weights, codes, "weights")


def _pick_blocks(n: int, draws: int, seed: int) -> Iterator[csr_array]:
    """Blocks [rows, n] of n picks among n units, draw after draw of one stream; a unit picked twice is stored twice."""
    rng = _generator(seed)
    for rows in _block_rows(n, draws):
        picks = rng.integers(0, n, size=rows * n, dtype=np.int32)
        yield csr_array((np.ones(rows * n), picks, np.arange(rows + 1, dtype=np.int32) * n), shape=(rows, n))


def _sign_blocks(n: int, draws: int, seed: int) -> Iterator[FloatArray]:
    """Blocks [rows, n] of -1 and +1; `integers(0, 2)` is what `choice([-1, 1])` draws."""
    rng = _generator(seed)
    for rows in _block_rows(n, draws):
        signs = rng.integers(0, 2, size=(rows, n), dtype=np.int32).astype(np.float64)
        signs *= 2.0
        signs -= 1.0
        yield signs


def _generator(seed: int) -> np.random.Generator:
    if seed < 0:
        raise SettingsError("resampling", f"seed {seed}", "a seed is 0 or more")
    return np.random.default_rng(seed)


def _block_rows(n: int, draws: int) -> Iterator[int]:
    if draws < 1:
        raise SettingsError("resampling", f"{draws} draws", "ask for at least one; 10,000 is usual")
    rows = max(1, _BLOCK_CELLS // n)
    for start in range(0, draws, rows):
        yield min(rows, draws - start)


def _cluster_sums(columns: FloatArray, codes: IntArray, n_clusters: int) -> FloatArray:
    return np.column_stack([np.bincount(codes, column, minlength=n_clusters) for column in columns.T])


def _checked(values: ArrayLike, codes: IntArray, what: str) -> FloatArray:
    """As [n_cases, k] floats; NaN is refused because 0 x NaN would spread it to every draw."""
    columns = np.asarray(values, dtype=np.float64)
    columns = columns[:, None] if columns.ndim == 1 else columns
    if len(codes) == 0 or columns.ndim != 2 or len(columns) != len(codes):
        raise BadInputError(
            "resampling", f"{what} of shape {columns.shape} for {len(codes)} cases", "one row per case, at least one"
        )
    if not np.isfinite(columns).all():
        raise BadInputError("resampling", f"{what} hold NaN or infinity", "count a missing result as a miss (0)")
    return columns


def _as_series(labels: ArrayLike | pd.Series) -> pd.Series:
    return labels if isinstance(labels, pd.Series) else pd.Series(np.asarray(labels))
