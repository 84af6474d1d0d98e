"""Contribution, confidence, order (rare_disease.md section 7), computed by hand."""

import pytest
from small_world import grade

from genoplatform.agents.synthesizer import confidence, contribution, synthesize


@pytest.mark.parametrize(
    ("kind", "relevance", "mention", "value"),
    [
        ("case_report", 5, True, 5.0),
        ("functional", 5, True, 5.0),
        ("association", 5, True, 4.0),
        ("review", 5, True, 3.0),
        ("unknown", 5, True, 2.5),
        ("case_report", 2, False, 0.6),
        ("unknown", 1, False, 0.15),
    ],
)
def test_contribution(kind, relevance, mention, value):
    assert contribution(grade("c", relevance, kind, mention)) == pytest.approx(value, abs=1e-12)


def test_confidence_is_the_sum_of_the_three_largest_over_fifteen():
    # 5.0 + 4 x 0.8 + 2 x 1.0 x 0.3 = 8.8; the fourth (0.15) is not counted.
    grades = [
        grade("a", 1, "unknown", False),
        grade("b", 5),
        grade("c", 4, "association"),
        grade("d", 2, mention=False),
    ]
    assert confidence(grades) == pytest.approx(8.8 / 15)


def test_the_divisor_stays_fifteen_with_fewer_chunks():
    assert confidence([grade("a", 5)]) == pytest.approx(1 / 3)
    assert confidence([]) == 0.0


def test_three_full_chunks_are_confidence_one():
    assert confidence([grade(str(n), 5) for n in range(4)]) == 1.0


def test_ties_keep_the_order_of_the_list_and_chunks_that_of_retrieval():
    grades = {"BBB": [grade("b1", 3), grade("b2", 3)], "AAA": [grade("a1", 3), grade("a2", 3)], "CCC": [grade("c1", 5)]}
    ranked = synthesize(["BBB", "NONE", "AAA", "CCC", "ALSO"], grades)
    assert [each.symbol for each in ranked] == ["BBB", "AAA", "CCC", "NONE", "ALSO"]
    assert [each.final_rank for each in ranked] == [1, 2, 3, 4, 5]
    assert ranked[0].supporting_chunks == ("b1", "b2")
    assert ranked[3].supporting_chunks == ()


def test_supporting_chunks_are_the_largest_contributions_first():
    grades = {"A": [grade("low", 1), grade("mid", 3), grade("top", 5), grade("next", 4)]}
    assert synthesize(["A"], grades)[0].supporting_chunks == ("top", "next", "mid")
