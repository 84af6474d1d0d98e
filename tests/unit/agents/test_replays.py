"""Replayed prompts: reading free answers, records, samples (rare_disease.md sections 12 and 13)."""

import json

import pytest
from small_world import ScriptedLlm

from genoplatform.agents.case_files import CaseFacts, read_records
from genoplatform.agents.held_back import ModelUnavailableError
from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.prompts import LEA_PARAPHRASES, LEA_SYSTEM
from genoplatform.agents.replay import Replay, StoredPrompt, stored_prompts
from genoplatform.agents.replay_answers import free_order, wrapped_order
from genoplatform.agents.sampling import sample_by_category
from genoplatform.agents.state import Case

GENES = ["A1", "B2", "C3"]
ENTRIES = [{"gene": "B2", "confidence": 0.2}, {"gene": "A1", "confidence": 0.9}]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (json.dumps(ENTRIES), ["A1", "B2"]),
        (f"Sure! {json.dumps(ENTRIES)} Hope that helps [1].", ["A1", "B2"]),  # the longest array, end shrinking
        ('[{"gene": "B2", "confidence": 0.9}, {"gene": "A1"', ["B2", "A1"]),  # cut off: its gene keys
        ('["C3", "A1"]', ["C3", "A1"]),
        ('{"gene": "C3"} and "gene" : "A1"', ["C3", "A1"]),
        ("nothing", []),
        ("", []),
    ],
)
def test_a_free_order(text, order):
    assert free_order(text, GENES) == order


@pytest.mark.parametrize(
    ("value", "order"),
    [
        (ENTRIES, ["A1", "B2"]),
        ({"ranking": ENTRIES}, ["A1", "B2"]),
        ({"output": ENTRIES, "note": "x"}, ["A1", "B2"]),
        ({"B2": {"confidence": 0.2}, "A1": {"confidence": 0.9}}, ["A1", "B2"]),
        ({"B2": 0.2, "A1": 0.9, "Z9": 1}, ["A1", "B2"]),
        ({"gene": "C3", "confidence": 1}, ["C3"]),
        (["C3", "A1"], ["C3", "A1"]),
    ],
)
def test_wrapped_orders(value, order):
    assert wrapped_order(ChatAnswer(json.dumps(value)), GENES) == (order, False)


@pytest.mark.parametrize(
    ("answer", "expected"), [(ChatAnswer("x"), True), (ChatAnswer("3"), True), (ChatAnswer("[]"), True)]
)
def test_what_cannot_be_read_is_a_parse_error(answer, expected):
    assert wrapped_order(answer, GENES) == ([], expected)


def test_a_failed_call_is_another_error_than_a_parse_error():
    assert wrapped_order(ChatAnswer("", error="timeout"), GENES) == ([], False)


def facts(case_id, category="metabolic", causal="A1"):
    return CaseFacts(Case(case_id, (), tuple(GENES)), causal, category, "")


def prompt(case_id="x:1", top1="B2"):
    return StoredPrompt(facts(case_id), f"prompt of {case_id}", tuple(GENES), top1)


def test_stored_prompts_of_the_cases_that_have_one():
    log = {"lea_user_prompt": "u", "lea_top_gene_symbols": ["B2", "A1"]}
    responses = {"x:1": {"lea_log": log, "ranked": [{"symbol": "B2"}]}, "x:2": {"lea_log": None, "ranked": []}}
    found, missing = stored_prompts([facts("x:1"), facts("x:2"), facts("x:3")], responses)
    assert (found, missing) == ([StoredPrompt(facts("x:1"), "u", ("B2", "A1"), "B2")], 2)


def test_every_wording_is_asked_and_recorded(tmp_path):
    llm = ScriptedLlm(lambda request: json.dumps(ENTRIES))
    report = Replay(llm, tmp_path, max_tokens=77).sensitivity([prompt("x:1"), prompt("x:2")])
    assert report.counts() == {"cases": 6, "resumed": 0, "made": 6, "fallbacks": 0}
    assert [request.system for request in llm.requests[::2]] == list(LEA_PARAPHRASES.values())
    assert len(set(LEA_PARAPHRASES.values())) == 3
    assert {request.max_tokens for request in llm.requests} == {77}
    record = read_records(tmp_path / "paraphrase_b")["x:1"]
    assert (record["ranking"], record["top1_correct"], record["causal_rank"], record["parse_ok"]) == (
        ["A1", "B2"],
        True,
        1,
        True,
    )
    released = "case_id variant category causal_gene n_candidates_to_lea ranking top1 top1_correct causal_rank parse_ok"
    assert [
        key for key in (*released.split(), "raw_text", "finish_reason", "latency_s", "tokens") if key not in record
    ] == []
    assert Replay(llm, tmp_path).sensitivity([prompt("x:1")]).counts()["resumed"] == 3


def test_the_wordings_ask_for_the_same_contract():
    for system in LEA_PARAPHRASES.values():
        for word in ('"gene"', '"confidence"', '"rationale"', "JSON array", "180", "/no_think", "<<<"):
            assert word in system


def test_an_ablation_records_errors_as_they_were(tmp_path):
    said = {"prompt of x:1": json.dumps(ENTRIES), "prompt of x:2": "rubbish"}
    llm = ScriptedLlm(lambda request: said.get(request.user, ChatAnswer("", error="http_429")))
    report = Replay(llm, tmp_path).ablation("script", [prompt("x:1"), prompt("x:2"), prompt("x:3")])
    records = read_records(tmp_path / "cell_S_ablation_script")
    assert report.counts() == {"cases": 3, "resumed": 0, "made": 3, "fallbacks": 1}
    assert [(r["top1"], r["parse_error"], r["error"]) for r in records.values()] == [
        ("A1", False, None),
        (None, True, None),
        (None, False, "http_429"),
    ]
    assert (records["x:1"]["orig_top1"], records["x:1"]["orig_correct"], records["x:1"]["model"]) == (
        "B2",
        False,
        "script",
    )
    assert llm.requests[0].system == LEA_SYSTEM


def test_a_dead_model_ends_a_replay_without_records(tmp_path):
    dead = ScriptedLlm(lambda request: ChatAnswer("", error="connection"))
    with pytest.raises(ModelUnavailableError):
        Replay(dead, tmp_path).ablation("m", [prompt(f"x:{n}") for n in range(5)])
    assert not list(tmp_path.rglob("*.json"))


def test_a_sample_takes_so_many_of_each_category_and_is_the_same_again():
    cases = [facts(f"{category}:{n}", category) for category in ("b", "a") for n in range(5)] + [facts("c:0", "c")]
    drawn = sample_by_category(cases, 2)
    assert [each.category for each in drawn] == ["a", "a", "b", "b", "c"]
    assert sample_by_category(list(reversed(cases)), 2) == drawn
    import random

    rng = random.Random(42)
    pools = [sorted(f"{category}:{n}" for n in range(5)) for category in ("a", "b")]
    expected = [each for ids in pools for each in rng.sample(ids, 2)]
    assert sorted(expected) == [each.case_id for each in drawn[:4]]
