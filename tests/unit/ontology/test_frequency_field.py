import numpy as np
import pandas as pd
import pytest

from genoplatform.ontology import parse_frequency


def parse(text: str) -> dict:
    return parse_frequency(pd.Series([text])).iloc[0].to_dict()


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("3/4", "fraction", 0.75),
        ("0/7", "fraction", 0.0),
        ("7/7", "fraction", 1.0),
        ("45%", "percent", 0.45),
        ("12.5 %", "percent", 0.125),
        ("0%", "percent", 0.0),
        ("HP:0040280", "term", 1.0),  # lirical.md section 2: phenol's midpoints
        ("HP:0040281", "term", 0.895),
        ("HP:0040282", "term", 0.545),
        ("HP:0040283", "term", 0.17),
        ("HP:0040284", "term", 0.025),
        ("HP:0040285", "term", 0.0),
        ("Very rare", "term", 0.025),
    ],
)
def test_stated_frequencies(text, kind, value):
    parsed = parse(text)
    assert (parsed["kind"], parsed["value"], parsed["problem"]) == (kind, value, "")


def test_a_fraction_keeps_its_counts_as_written():
    parsed = parse("6/8")
    assert (parsed["numerator"], parsed["denominator"]) == (6, 8)
    assert pd.isna(parse("75%")["numerator"])


@pytest.mark.parametrize("text", ["", "-", " "])
def test_not_stated_is_not_zero(text):
    parsed = parse(text)
    assert parsed["kind"] == "none"
    assert np.isnan(parsed["value"])
    assert parsed["problem"] == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("9/7", "impossible frequency"),  # inputs.md #6
        ("4/1", "impossible frequency"),
        ("0/0", "impossible frequency"),
        ("101%", "impossible frequency"),
        ("HP:0040286", "unreadable frequency"),
        ("often", "unreadable frequency"),
        ("-1/3", "unreadable frequency"),
    ],
)
def test_fields_that_cannot_be_used_say_why(text, problem):
    parsed = parse(text)
    assert parsed["problem"] == problem
    assert np.isnan(parsed["value"])
    assert pd.isna(parsed["numerator"])


def test_the_index_of_the_input_is_kept():
    parsed = parse_frequency(pd.Series(["1/2", "", "1/2"], index=[5, 9, 2]))
    assert parsed.index.tolist() == [5, 9, 2]
    assert parsed["value"].tolist()[::2] == [0.5, 0.5]
