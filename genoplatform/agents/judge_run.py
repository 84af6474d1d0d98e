"""Judging a sample of a cell's cases: one checkpoint a case, and the released file of all.

Belongs here: order of work and files. Does not belong here: the measures (judge), statistics (inference.judge).
Source: rare-disease specification, section 13 (`ragas_*.json`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from genoplatform.agents.case_files import CaseFacts, file_name, read_records, whole, write_json
from genoplatform.agents.cell_run import Progress
from genoplatform.agents.held_back import HeldBack
from genoplatform.agents.judge import METRICS, Judge
from genoplatform.agents.judged_text import CONTEXTS, Mode, judged_text

CASES_FOLDER = "cases"


def run_judge(
    judge: Judge,
    cases: Sequence[CaseFacts],
    responses: Mapping[str, Mapping[str, Any]],
    root: Path,
    *,
    mode: Mode,
    difficulty: str,
    contexts: int = CONTEXTS,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Judge every case that has a response and no checkpoint, then write `ragas_<mode>_n<cases>_<list>.json`.

    Raises:
        ModelUnavailableError: see `held_back`.

    Returns:
        Report: cases, judged, without a response, and scores without a value by measure.
    """
    folder = root / CASES_FOLDER
    with_response = [facts for facts in cases if (responses.get(facts.case_id) or {}).get("lea_log")]
    held = HeldBack("the judge")
    for at, facts in enumerate(with_response, 1):
        path = folder / file_name(facts.case_id)
        if not whole(path):
            scores, failures = judge.score(judged_text(responses[facts.case_id], mode, contexts))
            held.add(failures, partial(write_json, path, scores))
        if progress is not None:
            progress(at, len(with_response))
    held.close()
    found = {case: each for case, each in read_records(folder).items() if case in {f.case_id for f in with_response}}
    write_json(root / f"ragas_{mode}_n{len(cases)}_{difficulty}.json", _file(judge, cases, found))
    missing = {f"without {name}": sum(each[name] is None for each in found.values()) for name in METRICS}
    return {"cases": len(cases), "judged": len(found), "without a response": len(cases) - len(found), **missing}


def _file(judge: Judge, cases: Sequence[CaseFacts], scores: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "judge_model": dict(judge.llm.identity).get("model", "unnamed"),
        "judge_temperature": 0,
        "metrics": list(METRICS),
        "n_cases_total": len(cases),
        "n_cases_evaluated": len(scores),
        "n_cases_skipped": len(cases) - len(scores),
        "per_case": [{"case_id": case, **_rounded(each)} for case, each in sorted(scores.items())],
    }


def _rounded(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {name: None if value is None or math.isnan(value) else round(value, 6) for name, value in scores.items()}
