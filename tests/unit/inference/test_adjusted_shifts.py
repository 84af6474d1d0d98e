"""Standardisation, design weights, density, zero density, recency and publication-level tests."""

import numpy as np
import pandas as pd
import pytest
from panels import RATES, generated_panel, small_cases

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.density import (
    density_adjusted_shift,
    density_by_overlap,
    density_interaction,
    equal_count_bins,
    quintile_shifts,
)
from genoplatform.inference.panel import build_panel
from genoplatform.inference.publication_level import publication_tests
from genoplatform.inference.recency import recency_shifts
from genoplatform.inference.standardise import standardise
from genoplatform.inference.weights import weighted_deltas, weighted_rates
from genoplatform.inference.zero_density import zero_density


def frame(**columns) -> pd.DataFrame:
    """One system X; a case per entry, each its own publication unless `cluster` is given."""
    n = len(columns["hit"])
    base = {"case_id": [f"c{i:02d}" for i in range(n)], "system": "X", "cluster": [f"p{i:02d}" for i in range(n)]}
    return pd.DataFrame({**base, **columns})


@pytest.fixture(scope="module")
def panel():
    return build_panel(generated_panel(small_cases(), RATES, 1))


def test_standardised_rates_by_hand():
    """Category a: 4 of 6 cases; b: 2 of 6. Present: a 1/2, b 1/1; absent: a 2/2, b 0/1."""
    data = frame(hit=[1, 0, 1, 1, 1, 0], exposed=[1, 1, 1, 0, 0, 0], category=["a", "a", "b", "a", "a", "b"])
    row = standardise(build_panel(data)).rates.iloc[0]
    assert row["crude_present"] == pytest.approx(2 / 3)
    assert row["std_present"] == pytest.approx(4 / 6 * 1 / 2 + 2 / 6 * 1)
    assert row["std_absent"] == pytest.approx(4 / 6 * 1 + 2 / 6 * 0)
    assert row["shift_std"] == pytest.approx(4 / 6 - 4 / 6)


def test_a_category_without_cases_in_a_group_is_skipped_and_not_rescaled():
    data = frame(hit=[1, 1, 1], exposed=[1, 0, 1], category=["a", "a", "b"])
    row = standardise(build_panel(data)).rates.iloc[0]
    assert row["std_absent"] == pytest.approx(2 / 3)


def test_hajek_ratio_and_equal_weight_mean_by_hand():
    data = frame(hit=[1, 0, 1], exposed=[1, 1, 1], category=["a", "a", "b"], weight=[2.0, 2.0, 5.0])
    table = weighted_rates(build_panel(data), draws=50)
    assert table["subset"].tolist() == ["full", "overlap_present"]
    row = table.iloc[0]
    assert (row["unweighted"], row["ht"], row["equal"]) == pytest.approx((2 / 3, 7 / 9, (1 / 2 + 1) / 2))


def test_weighted_difference_is_the_difference_of_weighted_rates(panel):
    rates = weighted_rates(panel, draws=50).set_index(["subset", "system"])
    for row in weighted_deltas(panel, [("S", "K"), ("S", "M")], draws=50).itertuples():
        for column in ("ht", "unweighted"):
            a, b = (rates.loc[(row.subset, s), column] for s in (row.first, row.second))
            assert getattr(row, column) == pytest.approx(a - b, abs=1e-12)
        assert row.ht_lo <= row.ht <= row.ht_hi


def test_weight_interval_equals_a_naive_loop(panel):
    part = panel.where(panel.absent).only(["S"])
    clusters = part.cases["cluster"].to_numpy()
    names = list(dict.fromkeys(clusters))
    weight, hit = part.cases["weight"].to_numpy(), part.hits[:, 0]
    rng, draws = np.random.default_rng(42), []
    for _ in range(200):
        rows = np.concatenate([np.flatnonzero(clusters == names[i]) for i in rng.choice(len(names), len(names))])
        draws.append((weight[rows] * hit[rows]).sum() / weight[rows].sum())
    row = weighted_rates(panel.only(["S"]), draws=200).set_index("subset").loc["overlap_absent"]
    assert (row["ht_lo"], row["ht_hi"]) == pytest.approx(tuple(np.percentile(draws, [2.5, 97.5])), abs=1e-12)


def test_a_weight_that_is_not_positive_is_refused():
    data = frame(hit=[1, 0], exposed=[1, 1], category=["a", "b"], weight=[1.0, 0.0])
    with pytest.raises(BadInputError, match="positive"):
        weighted_rates(build_panel(data))


def test_bins_are_those_of_a_quantile_cut_of_first_come_ranks():
    values = np.random.default_rng(0).integers(0, 40, 1047).astype(float)
    expected = pd.qcut(pd.Series(values).rank(method="first"), 5, labels=False)
    assert (equal_count_bins(values, 5) == expected).all()
    assert np.bincount(equal_count_bins(values, 5)).tolist() == [210, 209, 209, 209, 210]


def test_pooled_quintile_shift_by_hand():
    """Two bins of 3 and 3 cases; shifts 1 - 0.5 and 0 - 1; a bin without absent cases would not count."""
    data = frame(hit=[1, 0, 1, 1, 1, 0], exposed=[1, 1, 0, 1, 1, 0], density=[0, 0, 1, 5, 6, 7])
    strata, pooled = quintile_shifts(build_panel(data), bins=2)
    assert strata["shift"].tolist() == [0.5, -1.0]
    assert pooled["shift"].item() == pytest.approx((3 * 0.5 + 3 * -1.0) / 6)
    data["exposed"] = [1, 1, 1, 1, 1, 0]
    strata, pooled = quintile_shifts(build_panel(data), bins=2)
    assert np.isnan(strata["shift"][0])
    assert (pooled["shift"].item(), pooled["bins_used"].item()) == (-1.0, 1)
    data["exposed"] = [1, 1, 1, 0, 0, 0]
    _, pooled = quintile_shifts(build_panel(data), bins=2)
    assert np.isnan(pooled["shift"].item()), "no bin has both kinds of cases"
    assert pooled["bins_used"].item() == 0


def test_mann_whitney_u_counts_pairs(panel):
    table = density_by_overlap(panel.cases, ["density"]).set_index("group")
    a, b = (panel.cases.loc[panel.cases["exposed"] == flag, "density"].to_numpy() for flag in (1, 0))
    pairs = (a[:, None] > b).sum() + 0.5 * (a[:, None] == b).sum()
    assert table.loc["present", "mwu_u"] == pairs
    assert table.loc["present", "zero"] == (a == 0).sum()
    assert table.loc["absent", "median"] == np.median(b)


def test_a_hit_that_is_all_density_loses_its_shift_to_the_adjustment():
    """The hit is a function of log density; adjusting leaves nothing of the crude shift: attenuation 100 %."""
    cases = small_cases()
    cases["density"] = np.where(cases["exposed"] == 1, 3, 20)
    cases.loc[np.random.default_rng(0).random(len(cases)) < 0.3, "density"] = 20
    cases["log_density"] = np.log1p(cases["density"])
    data = cases.assign(system="X", hit=(cases["density"] > 10).astype(int))
    row = density_adjusted_shift(build_panel(data)).iloc[0]
    assert row["crude"] > 0.1
    assert row["adjusted"] == pytest.approx(0.0, abs=1e-9)
    assert row["attenuation"] == pytest.approx(100.0, abs=1e-6)
    assert row["log_density"] == pytest.approx(1 / (np.log(21) - np.log(4)), abs=1e-9)


def test_crude_gaussian_interaction_is_the_raw_difference_of_shifts(panel):
    """Balanced groups again: any exchangeable weighting leaves the contrast of systems alone."""
    table = density_interaction(panel, "M").set_index("system")
    away = panel.absent
    shift = panel.hits[away].mean(axis=0) - panel.hits[~away].mean(axis=0)
    for name in ("K", "S"):
        expected = shift[panel.index(name)] - shift[panel.index("M")]
        assert table.loc[name, "crude"] == pytest.approx(expected, abs=1e-9)
    assert (table["adjusted_se"] > 0).all()


def test_zero_density_strata_and_permutation_by_hand():
    """Z: 3 publications all missed; P: 3 all hit; A: 1. Of the 20 labelings 2 are as extreme: p = 0.1; its Monte
    Carlo error at 10,000 draws is 0.003, so 0.012 is four of them. A publication holding Z and P is left out."""
    data = frame(
        hit=[0, 0, 0, 1, 1, 1, 1, 0, 1],
        exposed=[1, 1, 1, 1, 1, 1, 0, 1, 1],
        density=[0, 0, 0, 4, 5, 6, 9, 0, 7],
        cluster=["a", "b", "c", "d", "e", "f", "g", "mixed", "mixed"],
    )
    result = zero_density(build_panel(data), "X")
    strata = result.strata.set_index("stratum")
    assert strata["n"].to_dict() == {"Z": 4, "P": 4, "A": 1}
    assert strata["n_publications"].to_dict() == {"Z": 4, "P": 4, "A": 1}
    assert strata["rate"].to_dict() == {"Z": 0.0, "P": 1.0, "A": 1.0}
    assert result.n_mixed == 1
    row = result.gradients.iloc[0]
    assert (row["gradient"], row["versus_reference"]) == (-1.0, 0.0)
    assert row["p"] == pytest.approx(0.1, abs=0.012)


def test_zero_density_permutation_equals_a_naive_loop(panel):
    inside = panel.where(~panel.absent)
    table = inside.cases.assign(hit=inside.hits[:, 1], z=inside.cases["density"] == 0)
    means = table.groupby("cluster").agg(hit=("hit", "mean"), z=("z", "mean")).sort_index()
    pure = means[means["z"].isin([0.0, 1.0])]
    label = (pure["z"] == 1.0).to_numpy()
    hit = pure["hit"].to_numpy()
    observed = hit[label].mean() - hit[~label].mean()
    rng, count = np.random.default_rng(42), 0
    for _ in range(500):
        shuffled = rng.permutation(label)
        count += abs(hit[shuffled].mean() - hit[~shuffled].mean()) >= abs(observed) - 1e-12
    result = zero_density(panel, "M", draws=500)
    assert result.gradients["p"][1] == (count + 1) / 501
    assert result.n_mixed == len(means) - len(pure) > 0


def test_an_empty_stratum_is_an_error(panel):
    with pytest.raises(EmptyResultError, match="stratum Z"):
        zero_density(panel.where(panel.column("density") > 0), "M")


def test_recency_shift_is_after_minus_before():
    data = frame(hit=[1, 1, 0, 1, 0], exposed=[1, 1, 1, 0, 0], recent=[0, 0, 1, 0, 1])
    table = recency_shifts(build_panel(data), draws=50).set_index("scope")
    assert table.loc["all", ["n_before", "n_after", "before", "after", "shift"]].tolist() == [3, 2, 1.0, 0.0, -1.0]
    assert table.loc["overlap_absent", "shift"] == -1.0
    only_old = build_panel(data.assign(recent=0))
    assert recency_shifts(only_old).empty


def test_publication_tests_by_hand():
    """Rates A: 1, 1/2, 1, 0; B: 0, 0, 1, 0: differences 1, .5, 0, 0; t = mean / (sd / 2)."""
    cluster = ["p1", "p2", "p2", "p3", "p4"]
    a = frame(hit=[1, 1, 0, 1, 0], exposed=0, cluster=cluster)
    b = frame(hit=[0, 0, 0, 1, 0], exposed=0, cluster=cluster).assign(system="Y")
    row = publication_tests(build_panel(pd.concat([a, b])), [("X", "Y")]).iloc[0]
    gap = np.array([1.0, 0.5, 0.0, 0.0])
    assert (row["n_publications"], row["n_discordant"]) == (4, 2)
    assert row["difference"] == pytest.approx(0.375)
    assert row["t"] == pytest.approx(gap.mean() / (gap.std(ddof=1) / 2))
    assert row["wilcoxon"] == 0.0
    same = publication_tests(build_panel(pd.concat([a, a.assign(system="Y")])), [("X", "Y")]).iloc[0]
    assert same["n_discordant"] == 0
    assert np.isnan(same["t_p"])
