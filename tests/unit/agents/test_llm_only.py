"""Cell O's parse, confidences and fallbacks (rare_disease.md section 8)."""

import pytest
from small_world import ScriptedLlm, lexicon

from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.llm_only import LlmOnly, llm_only_ranking, read_order
from genoplatform.agents.state import Case

GENES = ["AAA1", "BBB2", "C-3", "DDD4"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ('["BBB2", "AAA1"]', ["BBB2", "AAA1"]),
        ('```json\n["BBB2", "AAA1", "BBB2"]\n```', ["BBB2", "AAA1"]),
        ('["ZZZ9", 3, null, "C-3"]', ["C-3"]),
        ("I think BBB2, then C-3. Not BBB2x.", ["BBB2", "C-3"]),
        ('["ZZZ9"] but AAA1', ["AAA1"]),
        ('["ZZZ9"]', []),
        ('{"ranking": ["DDD4", "AAA1"]}', ["DDD4", "AAA1"]),  # no list: its tokens
        ('["BBB2", "AAA1"', ["BBB2", "AAA1"]),  # cut off: its tokens
        ("", []),
        ("aaa1", []),  # symbols are as given
    ],
)
def test_reading_an_order(text, order):
    assert read_order(text, GENES) == order


def test_confidences_fall_by_place_and_are_zero_for_what_was_left_out():
    ranked = llm_only_ranking(["C-3", "AAA1"], ["AAA1", "BBB2", "C-3"])
    # (3 - 0) / 3, (3 - 1) / 3 to four decimals, 0
    assert [(each.symbol, each.aggregate_confidence) for each in ranked] == [
        ("C-3", 1.0),
        ("AAA1", 0.6667),
        ("BBB2", 0),
    ]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(ChatAnswer("", error="timeout"), "llm_call_failed:timeout"), (ChatAnswer("nothing"), "no_gene_recovered")],
)
def test_without_a_gene_the_input_order_stays_and_says_why(answer, reason):
    case = Case("c", ("HP:0000004", "HP:0000003"), tuple(GENES))
    llm = ScriptedLlm(lambda request: answer)
    final = LlmOnly(llm, lexicon()).rank([case])[0]
    assert [each.symbol for each in final["ranked"]] == GENES
    assert final["logs"][0].fallback_reason == reason
    assert llm.requests[0].user == "Patient phenotype: Seizure, Gait ataxia\n\nCandidate genes: AAA1, BBB2, C-3, DDD4"
    assert llm.requests[0].max_tokens == 4096
    assert llm.requests[0].schema is None
