"""The part "One question, four estimates": does one system lean more on having read the case than another?

Belongs here: the four estimates side by side and how to read them. Does not belong here: estimating (inference.did).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.report.formatting import NOTHING, listing, number, p_text, percent_interval, points, ratio
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.part import Part
from genoplatform.report.systems import list_label, system_label
from genoplatform.report.tables import Cell, Group, Table

_COLUMNS = ["System", "Raw difference of shifts", "Mixed model", "Odds ratio (GEE)", "Counterfactual"]
_TERMS = [
    (
        "Raw difference of shifts",
        "The system’s shift minus the reference’s, counted straight from the cases. The interval draws whole "
        "publications again.",
    ),
    (
        "Mixed model",
        "The same quantity from a regression that gives every publication a level of its own. Here every system ranked "
        "every case (a balanced panel), and then the estimate equals the raw difference exactly. Only its p is "
        "new. It supposes that every pair of systems scatters alike, so it can be much too small or too large; the "
        "interval of the raw difference supposes no such thing.",
    ),
    (
        "Odds ratio (GEE)",
        "The same comparison in odds instead of points, from a logistic regression that lets the cases of a "
        "publication resemble each other. Close to 100 % a few misses move odds a lot, so its intervals are wide.",
    ),
    (
        "Counterfactual",
        "Another road to the answer, exposed cases only: how many points more the reference loses than the system when "
        "the own publication is removed. The cases are the same, so nothing else about them can explain it.",
    ),
]


def four_estimates(inputs: ReportInputs) -> Part | None:
    """The part, or None where no list has a comparison."""
    found = {name: inputs.analysis(name, "did_side_by_side") for name in inputs.difficulties}
    tables = {name: table for name, table in found.items() if table is not None}
    if not tables:
        return None
    names = {str(name): None for table in tables.values() for name in table["reference"].unique()}
    reference = listing([system_label(name) for name in names])
    paragraphs = [
        "Does one system lean more on having read the case than another? A system’s shift is its top-1 on unexposed "
        f"cases minus that on exposed ones. Each system’s shift is held against that of a reference: {reference}. "
        "The four columns answer related but different questions, so they need not agree.",
        "How to read the sign: points above 0, or an odds ratio above 1, mean that the reference loses more than the "
        "system does, so the reference leans more on what it has read. Below, the system leans more. At 0 points, or "
        "an odds ratio of 1, they are equal.",
    ]
    return Part("One question, four estimates", paragraphs, _TERMS, [_table(*item) for item in tables.items()])


def _table(difficulty: str, estimates: pd.DataFrame) -> Table:
    groups = [
        Group(f"Against {system_label(str(reference))}", [_row(row) for row in rows.to_dict("records")])
        for reference, rows in estimates.groupby("reference", sort=False)
    ]
    return Table(f"{list_label(difficulty)}: system minus reference", _COLUMNS, groups)


def _row(row: Mapping[Any, Any]) -> list[Cell]:
    mixed = number(row["mixed"])
    return [
        Cell(system_label(str(row["system"]))),
        Cell(points(number(row["raw"])), percent_interval(number(row["raw_lo"]), number(row["raw_hi"]))),
        Cell(points(mixed), "" if mixed is None else p_text(number(row["mixed_p"]))),
        _odds(row),
        Cell(points(number(row.get("counterfactual")))),
    ]


def _odds(row: Mapping[Any, Any]) -> Cell:
    """An odds ratio with its interval; without one where the two systems do not differ in a single case."""
    value, lo, hi = (number(row[f"odds_ratio{end}"]) for end in ("", "_lo", "_hi"))
    if value is None or not bool(row["gee_converged"]):
        return Cell(NOTHING, "no solution")
    if lo is None or hi is None:
        return Cell(ratio(value), "no interval")
    if math.isclose(lo, hi, rel_tol=1e-6):
        return Cell(ratio(value), "same hits")
    return Cell(ratio(value), f"[{ratio(lo)}, {ratio(hi)}], {p_text(number(row['odds_ratio_p']))}")
