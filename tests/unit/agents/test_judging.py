"""The judge's measures by hand, after RAGAS's definitions."""

import json

import pytest
from small_world import ScriptedLlm

from genoplatform.agents.case_files import CaseFacts
from genoplatform.agents.judge import Judge, Judged, average_precision
from genoplatform.agents.judge_run import run_judge
from genoplatform.agents.judged_text import judged_text
from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.state import Case

JUDGED = Judged("x:1", "Which?", "A1 causes it. A1 is on chromosome 3.", ("A1 causes it", "liver"), "The gene is A1.")


def scripted(statements, supported, useful):
    """Statements by answer, verdicts by number of statements, usefulness by passage."""

    def script(request):
        if "statements" in request.schema["properties"]:
            return json.dumps({"statements": next(v for k, v in statements.items() if k in request.user)})
        if "verdicts" in request.schema["properties"]:
            return json.dumps({"verdicts": supported[int(request.user.split("Statements (")[1][0])]})
        return json.dumps({"verdict": next(v for k, v in useful.items() if f"<<<{k}" in request.user)})

    return ScriptedLlm(script)


def test_the_three_measures():
    llm = scripted(
        {"chromosome": ["A1 causes it", "A1 is on chromosome 3"], "The gene is A1.": ["The gene is A1"]},
        {2: [1, 0], 1: [1]},
        {"A1 causes": 0, "liver": 1},
    )
    scores, failures = Judge(llm).score(JUDGED)
    # One of two statements follows; the useful passage stands second: precision@2 = 1/2; the reference follows.
    assert scores == {"faithfulness": 0.5, "context_precision": 0.5, "context_recall": 1.0}
    assert failures == []


@pytest.mark.parametrize(
    ("useful", "value"),
    [([1, 1, 1], 1.0), ([1, 0, 1], (1 + 2 / 3) / 2), ([0, 0, 1], 1 / 3), ([0, 0], 0.0), ([], None), (None, None)],
)
def test_context_precision(useful, value):
    assert average_precision(useful) == (value if value is None else pytest.approx(value))


@pytest.mark.parametrize("said", ["no JSON", '{"verdicts": [1]}', '{"statements": [1]}', '{"verdict": 2}', "[]"])
def test_what_could_not_be_read_has_no_value_instead_of_zero(said):
    scores, _ = Judge(ScriptedLlm(lambda request: said)).score(JUDGED)
    assert scores == {"faithfulness": None, "context_precision": None, "context_recall": None}


def test_an_answer_without_a_statement_has_no_faithfulness():
    llm = scripted({"": []}, {}, {"": 1})
    scores, _ = Judge(llm).score(JUDGED)
    assert (scores["faithfulness"], scores["context_recall"], scores["context_precision"]) == (None, None, 1.0)


def response(case_id="x:1"):
    chunk = {"pmcid": "PMC1", "text": "t" * 2000}
    return {
        "case_id": case_id,
        "causal_gene": "A1",
        "category": "metabolic",
        "ranked": [{"symbol": "B2", "aggregate_confidence": 0.75}, {"symbol": "A1", "aggregate_confidence": 0.5}],
        "claims": [{"gene": "B2", "rationale": "fits"}],
        "lea_log": {
            "hpo_labels": ["Seizure"],
            "lea_evidence_per_gene": {"A1": [chunk] * 3, "B2": [chunk] * 3},
            "lea_response_raw": "r" * 6000,
        },
    }


def test_what_a_judge_sees():
    full = judged_text(response(), "full", contexts=4)
    assert full.question == "Which of the candidate genes causes the disease of a patient with Seizure?"
    assert full.reference == "The causal gene is A1, in a metabolic disease."
    assert len(full.answer) == 5000
    assert [context[:9] for context in full.contexts] == ["A1, PMC1:"] * 3 + ["B2, PMC1:"]
    assert len(full.contexts[0]) == len("A1, PMC1: ") + 1500
    first = judged_text(response(), "top1only", contexts=4)
    assert first.answer == "B2 is the most likely gene (confidence 0.75): fits"
    assert [context[:2] for context in first.contexts] == ["B2"] * 3 + ["A1"]


def test_the_released_file_and_resuming(tmp_path):
    cases = [CaseFacts(Case(f"x:{n}", (), ("A1", "B2")), "A1", "metabolic") for n in (1, 2, 3)]
    responses = {"x:1": response("x:1"), "x:2": response("x:2")}
    llm = ScriptedLlm(lambda request: "[]")
    options = {"mode": "full", "difficulty": "standard", "contexts": 2}
    report = run_judge(Judge(llm), cases, responses, tmp_path, **options)
    assert (report["judged"], report["without a response"]) == (2, 1)
    asked = len(llm.requests)
    run_judge(Judge(llm), cases, responses, tmp_path, **options)
    assert len(llm.requests) == asked
    record = json.loads((tmp_path / "ragas_full_n3_standard.json").read_text())
    assert (record["judge_model"], record["n_cases_total"], record["n_cases_evaluated"], record["n_cases_skipped"]) == (
        "script",
        3,
        2,
        1,
    )
    assert record["per_case"][0] == {
        "case_id": "x:1",
        "faithfulness": None,
        "context_precision": None,
        "context_recall": None,
    }


def test_failures_of_the_judge_are_told():
    _, failures = Judge(ScriptedLlm(lambda request: ChatAnswer("", error="connection"))).score(JUDGED)
    assert set(failures) == {"llm_call_failed:connection"}
