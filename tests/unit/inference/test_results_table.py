"""The legacy table's intervals against Python's own random module."""

import random

import numpy as np
import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.metrics import METRICS, per_case_metrics
from genoplatform.inference.results_table import RandRange, paired_delta, results_table

RANKS = [1, 2, 1, 7, 12, 1, float("nan"), 3, 1, 1, 4, 1, 30]


def naive_interval(values, rng):
    n = len(values)
    means = sorted(sum(values[rng.randrange(n)] for _ in range(n)) / n for _ in range(1000))
    return [round(means[25], 4), round(means[974], 4)]


@pytest.mark.parametrize("n", [1, 2, 3, 64, 88, 1047, 70_000])
def test_numbers_are_randranges_across_takes(n):
    rng, python = RandRange(n, seed=42), random.Random(42)
    taken = np.concatenate([rng.take(count) for count in (5, 0, 70_001, 3)])
    assert taken.tolist() == [python.randrange(n) for _ in range(70_009)]


def test_a_fresh_generator_for_every_metric():
    row = results_table({"S": RANKS}).iloc[0]
    values = per_case_metrics(RANKS)
    for j, metric in enumerate(METRICS):
        assert [row[f"{metric}_ci_lo"], row[f"{metric}_ci_hi"]] == naive_interval(
            values[:, j].tolist(), random.Random(42)
        )
    assert (row["n_cases"], row["top1_point"]) == (13, round(6 / 13, 4))


def test_one_generator_through_the_five_metrics():
    row = results_table({"S": RANKS}, shared_rng=True).iloc[0]
    rng = random.Random(42)
    values = per_case_metrics(RANKS)
    for j, metric in enumerate(METRICS):
        assert [row[f"{metric}_ci_lo"], row[f"{metric}_ci_hi"]] == naive_interval(values[:, j].tolist(), rng)


def test_paired_delta():
    a, b = [1, 1, 1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 0, 1, 0, 1]
    result = paired_delta(a, b)
    assert (result.delta, [result.lo, result.hi]) == (
        0.5,
        naive_interval([x - y for x, y in zip(a, b, strict=True)], random.Random(42)),
    )
    assert result.significant
    assert not paired_delta(a, a).significant


def test_no_cases_are_refused():
    with pytest.raises(BadInputError):
        results_table({"S": []})
