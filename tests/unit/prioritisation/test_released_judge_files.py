"""Released judge files and ablation records: what is read, under which run and lists, and what is refused."""

import json
import math

import pytest
from released_examples import ranking, write_directory, write_zip

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.released.judge_files import ABLATION_COLUMNS, SCORE_COLUMNS, read_judge_files

A, B = "CAUSE:PMID_1_a", "CAUSE:PMID_2_b"
ABLATION = "eval_1050/cell_S_ablation_one"


def judged(*entries, metrics=("faithfulness",), total=600, **more) -> bytes:
    head = {"judge_model": "a judge", "judge_temperature": 0, "metrics": list(metrics), "n_cases_total": total}
    return json.dumps(head | {"per_case": list(entries)} | more).encode()


def answered(case_id=A, **changes) -> bytes:
    record = {"case_id": case_id, "model": "One", "top1": "X", "top1_correct": False, "parse_error": None}
    return json.dumps(record | {"error": None} | changes).encode()


def read(path, difficulty="standard"):
    return read_judge_files(path, case_ids=[A, B], difficulty=difficulty)


def reasons(files):
    return files.rejected["reason"].tolist()


def test_scores_are_long_and_a_metric_the_judge_did_not_give_is_missing(tmp_path):
    entries = [{"case_id": B, "faithfulness": None, "recall": 1}, {"case_id": A, "faithfulness": 0.25}]
    root = write_directory(tmp_path, {"eval_1050/ragas_s.json": judged(*entries, metrics=("faithfulness", "recall"))})
    files = read(root)
    assert files.scores.columns.tolist() == list(SCORE_COLUMNS)
    assert set(files.scores["run"]) == {"full_n600"}
    values = files.scores.set_index(["case_id", "metric"])["value"]
    assert values.loc[[(A, "faithfulness"), (B, "recall")]].tolist() == [0.25, 1.0]
    assert math.isnan(values[A, "recall"])
    assert math.isnan(values[B, "faithfulness"])
    assert files.report == {
        "judge_files": 1,
        "judge_runs": 1,
        "ablation_records": 0,
        "other_difficulty": 0,
        "rejected": 0,
    }


@pytest.mark.parametrize(
    ("path", "difficulty", "run"),
    [
        ("eval_1050/ragas_results.json", "standard", "full_n600"),
        ("eval_hard/ragas_results.json", "hard", "full_n600"),
        ("reports/ragas_top1only_n100_hard.json", "hard", "top1only_n100"),
        ("eval_1050/ragas_top1_only.json", "standard", "top1only_n600"),
        ("eval_1050/ragas_full_n600_hard.json", "hard", "full_n600"),
    ],
)
def test_name_and_directories_say_the_run_and_its_lists(tmp_path, path, difficulty, run):
    root = write_directory(tmp_path, {path: judged({"case_id": A, "faithfulness": 1.0})})
    other = {"hard": "standard", "standard": "hard"}[difficulty]
    assert read(root, difficulty).scores["run"].tolist() == [run]
    assert (
        read(root, other).report | {"judge_runs": 0, "other_difficulty": 1, "rejected": 0} == read(root, other).report
    )
    assert read(root, other).scores.empty


def test_a_parse_error_another_error_and_no_answer_are_errors_and_an_errored_answer_may_still_be_right(tmp_path):
    records = {
        f"{ABLATION}/{A}.json": answered(top1_correct=True, parse_error="cut short"),
        f"{ABLATION}/{B}.json": answered(B, top1_correct=True),
        f"eval_1050/cell_S_ablation_two/{A}.json": answered(model="Two", top1=None, top1_correct=None),
        f"cell_S_ablation_two/{B}.json": answered(B, model="Two", error="timeout"),
    }
    files = read(write_zip(tmp_path / "deposit.zip", records))
    assert files.ablation.columns.tolist() == list(ABLATION_COLUMNS)
    expected = [["One", A, 1, True], ["One", B, 1, False], ["Two", A, 0, True], ["Two", B, 0, True]]
    assert files.ablation.to_numpy().tolist() == expected
    assert files.report["ablation_records"] == 4


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not-json"),
        (b"[]", "not-a-record"),
        (judged(metrics=()), "judge-fields"),
        (judged(total=None), "judge-fields"),
        (judged(per_case=None), "judge-fields"),
        (judged({"faithfulness": 1.0}), "no-case-id"),
        (judged({"case_id": "elsewhere"}), "unknown-case"),
        (judged({"case_id": A}, {"case_id": A}), "repeated-case"),
        (judged({"case_id": A, "faithfulness": "high"}), "score-not-numeric"),
        (judged({"case_id": A, "faithfulness": math.inf}), "score-not-numeric"),
    ],
)
def test_a_judge_file_that_is_not_one_is_refused_with_its_reason(tmp_path, content, reason):
    files = read(write_directory(tmp_path, {"eval_1050/ragas_s.json": content}))
    assert reasons(files) == [reason]
    assert (files.report["rejected"], files.report[reason]) == (1, 1)
    assert files.scores.empty


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (answered(model=""), "ablation-fields"),
        (answered(top1_correct="yes"), "ablation-fields"),
        (answered("elsewhere"), "unknown-case"),
    ],
)
def test_an_ablation_record_that_is_not_one_is_refused(tmp_path, content, reason):
    files = read(write_directory(tmp_path, {f"{ABLATION}/{A}.json": content}))
    assert reasons(files) == [reason]
    assert files.ablation.empty


def test_two_files_of_one_run_and_a_file_of_no_lists_are_refused(tmp_path):
    score = judged({"case_id": A, "faithfulness": 1.0})
    names = ("eval_1050/ragas_a.json", "eval_1050/ragas_b.json", "reports/ragas_c.json")
    files = read(write_directory(tmp_path, dict.fromkeys(names, score)))
    assert dict(zip(files.rejected["path"], reasons(files), strict=True)) == {
        names[1]: "second-file",
        names[2]: "unknown-cohort",
    }
    assert len(files.scores) == 1


def test_a_release_without_such_files_gives_empty_tables(tmp_path):
    rankings = {f"eval_1050/cell_S_rerank_inside_plus_lea/{A}.json": ranking("CAUSE", "B", "A")}
    files = read(write_directory(tmp_path, rankings))
    assert [len(t) for t in (files.scores, files.ablation, files.rejected)] == [0, 0, 0]
    assert set(files.report.values()) == {0}
    with pytest.raises(BadInputError):
        read(tmp_path / "nowhere")
