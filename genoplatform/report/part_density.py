"""The part "Is it density?": are exposed cases found because their diseases are well described anyway?

Belongs here: rates by what else is known, and shifts with density and categories held equal, in words and tables. Does
not belong here: computing them (inference.density, inference.zero_density, inference.standardise).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.report.formatting import NOTHING, count, number, p_text, percent, percent_interval, points
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.part import Part
from genoplatform.report.systems import SUFFIX, list_label, system_label
from genoplatform.report.tables import Cell, Group, Table

_STRATA = {"Z": "Exposed, nothing else known", "P": "Exposed, more is known", "A": "Unexposed"}
_TERMS = [
    (
        "Exposed, nothing else known",
        "Every annotation of the disease comes from the case’s own publication: remove it and the disease is bare.",
    ),
    ("Exposed, more is known", "Other publications annotate the disease as well."),
    (
        "First minus second",
        "Near 0: the own publication is all the system needs. Far below 0: it lives on the other annotations.",
    ),
]
_SHIFT_TERMS = [
    ("Density held equal", "The shift in a regression (GEE) that also holds the logarithm of the density."),
    (
        "Within fifths of density",
        "The shift among cases of about the same density, averaged over the fifths that have both groups.",
    ),
    ("Same mix of categories", "The shift if exposed and unexposed cases had the disease categories of all cases."),
]


def density(inputs: ReportInputs) -> Part | None:
    """The part, or None where no list has either table."""
    strata, shifts = [], []
    for name in inputs.difficulties:
        rates, adjusted = inputs.analysis(name, "zero_density"), inputs.analysis(name, "density_shift")
        if rates is not None:
            strata.append(_strata_table(rates, inputs.analysis(name, "zero_gradients"), name))
        if adjusted is not None:
            shifts.append(_shift_table(adjusted, inputs, name))
    if not strata and not shifts:
        return None
    terms = (_TERMS if strata else []) + (_SHIFT_TERMS if shifts else [])
    return Part("Is it density?", _paragraphs(inputs), terms, [*strata, *shifts])


def _paragraphs(inputs: ReportInputs) -> list[str]:
    texts = [
        "Some diseases are described by many publications, some by one. Density is the number of annotations of the "
        "case’s disease from publications other than its own. If exposed cases were simply about better known "
        f"diseases, they would be found more often for that reason alone.{_medians(inputs)}"
    ]
    for name in inputs.difficulties:
        rates = inputs.analysis(name, "zero_density")
        if rates is not None:
            return [*texts, *_lone(rates, name)]
    return texts


def _medians(inputs: ReportInputs) -> str:
    cases = inputs.cases.groupby("exposed")["density"].median()
    if set(cases.index) != {0, 1}:
        return ""
    return f" Here the median density is {cases[1]:g} for exposed and {cases[0]:g} for unexposed cases."


def _lone(rates: pd.DataFrame, difficulty: str) -> list[str]:
    """What happens to exposed cases of which nothing else is known, with and without the own publication."""
    alone = rates[rates["stratum"] == "Z"].set_index("system")["rate"]
    without = alone[[name for name in alone.index if str(name).endswith(SUFFIX)]]
    own = alone[[name for name in without.index.str.removesuffix(SUFFIX) if name in alone.index]]
    if own.empty:
        return []
    n = count(int(rates.loc[rates["stratum"] == "Z", "n"].iloc[0]))
    return [
        f"The {n} exposed cases of whose disease nothing else is known are the test. On "
        f"{list_label(difficulty).lower()} the gene is first for {_range(own)} of them with the own publication, and "
        f"for {_range(without)} without it."
    ]


def _range(rates: pd.Series) -> str:
    low, high = percent(float(rates.min())), percent(float(rates.max()))
    return low if low == high else f"{low} to {high}"


def _strata_table(rates: pd.DataFrame, gradients: pd.DataFrame | None, difficulty: str) -> Table:
    strata = [name for name in _STRATA if name in set(rates["stratum"])]
    sizes = rates.groupby("stratum")["n"].first()
    by_cell = {(row["system"], row["stratum"]): row for row in rates.to_dict("records")}
    steps = {} if gradients is None else {row["system"]: row for row in gradients.to_dict("records")}
    systems = [str(name) for name in rates["system"].unique()]
    groups = []
    for title, wanted in (("Own publication in the knowledge base", False), ("Own publication removed", True)):
        names = [name for name in systems if name.endswith(SUFFIX) == wanted]
        rows = [
            [
                Cell(system_label(name.removesuffix(SUFFIX))),
                *[_rate(by_cell.get((name, stratum))) for stratum in strata],
                _step(steps.get(name)),
            ]
            for name in names
        ]
        groups += [Group(title, rows)] if rows else []
    columns = [f"{_STRATA[name]} ({count(int(sizes[name]))})" for name in strata]
    title = f"{list_label(difficulty)}: top-1 by what else is known"
    return Table(title, ["System", *columns, "First minus second"], groups)


def _shift_table(adjusted: pd.DataFrame, inputs: ReportInputs, difficulty: str) -> Table:
    fifths = _by_system(inputs.analysis(difficulty, "quintiles"), "shift")
    standard = _by_system(inputs.analysis(difficulty, "standardised"), "shift_std")
    rows = [
        [
            Cell(system_label(str(row["system"]))),
            _tested(row, "crude"),
            _tested(row, "adjusted"),
            Cell(points(fifths.get(row["system"]))),
            Cell(points(standard.get(row["system"]))),
        ]
        for row in adjusted.to_dict("records")
    ]
    columns = ["System", "Shift", "Density held equal", "Within fifths of density", "Same mix of categories"]
    title = f"{list_label(difficulty)}: unexposed minus exposed, like compared with like"
    return Table(title, columns, [Group("", rows)])


def _by_system(table: pd.DataFrame | None, column: str) -> dict[Any, float | None]:
    if table is None:
        return {}
    return {row["system"]: number(row[column]) for row in table.to_dict("records")}


def _rate(row: Mapping[Any, Any] | None) -> Cell:
    if row is None:
        return Cell(NOTHING)
    return Cell(percent(number(row["rate"])), percent_interval(number(row["lo"]), number(row["hi"])))


def _step(row: Mapping[Any, Any] | None) -> Cell:
    if row is None:
        return Cell(NOTHING)
    return Cell(points(number(row["gradient"])), percent_interval(number(row["lo"]), number(row["hi"])))


def _tested(row: Mapping[Any, Any], name: str) -> Cell:
    value = number(row[name])
    return Cell(points(value), "" if value is None else p_text(number(row[f"{name}_p"])))
