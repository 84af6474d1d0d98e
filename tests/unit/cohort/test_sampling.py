"""Seeded stratified draws: one generator in a declared order, and the probabilities that follow."""

import random

import pandas as pd
import pytest

from genoplatform.cohort.sampling import equal_sample, stratified_sample, with_inclusion_probability
from genoplatform.errors import SettingsError

POOLS = {"neurological": 40, "metabolic": 30, "immunological": 20, "developmental": 5}
CASES = pd.DataFrame(
    [(f"{c[:3]}:{i:02d}", c) for c, n in POOLS.items() for i in range(n)], columns=["case_id", "category"]
)
TARGETS = {"neurological": 10, "metabolic": 10, "immunological": 10, "developmental": 10}
ORDER = ["neurological", "metabolic", "immunological", "developmental"]


def test_one_generator_over_sorted_pools_in_the_given_order():
    rng, expected = random.Random(42), []
    for category in ORDER:
        pool = sorted(CASES.loc[CASES["category"] == category, "case_id"])
        expected += rng.sample(pool, min(10, len(pool)))
    shuffled = CASES.sample(frac=1, random_state=1)
    found = stratified_sample(shuffled, TARGETS, order=ORDER)
    assert sorted(found["case_id"]) == sorted(expected)
    assert found[["category", "case_id"]].equals(found[["category", "case_id"]].sort_values(["category", "case_id"]))


def test_the_order_of_strata_changes_the_draw_and_the_seed_does_too():
    base = set(stratified_sample(CASES, TARGETS, order=ORDER)["case_id"])
    assert base != set(stratified_sample(CASES, TARGETS, order=ORDER[::-1])["case_id"])
    assert base != set(stratified_sample(CASES, TARGETS, order=ORDER, seed=43)["case_id"])


def test_inclusion_probability_is_drawn_over_pool_and_a_small_pool_is_taken_whole():
    found = stratified_sample(CASES, TARGETS, order=ORDER).groupby("category")["inclusion_probability"].first()
    assert found.to_dict() == {"neurological": 0.25, "metabolic": 10 / 30, "immunological": 0.5, "developmental": 1.0}


def test_a_stratum_without_a_target_number_is_taken_whole_without_touching_the_generator():
    some = stratified_sample(CASES, TARGETS | {"developmental": None}, order=["developmental", *ORDER[:3]])
    plain = stratified_sample(
        CASES[CASES["category"] != "developmental"], dict.fromkeys(ORDER[:3], 10), order=ORDER[:3]
    )
    assert (some["category"] == "developmental").sum() == 5
    assert set(some["case_id"]) >= set(plain["case_id"])


def test_a_stratum_nobody_planned_for_is_an_error():
    with pytest.raises(SettingsError, match="developmental"):
        stratified_sample(CASES, dict.fromkeys(ORDER[:3], 10), order=ORDER[:3])


def test_equal_mode_trims_to_the_total():
    found = equal_sample(CASES, 22)  # ceil(22/4) = 6 of each of three pools and all 5 of the last: 23, one too many
    counts = found["category"].value_counts().to_dict()
    assert sum(counts.values()) == 22
    assert all(limit - 1 <= counts[c] <= limit for c, limit in zip(ORDER, (6, 6, 6, 5), strict=True))
    weights = found.groupby("category")["inclusion_probability"].first()
    assert (weights * pd.Series(POOLS)).sum() == pytest.approx(22)


def test_losses_after_the_draw_raise_the_weight_of_the_survivors():
    """The released design: 247 of 250 drawn neurological cases stand for 3,144 (weight 3144/247)."""
    survivors = pd.DataFrame({"category": ["neurological"] * 247})
    found = with_inclusion_probability(survivors, {"neurological": 3144})["inclusion_probability"]
    assert 1 / found.iloc[0] == pytest.approx(3144 / 247)
