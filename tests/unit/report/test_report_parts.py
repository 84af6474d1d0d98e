"""The further parts of the page: shown with the numbers of their tables where those are given, otherwise absent."""

import pandas as pd
import pytest
from report_frames import NAN, analyses, evaluation, releases, report_inputs, side_by_side

from genoplatform.report import build_report, figures, plot_releases
from genoplatform.report import page as page_module
from genoplatform.report.formatting import SPACE, ratio
from genoplatform.report.part_density import density
from genoplatform.report.part_estimates import four_estimates
from genoplatform.report.part_releases import time_travel
from genoplatform.report.part_sensitivity import by_disease, not_estimated

PARTS = (four_estimates, density, by_disease, not_estimated, time_travel)


def inputs(**tables):
    return report_inputs(analyses={"hard": analyses() | tables})


def cells(part, at=0):
    """Every row of a table as texts, details in the same text."""
    return [
        [f"{cell.text} {cell.detail}".strip().replace(SPACE, " ") for cell in row]
        for group in part.tables[at].groups
        for row in group.rows
    ]


def words(part):
    return " ".join(part.paragraphs).replace(SPACE, " ")


@pytest.fixture
def undrawn(monkeypatch):
    monkeypatch.setattr(
        page_module, "figures", lambda inputs: {f"{name}.svg": b"<svg/>" for name in page_module._painters(inputs)}
    )


@pytest.mark.parametrize("part", PARTS)
def test_without_its_tables_there_is_no_part(part):
    assert part(report_inputs()) is None
    empty = {name: table.iloc[:0] for name, table in analyses().items()}
    assert part(report_inputs(analyses={"hard": empty}, releases=releases().iloc[:0])) is None


@pytest.mark.usefixtures("undrawn")
def test_a_page_without_analyses_is_the_same_whether_they_are_empty_or_not_given():
    plain = build_report(report_inputs())
    assert build_report(report_inputs(analyses={}, releases=releases().iloc[:0])) == plain
    assert b"A closer look" not in plain
    assert b"Time travel" not in plain


@pytest.mark.usefixtures("undrawn")
def test_the_page_shows_every_part_and_escapes_what_it_is_given():
    html = build_report(report_inputs(analyses={"hard": analyses()}, releases=releases())).decode()
    for title in ("One question, four estimates", "Is it density?", "What if diseases are drawn", "Time travel"):
        assert title in html
    assert "no recent case &lt;b&gt;" in html
    assert html.index("Figure 4.</b> The same cases") < html.index("Figure 5.</b> The cohort")
    assert "Figure 4.</b> The cohort" in build_report(report_inputs()).decode()


def test_four_estimates_are_the_cells_of_the_table():
    part = four_estimates(inputs())
    assert cells(part) == [
        [
            "Resnik",
            "8.8 points [0.4, 17.0]",
            "8.8 points p < 0.001",
            "4.48 [0.80, 25.20], p = 0.089",
            "28.8 points",
        ]
    ]
    assert "reference: Likelihood ratio" in words(part)
    assert len(part.terms) == 4


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"gee_converged": False}, "– no solution"),
        ({"odds_ratio": 1.0, "odds_ratio_lo": 1.0, "odds_ratio_hi": 1.0, "odds_ratio_p": 0.0}, "1.00 same hits"),
        ({"odds_ratio_lo": NAN, "odds_ratio_hi": NAN}, "4.48 no interval"),
    ],
)
def test_an_odds_ratio_without_an_interval_says_so_and_claims_no_p(changes, expected):
    assert cells(four_estimates(inputs(did_side_by_side=side_by_side(**changes))))[0][3] == expected


def test_without_counterfactual_its_cell_is_a_dash():
    table = side_by_side().drop(columns="counterfactual")
    assert cells(four_estimates(inputs(did_side_by_side=table)))[0][4] == "–"


@pytest.mark.parametrize(
    ("value", "text"), [(4.4774, "4.48"), (0.0123, "0.012"), (1234.4, "1,234"), (3e9, "3e+09"), (100.0, "100")]
)
def test_ratios(value, text):
    assert ratio(value) == text


def test_density_by_what_else_is_known_and_shifts_with_it_held_equal():
    part = density(inputs())
    assert cells(part) == [
        ["Resnik", "90.0 % [85.0, 95.0]", "80.0 % [75.0, 85.0]", "50.0 % [45.0, 55.0]", "10.0 points [−20.0, 30.0]"],
        ["Resnik", "10.0 % [5.0, 15.0]", "40.0 % [35.0, 45.0]", "50.0 % [45.0, 55.0]", "−30.0 points [−50.0, −10.0]"],
    ]
    assert part.tables[0].columns[1:4] == [
        "Exposed, nothing else known (2)",
        "Exposed, more is known (4)",
        "Unexposed (2)",
    ]
    assert cells(part, 1) == [
        ["Resnik", "−33.3 points p = 0.002", "−22.2 points p = 0.040", "−11.1 points", "−4.4 points"]
    ]
    assert "median density is 2.5 for exposed and 3 for unexposed cases" in words(part)
    assert "The 2 exposed cases" in words(part)
    assert "first for 90.0 % of them with the own publication, and for 10.0 % without it" in words(part)


def test_density_without_the_further_tables_has_dashes():
    kept = {name: analyses()[name] for name in ("zero_density", "density_shift")}
    part = density(report_inputs(analyses={"hard": kept}))
    assert cells(part)[0][-1] == "–"
    assert cells(part, 1)[0][-2:] == ["–", "–"]


def test_intervals_by_disease_stand_beside_those_by_publication():
    part = by_disease(inputs())
    assert cells(part) == [["Resnik", "−33.3 points", "[−60.0, −10.0]", "[−70.0, 5.0]"]]
    assert "2 unexposed cases from 1 publication are about only 2 diseases" in words(part)
    assert "Drawn by publication, 1 of 1 interval exclude 0; drawn by disease, 0 of them still do." in words(part)
    assert by_disease(report_inputs(analyses={"hard": {"did_shifts": analyses()["did_shifts"]}})) is None


def test_what_was_not_estimated_is_said_with_its_reason():
    assert cells(not_estimated(inputs())) == [["recency", "no recent case <b>"]]


def test_time_travel_says_what_stays_what_rises_and_what_else_differs():
    part = time_travel(report_inputs(releases=releases()))
    assert "from 25.0 % (2020-10) to 100.0 % (2026-06)" in words(part)
    assert "Likelihood ratio from 50.0 % to 87.5 % and Resnik from 37.5 % to 75.0 %" in words(part)
    assert "ages into contamination" in words(part)
    assert "older releases also know less in general. With that of 2020-10, up to 12.5 %" in words(part)
    assert cells(part)[0] == ["2020-10-13", "25.0 %", "50.0 % [40.0, 60.0]", "37.5 % [27.5, 47.5]"]


def test_time_travel_names_the_releases_the_rest_of_the_page_uses():
    profile = report_inputs().profile | {"slots": {"hpoa_knowledge": "h@2023-04-05", "hpoa_current": "h@2026-06-06"}}
    part = time_travel(report_inputs(releases=releases(), profile=profile))
    assert [row[0] for row in cells(part)] == [
        *("2020-10-13", "2023-04-05 used on the rest of this page", "2026-06-06 the release the cases come from")
    ]
    assert "(2026-06, the release the cases come from)" in words(part)


def test_scores_that_did_not_rise_are_not_said_to_age():
    table = releases()
    table.loc[table["release"] == "2026-06-06", "top1"] = 0.1
    assert "ages into contamination" not in words(time_travel(report_inputs(releases=table)))


def test_design_weighted_rates_come_from_the_analyses_unless_the_evaluation_has_its_own():
    columns = ["system", "subset", "n", "n_publications", "unweighted", "u_lo", "u_hi", "equal", "ht", "ht_lo", "ht_hi"]
    ours, theirs = (
        pd.DataFrame([("resnik", "full", 8, 4, 0.75, 0.5, 0.9, 0.7, ht, 0.6, 0.95)], columns=columns)
        for ht in (0.8888, 0.7777)
    )
    assert inputs(weighted=ours).weighted("hard")["ht"].tolist() == [0.8888]
    own = report_inputs(
        evaluations={"hard": evaluation() | {"weighted": theirs}}, analyses={"hard": {"weighted": ours}}
    )
    assert own.weighted("hard")["ht"].tolist() == [0.7777]
    assert report_inputs().weighted("hard") is None


def test_the_plot_of_releases_is_the_same_every_time_and_takes_an_empty_series():
    for series in (releases(), releases().iloc[:2], releases().replace({"2020-10-13": "first"}), releases().iloc[1:]):
        for fmt in ("png", "svg"):
            assert plot_releases(series, fmt=fmt) == plot_releases(series, fmt=fmt)
    assert b"no release was followed" in plot_releases(releases().iloc[:0], fmt="svg")
    assert "releases.svg" in figures(report_inputs(evaluations={"hard": evaluation()}, releases=releases()))
