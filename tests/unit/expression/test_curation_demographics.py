"""Age and gender: cells, units, ranges, dates, legends, and which keys name them."""

import pytest

from genoplatform.expression.curation.demographics import age_code, age_key_rank, gender_code, gender_key


@pytest.mark.parametrize(
    ("key", "value", "years"),
    [
        ("age", "54", 54.0),
        ("age", "0.76", 0.76),
        ("age", "25y", 25.0),
        ("age", "83 years", 83.0),
        ("age", "57y 11m", 57 + 11 / 12),
        ("age", "8 months", 8 / 12),
        ("age (months)", "18", 1.5),
        ("age in weeks", "26", 26 * 7 / 365.25),
        ("age (days)", "730.5", 2.0),
        ("age", "20-30", 25.0),
        ("age", "15 to 20 years", 17.5),
        ("age", ">89", 89.0),
        ("age", "90+", 90.0),
        ("age", "< 1 year", 0.5),
        ("age", "62M", 62.0),
        ("year of birth", "1960", 55.0),
        ("date of birth (dd-mm-yyyy)", "1952-07-16", 63.0),
    ],
)
def test_ages_come_out_in_years(key, value, years):
    assert age_code(key, value) == pytest.approx(years, abs=0.06)


@pytest.mark.parametrize("value", ["NA", "unknown", "-1", "old", "250", "<65", "E15"])
def test_what_is_no_age_is_unknown(value):
    assert age_code("age", value) is None


def test_dates_of_birth_differ_by_the_time_between_them():
    key = "date of birth"
    assert age_code(key, "1950-01-01") - age_code(key, "1960-01-01") == pytest.approx(10)


@pytest.mark.parametrize(
    "key", ["gestational age (weeks)", "passage", "tumor stage", "maternal age", "age-adjusted IPI"]
)
def test_other_ages_do_not_name_the_age_of_the_person(key):
    assert age_key_rank(key) is None


def test_plain_age_goes_before_age_at_onset_and_age_group():
    ranks = [age_key_rank(key) for key in ("age", "age (years)", "age at diagnosis", "age group", "age at onset")]
    assert ranks == sorted(ranks)
    assert ranks[0] == 0


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("gender", "Female", 0.0),
        ("Sex", "M", 1.0),
        ("gender", "W", 0.0),
        ("gender", "K", 0.0),
        ("sex (female=1, male=0)", "1", 0.0),
        ("sex (female=1, male=0)", "0", 1.0),
        ("gender (1: male; 2: female)", "2", 0.0),
        ("female", "1", 0.0),
        ("is male", "no", 0.0),
        ("male", "yes", 1.0),
        ("subject", "woman, 40", 0.0),
        ("gender", "mix of male and female", None),
        ("gender", "1", None),
        ("grade", "M", None),
        ("gender", "not available", None),
    ],
)
def test_gender_codes(key, value, code):
    assert gender_code(key, value) == code


def test_gender_keys():
    assert gender_key("demographics_gender")
    assert gender_key("subjects.demographics.sex")
    assert not gender_key("sexual activity")
