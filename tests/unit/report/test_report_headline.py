"""The headline equals the tables it is read from, and says plainly what it does not have."""

import json

import pytest
from report_frames import NAN, contrasts, evaluation, four_systems, releases, report_inputs, without_unexposed

from genoplatform.errors import BadInputError
from genoplatform.report import headline, headline_text


def resnik(inputs, difficulty="hard"):
    return headline(inputs)["difficulties"][difficulty]["resnik"]


def row(text, start):
    return next(line for line in text.splitlines() if line.startswith(start))


def with_contrasts(table):
    return report_inputs(evaluations={"hard": evaluation() | {"contrasts": table}})


def test_cohort_numbers():
    numbers = headline(report_inputs())
    assert numbers["cases"] == 8
    assert numbers["publications"] == 4
    assert (numbers["exposed"], numbers["unexposed"]) == (6, 2)
    assert numbers["unexposed_publications"] == 1
    assert numbers["unexposed_diseases"] == 2
    assert numbers["overlap_rate"] == 0.75


def test_eligible_cases_are_weighted_by_the_inverse_of_their_inclusion_probability():
    numbers = headline(report_inputs())
    assert numbers["eligible"] == 6 * 4 + 2
    assert numbers["eligible_overlap_rate"] == pytest.approx(24 / 26)


def test_scores_are_the_cells_of_the_tables():
    found = resnik(report_inputs())
    assert found["exposed"] == pytest.approx([0.8333, 0.7333, 0.9333])
    assert found["decontaminated"] == pytest.approx([0.1667, 0.0667, 0.2667])
    assert found["contamination"] == {"difference": 0.6667, "lo": 0.4, "hi": 0.9, "p": 0.0123, "cases": 6}
    assert found["shift"] == [-0.3333, -0.6, -0.1]


def test_an_interval_of_one_publication_is_none():
    assert resnik(report_inputs())["unexposed"] == [0.5, None, None]


def test_a_contrast_computed_the_other_way_round_is_turned():
    turned = contrasts("resnik_decontaminated", "resnik", delta=-0.6667, lo=-0.9, hi=-0.4, only=(0, 4))
    assert resnik(with_contrasts(turned)) == resnik(report_inputs())


def test_difficulties_are_in_the_order_of_difficulty():
    assert list(headline(report_inputs())["difficulties"]) == ["standard", "hard"]


def test_without_a_contrast_there_is_no_contamination():
    assert resnik(with_contrasts(contrasts().iloc[:0]))["contamination"] is None


def test_without_unexposed_cases_their_numbers_are_none_and_the_text_says_so():
    numbers = headline(without_unexposed())
    found = numbers["difficulties"]["hard"]["resnik"]
    assert found["unexposed"] is None
    assert found["shift"] is None
    text = headline_text(numbers)
    assert "no unexposed cases" in text
    assert "  –  " in row(text, "Resnik")
    assert row(text, "Resnik").endswith("66.7 [40.0, 90.0]")
    assert "nan" not in text.lower()


def test_it_is_plain_json_and_the_text_is_the_same_after_a_round_trip():
    for inputs in (report_inputs(), without_unexposed(), with_contrasts(contrasts(lo=NAN, hi=NAN, p=NAN))):
        numbers = headline(inputs)
        again = json.loads(json.dumps(numbers, sort_keys=True, allow_nan=False))
        assert headline_text(again).splitlines()[:2] == headline_text(numbers).splitlines()[:2]
        assert again == numbers


def test_text_holds_the_numbers():
    text = headline_text(headline(report_inputs()))
    assert "8 cases from 4 publications; 75.0 % exposed" in text
    assert "2 unexposed cases from 1 publication about 2 diseases" in text
    assert "92.3 % of the 26 eligible cases are exposed, before sampling" in text
    assert row(text, "Resnik").endswith("66.7 [40.0, 90.0]")
    values = [cell for cell in row(text, "Resnik").split()[1:] if not cell.endswith((",", "]"))]
    assert values == ["83.3", "16.7", "50.0", "66.7"]
    assert max(map(len, text.splitlines())) <= 118


def test_text_has_one_aligned_table_per_list_standard_before_hard_even_when_keys_were_sorted():
    again = json.loads(json.dumps(headline(four_systems()), sort_keys=True))
    lines = headline_text(again).splitlines()
    standard, hard = (
        next(i for i, line in enumerate(lines) if line.startswith(f"Top-1 in %, {name}"))
        for name in ("standard", "hard")
    )
    assert standard < hard
    rows = lines[standard : standard + 5]
    assert [line[:36].rstrip() for line in rows[1:]] == [
        *("Likelihood ratio", "Likelihood ratio with excluded terms", "PhenoDigm", "Resnik")
    ]
    assert len({line.index("66.7 [40.0") for line in rows[1:]}) == 1
    assert rows[0].index("contamination") == rows[1].index("66.7 [40.0")
    assert max(map(len, lines)) <= 118


def test_releases_are_in_the_headline_oldest_first_and_the_text_has_one_sentence_on_them():
    numbers = headline(report_inputs(releases=releases()))
    assert [release["release"] for release in numbers["releases"]] == ["2020-10-13", "2023-04-05", "2026-06-06"]
    first = numbers["releases"][0]
    assert first["overlap_rate"] == 0.25
    assert first["systems"]["likelihood"] == {"ranked": 0.875, "top1": [0.5, 0.4, 0.6], "top10": [0.75, 0.7, 0.8]}
    text = " ".join(headline_text(numbers).split())
    assert (
        "Time travel, release 2020-10 to 2026-06: exposed 25.0 % to 100.0 %, Likelihood ratio top-1 among all genes "
        "50.0 % to 87.5 %" in text
    )


@pytest.mark.parametrize("series", [None, releases().iloc[:0], releases().iloc[:2]])
def test_no_series_no_time_travel(series):
    numbers = headline(report_inputs(releases=series))
    assert len(numbers["releases"]) == (0 if series is None else len(series) // 2)
    assert "Time travel" not in headline_text(numbers)


def test_a_headline_made_before_releases_were_followed_still_prints():
    numbers = headline(report_inputs())
    del numbers["releases"]
    assert headline_text(numbers) == headline_text(headline(report_inputs()))


def test_nothing_to_report_is_an_error():
    with pytest.raises(BadInputError, match="no evaluation"):
        report_inputs(evaluations={}, ranks={})
    with pytest.raises(BadInputError, match=r"no ranks for \['hard', 'standard'\]"):
        report_inputs(ranks={})
    with pytest.raises(BadInputError, match="no cases"):
        report_inputs(cases=report_inputs().cases.iloc[:0])
