"""The whole suite on one generated panel: every table, the identities between them, the counterfactual by hand."""

import numpy as np
import pandas as pd
import pytest
from panels import RATES, generated_panel, small_cases

from genoplatform.inference.panel import Panel, build_panel
from genoplatform.inference.suite import counterfactual_effect, panel_of, run_suite, shifts_by_disease

TABLES = {
    *("did_shifts", "did_differences", "did_mixed", "did_gee", "did_side_by_side"),
    *("counterfactual", "shifts_by_disease", "standardised", "standardised_strata", "weighted", "weighted_deltas"),
    *("density_by_overlap", "density_shift", "density_interaction", "quintile_strata", "quintiles"),
    *("zero_density", "zero_gradients", "publication_level", "recency", "not_estimated"),
}
DRAWS = 50
RATES_AND_LESS = {**RATES, "M_decontaminated": (0.7, 0.75), "K_decontaminated": (0.5, 0.75)}
COUNTERFACTUAL_COLUMNS = ["system", "n", "n_publications", "with_own", "without_own", "contamination", "lo", "hi"]


def panel_from(cases: pd.DataFrame) -> Panel:
    cases = cases.assign(rows_total=cases["density"] + cases["exposed"], disease="OMIM:" + cases["cluster"].str[-1])
    return build_panel(generated_panel(cases, RATES_AND_LESS, seed=5))


@pytest.fixture(scope="module")
def panel() -> Panel:
    return panel_from(small_cases())


@pytest.fixture(scope="module")
def tables(panel):
    return run_suite(panel, "M", draws=DRAWS)


def test_every_table_is_there_and_nothing_was_skipped(tables):
    assert set(tables) == TABLES
    assert tables["not_estimated"].empty
    assert all(len(table) for name, table in tables.items() if name != "not_estimated")


def test_interactions_are_raw_differences_of_shifts(panel, tables):
    shifts = {}
    for name in panel.systems:
        hits = panel.hits[:, panel.index(name)]
        shifts[name] = hits[panel.absent].mean() - hits[~panel.absent].mean()
    side = tables["did_side_by_side"].set_index("system")
    assert set(side.index) == {"K", "S"}, "counterparts are no systems of their own here"
    for name in ("K", "S"):
        assert side.loc[name, "raw"] == pytest.approx(shifts[name] - shifts["M"], abs=1e-12)
        assert side.loc[name, "mixed"] == pytest.approx(side.loc[name, "raw"], abs=1e-9)
    found = tables["did_shifts"].set_index("system")["shift"].to_dict()
    assert found == pytest.approx({name: shifts[name] for name in ("M", "K", "S")})


def test_weighted_rates_and_zero_density_cover_the_counterparts_too(panel, tables):
    assert set(tables["weighted"]["system"]) == set(tables["zero_density"]["system"]) == set(panel.systems)


def test_contrasts_are_with_the_reference_unless_declared(panel, tables):
    pairs = tables["weighted_deltas"][["first", "second"]].drop_duplicates().to_numpy().tolist()
    assert pairs == [["K", "M"], ["S", "M"]]
    declared = run_suite(panel, "M", [("S", "K")], draws=DRAWS)
    assert declared["weighted_deltas"][["first", "second"]].drop_duplicates().to_numpy().tolist() == [["S", "K"]]
    assert len(declared["publication_level"]) == 1


def test_the_suite_gives_the_same_numbers_again_and_others_with_another_seed(panel, tables):
    again, other = run_suite(panel, "M", draws=DRAWS), run_suite(panel, "M", draws=DRAWS, seed=7)
    for name in TABLES:
        pd.testing.assert_frame_equal(again[name], tables[name])
    assert not again["did_shifts"]["lo"].equals(other["did_shifts"]["lo"])
    assert again["did_shifts"]["shift"].equals(other["did_shifts"]["shift"])


def by_hand(**hits: list[int]) -> Panel:
    """Six cases: four exposed ones of publications p, p, q, q and two others."""
    cases = pd.DataFrame(
        {
            "case_id": list("abcdef"),
            "cluster": ["p", "p", "q", "q", "r", "s"],
            "exposed": [1, 1, 1, 1, 0, 0],
            "disease": ["d1", "d1", "d1", "d2", "d2", "d3"],
        }
    )
    return Panel(cases, tuple(hits), np.array(list(hits.values()), dtype=float).T)


def test_counterfactual_by_hand():
    panel = by_hand(X=[1, 1, 1, 0, 1, 1], X_decontaminated=[0, 0, 1, 0, 0, 0])
    row = counterfactual_effect(panel, [("X", "X_decontaminated")], 500, 42).iloc[0]
    assert list(row.index) == COUNTERFACTUAL_COLUMNS
    assert (row["n"], row["n_publications"]) == (4, 2), "the cases that are not exposed do not count"
    assert (row["with_own"], row["without_own"], row["contamination"]) == (0.75, 0.25, 0.5)
    # p loses both of its cases and q none: a draw of two publications loses 0, 1/2 or all.
    assert (row["lo"], row["hi"]) == (0.0, 1.0)


@pytest.mark.parametrize("pairs", [[], [("X", "Y")]])
def test_without_pairs_or_exposed_cases_the_counterfactual_is_an_empty_table(pairs):
    panel = by_hand(X=[1] * 6, Y=[0] * 6)
    nobody = panel.where(panel.absent) if pairs else panel
    table = counterfactual_effect(nobody, pairs, 10, 42)
    assert table.empty
    assert list(table.columns) == COUNTERFACTUAL_COLUMNS


def test_the_counterfactual_beside_the_other_estimates_has_their_sign(panel, tables):
    """A shift is absent - present: who loses more without the own publications has the more negative shift."""
    effect = tables["counterfactual"].set_index("system")["contamination"]
    side = tables["did_side_by_side"].set_index("system")
    assert side.loc["K", "counterfactual"] == pytest.approx(effect["M"] - effect["K"], abs=1e-12)
    assert np.isnan(side.loc["S", "counterfactual"]), "S has no counterpart"


def test_the_sign_of_all_four_estimates_agrees_where_removing_explains_the_whole_shift():
    """Generated so that taking the publication away brings exposed cases down to the rate of the others."""
    rates = {"M": (0.95, 0.45), "M_decontaminated": (0.45, 0.45), "K": (0.6, 0.5), "K_decontaminated": (0.5, 0.5)}
    cases = small_cases(n_publications=300)
    cases = cases.assign(rows_total=1, disease=cases["cluster"])
    tables = run_suite(build_panel(generated_panel(cases, rates, seed=1)), "M", draws=DRAWS)
    row = tables["did_side_by_side"].iloc[0]
    assert row["system"] == "K"
    assert row["raw"] > 0.2
    assert row["odds_ratio"] > 1
    assert row["counterfactual"] == pytest.approx(row["raw"], abs=0.12)


def test_without_the_reference_s_counterpart_there_is_no_counterfactual_column(panel):
    kept = panel.only(["M", "K", "S", "K_decontaminated"])
    side = run_suite(kept, "M", draws=DRAWS)["did_side_by_side"]
    assert "counterfactual" not in side


def test_shifts_by_disease_draw_diseases():
    """X hits what is exposed and nothing else; d2 holds one case of each kind."""
    panel = by_hand(X=[1, 1, 1, 1, 0, 0])
    row = shifts_by_disease(panel, 200, 42).iloc[0]
    assert (row["n_clusters"], row["n_clusters_absent"]) == (3, 2)
    assert (row["present"], row["absent"], row["shift"]) == (1.0, 0.0, -1.0)
    assert (row["lo"], row["hi"]) == (-1.0, -1.0)


def test_what_cannot_be_estimated_is_named_with_its_reason(panel):
    unexposed = run_suite(panel.where(panel.absent), "M", draws=DRAWS)
    skipped = unexposed["not_estimated"].set_index("analysis")["reason"]
    assert set(skipped.index) >= {"difference in differences", "by disease", "standardisation", "density"}
    assert "overlap-absent" in skipped["density"]
    assert all(skipped)
    assert "did_shifts" not in unexposed
    assert set(unexposed) >= {"weighted", "publication_level", "counterfactual"}


def test_a_reference_that_is_not_there_costs_only_what_needs_one(panel):
    tables = run_suite(panel.only(["K", "S"]), "M", [("S", "K")], draws=DRAWS)
    skipped = set(tables["not_estimated"]["analysis"])
    assert skipped >= {"difference in differences", "density-adjusted interaction"}
    assert set(tables) >= {"standardised", "quintiles", "weighted", "recency", "publication_level"}


def test_a_single_system_has_no_contrasts(panel):
    tables = run_suite(panel.only(["M"]), "M", draws=DRAWS)
    reasons = tables["not_estimated"].set_index("analysis")["reason"].to_dict()
    assert reasons == dict.fromkeys(
        ("difference in differences", "design-weighted contrasts", "density-adjusted interaction"), "no system beside M"
    )
    assert set(tables) >= {"standardised", "weighted", "recency", "shifts_by_disease", "density_shift"}


def test_panel_of_takes_weights_years_and_diseases_from_the_case_table():
    cases = pd.DataFrame(
        {
            "case_id": ["b", "a", "c"],
            "cluster": ["p", "q", "q"],
            "exposed": [1, 0, 1],
            "category": "x",
            "rows_total": [3, 2, 1],
            "density": [1, 2, 0],
            "log_density": np.log1p([1, 2, 0]),
            "publication_year": pd.array([2019, 2020, None], dtype="Int64"),
            "disease_ids": [["OMIM:1", "OMIM:2"], [], ["OMIM:3"]],
            "inclusion_probability": [0.5, 1.0, 0.25],
        }
    )
    ranks = pd.DataFrame({"system": list("XXX"), "case_id": list("bac"), "rank": [1.0, np.nan, 1.5]})
    panel = panel_of(cases, ranks, 2020)
    assert panel.cases["case_id"].tolist() == ["a", "b", "c"]
    assert panel.hits[:, 0].tolist() == [0.0, 1.0, 0.0], "no rank is a miss, a shared first place no hit"
    assert panel.cases["weight"].tolist() == [1.0, 2.0, 4.0]
    assert panel.cases["recent"].tolist() == [1, 0, 0]
    assert panel.cases["disease"].tolist() == ["a", "OMIM:1", "OMIM:3"]
