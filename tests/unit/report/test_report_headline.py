"""The headline equals the tables it is read from, and says plainly what it does not have."""

import json

import pytest
from report_frames import NAN, contrasts, evaluation, report_inputs, without_unexposed

from genoplatform.errors import BadInputError
from genoplatform.report import headline, headline_text


def resnik(inputs, difficulty="hard"):
    return headline(inputs)["difficulties"][difficulty]["resnik"]


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
    assert "no such cases" in text
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
    assert "66.7 points [40.0, 90.0], p = 0.012" in text
    assert "−33.3 points [−60.0, −10.0]" in text
    assert max(map(len, text.splitlines())) <= 100


def test_nothing_to_report_is_an_error():
    with pytest.raises(BadInputError, match="no evaluation"):
        report_inputs(evaluations={}, ranks={})
    with pytest.raises(BadInputError, match=r"no ranks for \['hard', 'standard'\]"):
        report_inputs(ranks={})
    with pytest.raises(BadInputError, match="no cases"):
        report_inputs(cases=report_inputs().cases.iloc[:0])
