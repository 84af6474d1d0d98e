import numpy as np
import pandas as pd
import pytest
from panels import RATES, generated_panel, small_cases

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.did import difference_in_differences, shift_differences, side_by_side
from genoplatform.inference.panel import build_panel


@pytest.fixture(scope="module")
def panel():
    return build_panel(generated_panel(small_cases(), RATES, 1))


@pytest.fixture(scope="module")
def result(panel):
    return difference_in_differences(panel, "M", draws=400)


def test_shift_is_absent_minus_present(panel, result):
    for row in result.shifts.itertuples():
        hits = panel.hits[:, panel.index(row.system)]
        assert row.present == pytest.approx(hits[~panel.absent].mean())
        assert row.absent == pytest.approx(hits[panel.absent].mean())
        assert row.shift == pytest.approx(row.absent - row.present)
        assert row.lo <= row.shift <= row.hi


def test_on_a_balanced_panel_the_mixed_model_is_the_raw_difference_of_shifts(result):
    """An identity of least squares, so only rounding of the solver (1e-10) is allowed."""
    shift = result.shifts.set_index("system")["shift"]
    for table, column in ((result.differences, "difference"), (result.mixed, "coef")):
        estimate = table.set_index("system")[column]
        assert list(estimate.index) == ["K", "S"]
        np.testing.assert_allclose(estimate, shift[["K", "S"]] - shift["M"], atol=1e-10)


def test_the_interaction_error_is_that_of_two_independent_means_twice(panel, result):
    """Balanced panel: var = 2 s2 (1/n_present + 1/n_absent), the same for every system."""
    n = panel.absent.sum(), (~panel.absent).sum()
    expected = np.sqrt(2 * result.mixed["residual_variance"] * (1 / n[0] + 1 / n[1]))
    np.testing.assert_allclose(result.mixed["se"], expected, rtol=1e-9)


def test_difference_draws_are_joint(panel):
    """Naive loop over publications, both shifts in the same draw."""
    clusters = panel.cases["cluster"].to_numpy()
    names = list(dict.fromkeys(clusters))
    members = {name: np.flatnonzero(clusters == name) for name in names}
    rng, draws = np.random.default_rng(42), []
    for _ in range(200):
        rows = np.concatenate([members[names[i]] for i in rng.choice(len(names), len(names))])
        away, hits = panel.absent[rows], panel.hits[rows]
        shift = hits[away].mean(axis=0) - hits[~away].mean(axis=0)
        draws.append(shift - shift[panel.index("M")])
    lo, hi = np.percentile(draws, [2.5, 97.5], axis=0)
    table = shift_differences(panel, "M", draws=200)
    at = [panel.index(name) for name in table["system"]]
    np.testing.assert_allclose(table["lo"], lo[at], atol=1e-12)
    np.testing.assert_allclose(table["hi"], hi[at], atol=1e-12)


def test_saturated_logit_gives_the_odds_ratio_of_the_four_rates():
    """Publications of one case and one system pair each: with no correlation to weigh, the saturated GEE must
    return the ratio of odds ratios of the 2 x 2 x 2 table, here (4/1 / 1/4) / (1/1 / 1/1) = 16 for X against M."""
    cases = (
        small_cases(n_publications=20)
        .iloc[:20]
        .assign(case_id=[f"c{i}" for i in range(20)], cluster=[f"p{i}" for i in range(20)], exposed=[1] * 10 + [0] * 10)
    )
    x, m = [1] * 2 + [0] * 8 + [1] * 8 + [0] * 2, ([1] * 5 + [0] * 5) * 2
    frame = generated_panel(cases, {"M": (0.5, 0.5), "X": (0.5, 0.5)}, 1)
    frame["hit"] = m + x
    gee = difference_in_differences(build_panel(frame), "M", draws=50).gee
    assert gee["converged"].all()
    assert gee["odds_ratio"].item() == pytest.approx(16.0, rel=1e-8)


def test_all_estimates_in_one_table(result):
    table = side_by_side(result, pd.DataFrame({"system": ["S"], "counterfactual": [0.25]})).set_index("system")
    assert table["raw"].tolist() == result.differences["difference"].tolist()
    assert table["mixed"].tolist() == pytest.approx(table["raw"].tolist())
    assert table.loc["S", "odds_ratio"] == result.gee.set_index("system").loc["S", "odds_ratio"]
    assert table["counterfactual"].fillna(-1).to_dict() == {"K": -1, "S": 0.25}


def test_one_group_only_or_an_unknown_reference_is_an_error(panel):
    with pytest.raises(EmptyResultError):
        difference_in_differences(panel.where(panel.absent), "M")
    with pytest.raises(BadInputError, match="'K'"):
        difference_in_differences(panel, "Z")
