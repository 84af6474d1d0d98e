"""Folding, cells, missing words and numbers."""

import pytest

from genoplatform.expression.curation.text import as_number, fold, is_missing, numbers, split_cell


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Tumours", "tumor"),
        ("Crohn's disease", "crohn disease"),
        ("Sjögren\u2019s syndrome", "sjogren syndrome"),
        ("Haemochromatosis", "hemochromatosis"),
        ("normal_tissue", "normal tissue"),
        ("COVID-19+", "covid 19 +"),
        ("ALS", "als"),
        ("diagnosis", "diagnosis"),
    ],
)
def test_spelling_variants_fold_to_one_form(text, folded):
    assert fold(text) == folded


def test_a_cell_is_split_at_its_first_colon():
    assert split_cell("sex (f: 1): 2") == ("sex (f", "1): 2")
    assert split_cell("urine: creatinine: 4") == ("urine", "creatinine: 4")
    assert split_cell(" no key ") == ("", "no key")


@pytest.mark.parametrize(
    "value", ["NA", "n.a.", "N/A", "--", "", "not available", "Unknown", "other/unknown", "#N/A", "?"]
)
def test_missing_words_are_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", ["no", "0", "none", "normal", "NAFLD", "natural killer cells"])
def test_other_values_are_not_missing(value):
    assert not is_missing(value)


def test_numbers_read_units_and_decimal_commas_but_not_names():
    assert as_number("99 bpm") == 99.0
    assert as_number("1,72 m") == 1.72
    assert as_number("p53 mutant") is None
    assert numbers("12,5 and 3 of p53") == [12.5, 3.0]
