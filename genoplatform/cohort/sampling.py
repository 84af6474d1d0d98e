"""Seeded stratified samples with the inclusion probabilities they imply.

Here: drawing. Not here: what the strata mean.
Source of the order of draws: the geno_agent design (one generator for all strata, pools in code-point order).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import ceil

import pandas as pd

from genoplatform.errors import SettingsError

RANDOM_SEED = 42
RELEASED_ORDER = ("neurological", "metabolic", "immunological", "developmental")
RELEASED_TARGETS: Mapping[str, int] = {
    "neurological": 250,
    "metabolic": 250,
    "immunological": 300,
    "developmental": 250,
}


def stratified_sample(
    cases: pd.DataFrame,
    targets: Mapping[str, int | None],
    *,
    by: str = "category",
    order: Sequence[str] | None = None,
    seed: int = RANDOM_SEED,
) -> pd.DataFrame:
    """Draw min(target, pool) cases of every stratum with ONE ``random.Random(seed)``.

    Args:
        cases: columns case_id and ``by``.
        targets: stratum -> number wanted; None takes the stratum whole, without using the generator.
        by: the stratum column.
        order: strata in drawing order (it decides what each draws); default sorted.
        seed: of the one generator.

    Returns:
        The drawn rows sorted by (stratum, case_id) with inclusion_probability = drawn / pool.

    Raises:
        SettingsError: ``order`` and ``targets`` name different strata, or a stratum of ``cases`` has no target.
    """
    strata = list(order) if order is not None else sorted(targets)
    unknown = sorted(set(cases[by]) - set(targets))
    if unknown or set(strata) != set(targets):
        raise SettingsError(
            "drawing a stratified sample", f"strata without a target: {unknown}; order {strata} for {sorted(targets)}"
        )
    rng, rate = random.Random(seed), {}
    drawn: list[str] = []
    for stratum in strata:
        pool = sorted(cases.loc[cases[by] == stratum, "case_id"])
        target = targets[stratum]
        picked = pool if target is None else rng.sample(pool, min(target, len(pool)))
        rate[stratum] = len(picked) / len(pool) if pool else 0.0
        drawn.extend(picked)
    sample = cases[cases["case_id"].isin(drawn)].sort_values([by, "case_id"], kind="stable")
    return sample.assign(inclusion_probability=sample[by].map(rate).astype("float64")).reset_index(drop=True)


def equal_sample(cases: pd.DataFrame, total: int, *, by: str = "category", seed: int = RANDOM_SEED) -> pd.DataFrame:
    """Equal mode: ceil(total / 4) of each category in the released order, then trimmed to ``total``.

    Trimming shuffles the drawn cases with the same generator and keeps the first ``total``. The inclusion
    probability is kept / pool of the stratum.
    """
    rng, pools = random.Random(seed), {}
    drawn: list[str] = []
    for stratum in RELEASED_ORDER:
        pool = pools[stratum] = sorted(cases.loc[cases[by] == stratum, "case_id"])
        drawn.extend(rng.sample(pool, min(ceil(total / len(RELEASED_ORDER)), len(pool))))
    if len(drawn) > total:
        rng.shuffle(drawn)
        drawn = drawn[:total]
    sample = cases[cases["case_id"].isin(drawn)].sort_values([by, "case_id"], kind="stable").reset_index(drop=True)
    return with_inclusion_probability(sample, {s: len(p) for s, p in pools.items()}, by=by)


def with_inclusion_probability(
    sample: pd.DataFrame, pool_sizes: Mapping[str, int], *, by: str = "category"
) -> pd.DataFrame:
    """Set inclusion_probability to analysed / eligible per stratum.

    For after cases were lost downstream of the draw: the survivors stand for the whole pool, as in the released
    design weights (3144/247 for the neurological stratum).
    """
    counts = sample[by].value_counts()
    rate = {stratum: counts[stratum] / pool_sizes[stratum] for stratum in counts.index}
    return sample.assign(inclusion_probability=sample[by].map(rate).astype("float64"))
