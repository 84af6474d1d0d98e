"""Released judgements: scores of a language-model judge (`ragas_*.json`) and ablation runs (`cell_*_ablation_*/`).

Here: reading and checking both kinds of file, and what was refused. Not here: statistics (`genoplatform.inference`),
rankings (rankings.py), asking a judge.
Source: rare-disease specification, sections 12 and 13. A judge file says in its name, or by the directories above it,
which lists it judged; its run is named as published, `full_n600` or `top1only_n100`.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.cohort.archives import Skipped
from genoplatform.prioritisation.released.layout import DIFFICULTIES, Member, iter_members

SCORE_COLUMNS = ("run", "judge_model", "case_id", "metric", "value")
ABLATION_COLUMNS = ("model", "case_id", "hit", "error")
REJECTED_COLUMNS = ("path", "reason", "detail")
_JUDGE, _ABLATION = "ragas_", "_ablation_"
_SIZE = re.compile(r"(?:^|_)n(\d+)(?:_|$)")
_TOP1_ONLY = re.compile(r"top_?1_?only")


@dataclass(frozen=True)
class JudgeFiles:
    """What was read for one difficulty.

    Attributes:
        scores: run, judge_model, case_id, metric, value (NaN: the judge gave none); sorted.
        ablation: model, case_id, hit (0/1), error (bool: a parse error, another error, or no answer); sorted.
        rejected: path, reason, detail of every file that was not used.
        report: judge_files, judge_runs, ablation_records, other_difficulty, rejected, and refused files by reason.
    """

    scores: pd.DataFrame
    ablation: pd.DataFrame
    rejected: pd.DataFrame
    report: dict[str, int]


def read_judge_files(*paths: Path, case_ids: Iterable[str], difficulty: str) -> JudgeFiles:
    """Read every judge file and ablation record below the paths; a release without any gives empty tables.

    Args:
        paths: directories or deposit archives in the released layout.
        case_ids: the cohort; a file about another case is refused.
        difficulty: "standard" or "hard"; an ablation whose path names neither is of the standard lists.

    Raises:
        BadInputError: a path that cannot be read.
    """
    gathered = _Gathered(frozenset(case_ids), difficulty)
    for member in iter_members(paths, gathered.skipped):
        gathered.take(member)
    return gathered.result()


class _RefusedError(ValueError):
    """A file that is not what its place says; `reason` is a short counted key."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


@dataclass
class _Gathered:
    case_ids: frozenset[str]
    difficulty: str
    scores: dict[str, list[tuple[str, str, str, str, float]]] = field(default_factory=dict)
    ablation: dict[tuple[str, str], tuple[int, bool]] = field(default_factory=dict)
    rejected: list[tuple[str, str, str]] = field(default_factory=list)
    skipped: Skipped = field(default_factory=list)
    judge_files: int = 0
    elsewhere: int = 0

    def take(self, member: Member) -> None:
        directory = member.directories[-1] if member.directories else ""
        judged = member.stem.startswith(_JUDGE)
        if not judged and not (directory.startswith("cell_") and _ABLATION in directory):
            return
        self.judge_files += judged
        try:
            if _difficulty(member, "" if judged else "standard") != self.difficulty:
                self.elsewhere += 1
                return
            record = _mapping(member.content)
            self._add_run(member.stem, record) if judged else self._add_record(record)
        except _RefusedError as error:
            self.rejected.append((member.path, error.reason, error.detail))

    def _add_run(self, stem: str, record: dict[str, Any]) -> None:
        run = _run_name(stem, record)
        if run in self.scores:
            raise _RefusedError("second-file", f"run {run} was read before")
        metrics, model = record.get("metrics"), record.get("judge_model")
        if not isinstance(metrics, list) or not metrics or not all(isinstance(name, str) for name in metrics):
            raise _RefusedError("judge-fields", f"metrics {metrics!r}")
        if not isinstance(model, str) or not isinstance(record.get("per_case"), list):
            raise _RefusedError("judge-fields", f"judge_model {model!r}, or no list under per_case")
        seen: set[str] = set()
        rows = []
        for entry in record["per_case"]:
            case_id = self._case(entry)
            if case_id in seen:
                raise _RefusedError("repeated-case", case_id)
            seen.add(case_id)
            rows += [(run, model, case_id, metric, _score(entry.get(metric), case_id)) for metric in metrics]
        self.scores[run] = rows

    def _add_record(self, record: dict[str, Any]) -> None:
        case_id, model, correct = self._case(record), record.get("model"), record.get("top1_correct")
        if not isinstance(model, str) or not model:
            raise _RefusedError("ablation-fields", f"model {model!r}")
        if not isinstance(correct, bool | None):
            raise _RefusedError("ablation-fields", f"top1_correct {correct!r}")
        if (model, case_id) in self.ablation:
            raise _RefusedError("second-file", f"{model} on {case_id} was read before")
        failed = bool(record.get("parse_error")) or bool(record.get("error")) or not record.get("top1")
        self.ablation[model, case_id] = (int(correct is True), failed)

    def _case(self, entry: Any) -> str:
        case_id = entry.get("case_id") if isinstance(entry, dict) else None
        if not isinstance(case_id, str):
            raise _RefusedError("no-case-id", f"case_id {case_id!r}")
        if case_id not in self.case_ids:
            raise _RefusedError("unknown-case", case_id)
        return case_id

    def result(self) -> JudgeFiles:
        unread = [row for row in self.skipped if f"/{_JUDGE}" in f"/{row[0]}" or _ABLATION in row[0]]
        rejected = _table([*self.rejected, *unread], REJECTED_COLUMNS).astype("str")
        scores = _table([row for rows in self.scores.values() for row in rows], SCORE_COLUMNS)
        ablation = _table([(*key, *value) for key, value in self.ablation.items()], ABLATION_COLUMNS)
        report = {
            "judge_files": self.judge_files,
            "judge_runs": len(self.scores),
            "ablation_records": len(ablation),
            "other_difficulty": self.elsewhere,
            "rejected": len(rejected),
            **dict(sorted(Counter(rejected["reason"]).items())),
        }
        kinds = dict.fromkeys(SCORE_COLUMNS[:-1], "str") | {"value": "float64"}
        return JudgeFiles(
            scores.astype(kinds),
            ablation.astype({"model": "str", "case_id": "str", "hit": "int64", "error": "bool"}),
            rejected,
            report,
        )


def _table(rows: list[Any], columns: tuple[str, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=list(columns)).sort_values(list(columns), ignore_index=True)


def _mapping(content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _RefusedError("not-json", str(error)) from error
    if not isinstance(document, dict):
        raise _RefusedError("not-a-record", f"the document is a {type(document).__name__}")
    return document


def _difficulty(member: Member, default: str) -> str:
    named = [name for name in ("hard", "standard") if re.search(rf"(?:^|_){name}(?:_|$)", member.stem)]
    if member.stem.startswith(_JUDGE) and named:
        return named[0]
    found = next((DIFFICULTIES[name] for name in reversed(member.directories) if name in DIFFICULTIES), default)
    if not found:
        raise _RefusedError("unknown-cohort", "neither its name nor a directory says which lists it is of")
    return found


def _run_name(stem: str, record: dict[str, Any]) -> str:
    """`full_n600`: what was judged, and of how many cases: as the name says, else as the file counts them."""
    size = _SIZE.search(stem)
    n = int(size[1]) if size else record.get("n_cases_total")
    if isinstance(n, bool) or not isinstance(n, int):
        raise _RefusedError("judge-fields", f"n_cases_total {n!r}")
    return f"{'top1only' if _TOP1_ONLY.search(stem) else 'full'}_n{n}"


def _score(value: Any, case_id: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
        raise _RefusedError("score-not-numeric", f"{case_id}: {value!r}")
    return float(value)
