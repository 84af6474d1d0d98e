"""The aggregation's answer: ten malformed ones, clamping, and head and tail (rare_disease.md section 8)."""

import json

import pytest

from genoplatform.agents.lea_answer import Verdict, merge, read_answer
from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.state import Candidate

HEAD = ["AAA1", "BBB2", "CCC3"]


def element(gene="AAA1", **fields):
    return {"gene": gene, "confidence": 0.5, "rationale": "because"} | fields


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "llm_call_failed:JSONDecodeError"),
        ("AAA1 is the most likely gene.", "llm_call_failed:JSONDecodeError"),
        ('[{"gene": "AAA1", "confidence": 0.9', "llm_call_failed:JSONDecodeError"),  # cut off by the token limit
        (
            'Here you are:\n```json\n[{"gene": "AAA1"}]\n```',
            "llm_call_failed:JSONDecodeError",
        ),  # words before the fence
        ("[{'gene': 'AAA1', 'confidence': 0.9}]", "llm_call_failed:JSONDecodeError"),  # not JSON's quotes
        ('[{"gene": "AAA1", "confidence": NaN}]', "llm_call_failed:ValueError"),
        ("[" * 100_000, "llm_call_failed:ValueError"),  # nested beyond what can be read
        ('{"ranking": [{"gene": "AAA1", "confidence": 0.9}]}', "json_response_invalid"),  # not a list
        ('"AAA1"', "json_response_invalid"),
        ("[]", "json_response_invalid"),
        ('["AAA1", "BBB2"]', "json_response_invalid"),  # no objects
        ('[{"symbol": "AAA1", "confidence": 0.9}]', "json_response_invalid"),  # another key
        ('[{"gene": "ZZZ9", "confidence": 0.9}]', "json_response_invalid"),  # no gene of the head
        ('[{"gene": "AAA1", "confidence": "high"}]', "json_response_invalid"),  # no number
    ],
)
def test_malformed_answers_leave_nothing_and_say_why(text, reason):
    assert read_answer(ChatAnswer(text), HEAD) == ([], reason)


@pytest.mark.parametrize("kind", ["timeout", "connection", "http_500", "context_overflow"])
def test_a_failed_call_names_its_kind(kind):
    assert read_answer(ChatAnswer("", error=kind), HEAD) == ([], f"llm_call_failed:{kind}")


@pytest.mark.parametrize(
    "text", ['[{"gene":"BBB2","confidence":0.4}]', '```json\n[{"gene":"BBB2","confidence":0.4}]\n```']
)
def test_one_fence_is_taken_off(text):
    verdicts, reason = read_answer(ChatAnswer(text), HEAD)
    assert (verdicts, reason) == ([Verdict("BBB2", 0.4, "")], "")


def test_what_of_an_answer_is_used():
    answer = [
        element("ZZZ9", confidence=1.0),  # unknown: ignored
        element("BBB2", confidence="x"),  # not numeric: skipped, so the next one counts
        element("BBB2", confidence=1.7),  # clamped to 1
        element("BBB2", confidence=0.1),  # a repetition
        element("AAA1", confidence=-3, rationale="r" * 300),  # clamped to 0, cut to 200
        "CCC3",
        {"gene": "CCC3"},  # no confidence: 0
    ]
    verdicts, reason = read_answer(ChatAnswer(json.dumps(answer)), HEAD)
    assert reason == ""
    assert [(each.gene, each.confidence, len(each.rationale)) for each in verdicts] == [
        ("BBB2", 1.0, 7),
        ("AAA1", 0.0, 200),
        ("CCC3", 0.0, 0),
    ]


@pytest.mark.parametrize(("given", "kept"), [("0.7", 0.7), (True, None), (None, None), ([0.5], None), (1, 1.0)])
def test_what_counts_as_a_number(given, kept):
    verdicts, _ = read_answer(ChatAnswer(json.dumps([element(confidence=given)])), HEAD)
    assert [each.confidence for each in verdicts] == ([] if kept is None else [kept])


def preliminary():
    scores = {"AAA1": 0.9, "BBB2": 0.8, "CCC3": 0.7, "DDD4": 0.12, "EEE5": 0.1}
    return [Candidate(gene, score, (f"{gene}-c",), at) for at, (gene, score) in enumerate(scores.items(), 1)]


def test_head_by_confidence_then_what_was_left_out_then_the_tail():
    verdicts = [Verdict("CCC3", 0.05, ""), Verdict("AAA1", 0.05, "")]
    ranked = merge(preliminary(), verdicts, head_size=3)
    # Equal confidences keep the model's order; BBB2 keeps its preliminary 0.8; the tail's 0.12 stands behind 0.05.
    assert [(each.symbol, each.aggregate_confidence, each.final_rank) for each in ranked] == [
        ("CCC3", 0.05, 1),
        ("AAA1", 0.05, 2),
        ("BBB2", 0.8, 3),
        ("DDD4", 0.12, 4),
        ("EEE5", 0.1, 5),
    ]
    assert ranked[0].supporting_chunks == ("CCC3-c",)


def test_no_verdict_is_the_preliminary_ranking():
    assert merge(preliminary(), [], head_size=3) == preliminary()
