"""Names and numbers as people read them."""

import pytest

from genoplatform.report import formatting as f
from genoplatform.report.systems import Pair, list_label, pairs, printable, subset_label, system_label


def plain(text):
    return text.replace(f.SPACE, " ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f.percent(0.8096), "81.0 %"),
        (f.percent(-0.0004), "0.0 %"),
        (f.percent(None), "–"),
        (f.percent_interval(0.788, 0.8312), "[78.8, 83.1]"),
        (f.percent_interval(None, 0.8), ""),
        (f.points(-0.1343), "−13.4 points"),
        (f.score(0.99349), "0.993"),
        (f.p_value(0.00099), "< 0.001"),
        (f.p_value(0.78242), "0.782"),
        (f.p_value(None), "–"),
        (f.p_text(0.0001), "p < 0.001"),
        (f.p_text(0.05), "p = 0.050"),
        (f.counted(1, "case"), "1 case"),
        (f.counted(1344, "case"), "1,344 cases"),
        (f.shortened("abcdef", 4), "abc…"),
    ],
)
def test_numbers(text, expected):
    assert plain(text) == expected


def test_missing_values_of_every_kind_are_none():
    import numpy as np
    import pandas as pd

    assert [f.number(v) for v in (None, float("nan"), np.nan, pd.NA)] == [None] * 4
    assert f.number(np.float64(0.5)) == 0.5


def test_systems_pair_by_suffix_those_with_a_counterfactual_first():
    found = pairs(["x", "b_decontaminated", "b", "lone_decontaminated", "a", "a_decontaminated", "b"])
    assert found == [
        Pair("a", "a_decontaminated"),
        Pair("b", "b_decontaminated"),
        Pair("lone_decontaminated", None),
        Pair("x", None),
    ]


def test_a_system_without_counterfactual_has_two_groups():
    assert Pair("x", None).groups() == [("exposed", "x", "overlap_present"), ("unexposed", "x", "overlap_absent")]


def test_labels():
    assert system_label("likelihood_ratio") == "Likelihood ratio"
    assert system_label("phenodigm_decontaminated") == "PhenoDigm, own publication removed"
    assert system_label("likelihood") == "Likelihood ratio"
    assert system_label("likelihood_excluded") == "Likelihood ratio with excluded terms"
    assert list_label("hard") == "Hard lists"
    assert subset_label("pre2020", 2015) == "Published before 2015"
    assert subset_label("other") == "other"


def test_control_characters_are_replaced():
    assert printable("a\x00b\nc") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
