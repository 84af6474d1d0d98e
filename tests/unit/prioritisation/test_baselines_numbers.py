import math

import pytest

from genoplatform.prioritisation.baselines.numbers import (
    parse_number,
    parse_probability,
    parse_whole,
    score_or_zero,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.205", 4.205),
        ("-0.5", -0.5),
        ("6,080.832", 6080.832),
        ("-1,234.5", -1234.5),
        ("1,234,567", 1234567.0),
        ("1.5E-7", 1.5e-7),
        ("-∞", -math.inf),
        ("∞", math.inf),
        ("−3", -3.0),
    ],
)
def test_numbers_of_the_english_locale(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["", "65,60", "1.234,5", "1,00", "1_000", "n/a", "0x10", "1 000", "٣", "4.205 "])
def test_other_texts_are_no_numbers(text):
    with pytest.raises(ValueError, match="not a number"):
        parse_number(text)


def test_not_a_number_is_what_java_prints_for_it():
    assert math.isnan(parse_number("NaN"))
    assert math.isnan(parse_number("\ufffd"))


def test_ranks_carry_thousands_separators():
    assert parse_whole("8,406") == 8406
    assert parse_whole("17") == 17
    for other in ("8.406", "-1", "1,00", "1e3", ""):
        with pytest.raises(ValueError, match="not a whole number"):
            parse_whole(other)


@pytest.mark.parametrize(
    ("text", "value"),
    [("65.60%", 0.656), ("0.00%", 0.0), ("100.00%", 1.0), ("1/8406", 1 / 8406), ("1/8,406", 1 / 8406)],
)
def test_probabilities_are_percentages_or_fractions(text, value):
    assert parse_probability(text) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ["65,60%", "101%", "-1%", "1/0", "NaN%", "%", "2", "1/2/3"])
def test_anything_else_is_no_probability(text):
    with pytest.raises(ValueError, match="is not"):
        parse_probability(text)


@pytest.mark.parametrize("value", [None, "", "bad", "nan", "inf", True, [1], {}])
def test_unreadable_scores_are_zero_and_said_to_be(value):
    assert score_or_zero(value) == (0.0, False)


def test_readable_scores():
    assert score_or_zero("0.8765") == (0.8765, True)
    assert score_or_zero(0) == (0.0, True)
