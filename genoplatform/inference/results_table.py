"""The benchmark's first results table: case bootstrap of 1,000 resamples from Python's own generator.

Belongs here: the legacy intervals (section 10 of the specification), reproduced index for index. They treat cases as
independent; `contrast` and `evaluate` give the clustered ones. Does not belong here: any other bootstrap.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from genoplatform.errors import BadInputError
from genoplatform.inference.metrics import METRICS, per_case_metrics

_RAW_BLOCK = 1 << 16


@dataclass(frozen=True)
class PairedDelta:
    """Mean paired difference, its case bootstrap interval (4 decimals), and whether that excludes 0."""

    delta: float
    lo: float
    hi: float
    significant: bool


def results_table(
    ranks: Mapping[str, ArrayLike], *, shared_rng: bool = False, draws: int = 1_000, seed: int = 42
) -> pd.DataFrame:
    """One row per system: n_cases and, per metric, point, ci_lo, ci_hi at 4 decimals.

    Args:
        ranks: system -> [n_cases] ranks of the causal gene, NaN = not ranked.
        shared_rng: False: a fresh generator per metric (the results table). True: one generator per system goes
            through the five metrics in order (the stratified and recency files).
        draws: resamples.
        seed: of `random.Random`.
    """
    rows = []
    for system, rank in ranks.items():
        values = per_case_metrics(rank)
        row: dict[str, object] = {"system": system, "n_cases": len(values)}
        rng = RandRange(len(values), seed)
        for j, metric in enumerate(METRICS):
            if not shared_rng:
                rng = RandRange(len(values), seed)
            lo, hi = _interval(values[:, j], rng, draws)
            row |= {f"{metric}_point": round(float(values[:, j].mean()), 4)}
            row |= {f"{metric}_ci_lo": lo, f"{metric}_ci_hi": hi}
        rows.append(row)
    return pd.DataFrame(rows)


def paired_delta(values_a: ArrayLike, values_b: ArrayLike, *, draws: int = 1_000, seed: int = 42) -> PairedDelta:
    """The same bootstrap on per-case differences a - b, both [n_cases]."""
    difference = np.asarray(values_a, dtype=np.float64) - np.asarray(values_b, dtype=np.float64)
    lo, hi = _interval(difference, RandRange(len(difference), seed), draws)
    return PairedDelta(round(float(difference.mean()), 4), lo, hi, lo > 0 or hi < 0)


class RandRange:
    """The numbers `random.Random(seed).randrange(n)` gives, call after call, in arrays.

    `randrange` keeps the top bits of one 32-bit Mersenne Twister word and rejects what is not below n; numpy's
    twister with the same state yields the same words, a block at a time.

    Raises:
        BadInputError: n is not between 1 and 2**32 - 1.
    """

    def __init__(self, n: int, seed: int = 42) -> None:
        if not 1 <= n < 1 << 32:
            raise BadInputError("resampling cases", f"{n} cases", "the table needs at least one case")
        _, state, _ = random.Random(seed).getstate()
        self._twister = np.random.MT19937()
        key = np.array(state[:-1], dtype=np.uint32)
        self._twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": state[-1]}}
        self._n, self._shift = n, np.uint64(32 - n.bit_length())
        self._left = np.empty(0, dtype=np.int64)

    def take(self, count: int) -> NDArray[np.int64]:
        """The next `count` numbers."""
        parts, have = [self._left], len(self._left)
        while have < count:
            words = self._twister.random_raw(_RAW_BLOCK) >> self._shift
            parts.append(words[words < self._n].astype(np.int64))
            have += len(parts[-1])
        numbers = np.concatenate(parts)
        self._left = numbers[count:]
        return numbers[:count]


def _interval(values: NDArray[np.float64], rng: RandRange, draws: int) -> tuple[float, float]:
    """Sorted means at positions 2.5 % and 97.5 % - 1 (25 and 974 of 1,000), 4 decimals."""
    n = len(values)
    means = np.sort([values[rng.take(n)].mean() for _ in range(draws)])
    lo, hi = means[draws * 25 // 1000], means[max(draws * 975 // 1000 - 1, 0)]
    return round(float(lo), 4), round(float(hi), 4)
