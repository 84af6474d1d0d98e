"""An answer as tables that are stored, back again as far as needed, and as one row among all problems."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.expression.statistics.cohort_choice import Choice
from genoplatform.expression.statistics.problems import NO_CONDITION, Problem
from genoplatform.expression.statistics.result import GENE_COLUMNS, Answer

Tables = Mapping[str, pd.DataFrame]
_PERFORMANCE = {"report": "str", "score": "str", "value": "float64"}
_FACTS = {"fact": "str", "value": "str"}
RESULT_COLUMNS = {
    "trait": "str", "condition": "str", "kind": "str", "rules": "str", "answered": "bool", "why": "str", "model": "str",
    "trait_cohort": "str", "condition_cohort": "str", "samples": "int64", "persons": "int64", "genes": "int64",
    "chosen": "int64", "known_chosen": "int64", "penalty": "float64", "relative_gap": "float64",
    "hidden_components": "Int64", "inflation_plain": "float64", "inflation_mixed": "float64", "leaking_groups": "int64",
    "prediction": "float64", "prediction_score": "str",
}  # fmt: skip
_HEADLINE_SCORES = ("f1", "r_squared")


def answer_tables(answer: Answer, choice: Choice) -> dict[str, pd.DataFrame]:
    """`genes` (see `Answer`), `tuning` by penalty, `performance` (report, score, value), `facts` (values as JSON)."""
    rows = [(report, score, value) for report, scores in answer.performance.items() for score, value in scores.items()]
    facts = answer.facts | {"why": choice.why, "tested": answer.tested}
    return {
        "genes": answer.genes,
        "tuning": answer.tuning,
        "performance": pd.DataFrame(rows, columns=list(_PERFORMANCE)).astype(_PERFORMANCE),
        "facts": _fact_table(facts),
    }


def no_answer(rules: str, why: str) -> dict[str, pd.DataFrame]:
    """Tables of a problem that has no cohort, with the reason."""
    return {
        "genes": pd.DataFrame(columns=list(GENE_COLUMNS)).astype(GENE_COLUMNS),
        "tuning": pd.DataFrame({"penalty": pd.Series(dtype="float64")}),
        "performance": pd.DataFrame(columns=list(_PERFORMANCE)).astype(_PERFORMANCE),
        "facts": _fact_table({"rules": rules, "why": why}),
    }


def facts_of(tables: Tables) -> dict[str, Any]:
    """Facts by name."""
    table = tables["facts"]
    return {str(name): json.loads(value) for name, value in zip(table["fact"], table["value"], strict=True)}


def answer_of(problem: Problem, tables: Tables) -> Answer | None:
    """The answer of its tables; None where there was none."""
    facts = facts_of(tables)
    if "model" not in facts:
        return None
    performance: dict[str, dict[str, float]] = {}
    for report, score, value in tables["performance"].itertuples(index=False):
        performance.setdefault(str(report), {})[str(score)] = float(value)
    return Answer(problem, tables["genes"], bool(facts["tested"]), performance, tables["tuning"], facts)


def result_table(answers: Mapping[str, Tables]) -> pd.DataFrame:
    """A row a problem, by key; those without an answer too, with the reason."""
    rows = [_result_row(Problem.of(key), tables) for key, tables in sorted(answers.items())]
    return pd.DataFrame(rows, columns=list(RESULT_COLUMNS)).astype(RESULT_COLUMNS)


def _result_row(problem: Problem, tables: Tables) -> dict[str, Any]:
    facts, genes = facts_of(tables), tables["genes"]
    headline = tables["performance"].query("report == 'prediction'").set_index("score")["value"]
    score = next((name for name in _HEADLINE_SCORES if name in headline.index), "")
    numbers = {
        name: _number(facts.get(name)) for name in ("penalty", "relative_gap", "inflation_plain", "inflation_mixed")
    }
    counts = {name: int(facts.get(name) or 0) for name in ("samples", "persons", "genes", "leaking_groups")}
    return {
        "trait": problem.trait,
        "condition": problem.condition or NO_CONDITION,
        "kind": problem.kind,
        "answered": "model" in facts,
        "hidden_components": facts.get("hidden_components", pd.NA),
        "chosen": int(genes["chosen"].sum()),
        "known_chosen": int((genes["chosen"] & genes["known"]).sum()),
        "prediction": float(headline[score]) if score else math.nan,
        "prediction_score": score,
        **{name: str(facts.get(name) or "") for name in ("rules", "why", "model", "trait_cohort", "condition_cohort")},
        **numbers,
        **counts,
    }


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _fact_table(facts: Mapping[str, Any]) -> pd.DataFrame:
    rows = [(name, json.dumps(_plain(value), sort_keys=True)) for name, value in sorted(facts.items())]
    return pd.DataFrame(rows, columns=list(_FACTS)).astype(_FACTS)


def _plain(value: Any) -> Any:
    """NaN becomes null: JSON has no such number."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
