"""The parts on how sure the shift is: whole diseases resampled instead of publications, and what was not estimated.

Belongs here: intervals side by side, analyses that this cohort does not allow. Does not belong here: resampling
(inference).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.report.formatting import NOTHING, count, counted, number, percent_interval, points
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.part import Part
from genoplatform.report.systems import list_label, printable, system_label
from genoplatform.report.tables import Cell, Group, Table


def by_disease(inputs: ReportInputs) -> Part | None:
    """Intervals of the shift when diseases are drawn, beside those when publications are; None without them."""
    pairs = {}
    for name in inputs.difficulties:
        diseases, publications = inputs.analysis(name, "shifts_by_disease"), inputs.analysis(name, "did_shifts")
        if diseases is not None and publications is not None:
            pairs[name] = publications.merge(diseases, on="system", suffixes=("", "_disease"), validate="1:1")
    if not pairs:
        return None
    tables = [_table(name, rows) for name, rows in pairs.items()]
    return Part("What if diseases are drawn instead of publications?", _paragraphs(inputs, pairs), [], tables)


def not_estimated(inputs: ReportInputs) -> Part | None:
    """Analyses that this cohort does not allow, with the reason; None where all ran."""
    groups = []
    for name in inputs.difficulties:
        skipped = inputs.analysis(name, "not_estimated")
        if skipped is not None:
            rows = [
                [Cell(printable(str(row["analysis"]))), Cell(printable(str(row["reason"])))]
                for row in skipped.to_dict("records")
            ]
            groups.append(Group(list_label(name), rows))
    if not groups:
        return None
    text = "These analyses need cases that this cohort does not have. They were not run on something else instead."
    table = Table("Analyses left out", ["Analysis", "Reason"], groups, frozenset({"Reason"}))
    return Part("What could not be estimated", [text], [], [table])


def _paragraphs(inputs: ReportInputs, pairs: Mapping[str, pd.DataFrame]) -> list[str]:
    unexposed = inputs.cases[inputs.cases["exposed"] == 0]
    publications = int(unexposed["cluster"].nunique())
    diseases = int(unexposed["disease_ids"].explode().nunique())
    rows = pd.concat(pairs.values(), ignore_index=True)
    sure = [_excludes_zero(rows[f"lo{end}"], rows[f"hi{end}"]) for end in ("", "_disease")]
    before, kept = int(sure[0].sum()), int((sure[0] & sure[1]).sum())
    held = "all of them still do" if before == kept else f"{count(kept)} of them still do"
    texts = [
        f"The {counted(len(unexposed), 'unexposed case')} from {counted(publications, 'publication')} are about only "
        f"{counted(diseases, 'disease')}. Cases about one disease share its gene and its annotations, so they tend to "
        "be found or missed together, even when they come from different publications. Drawing whole diseases again "
        "counts that: a more cautious interval around the same shift."
    ]
    if before:
        texts.append(
            f"Drawn by publication, {count(before)} of {counted(len(rows), 'interval')} exclude 0; drawn by disease, "
            f"{held}."
        )
    return texts


def _excludes_zero(lo: pd.Series, hi: pd.Series) -> pd.Series:
    return (lo > 0) | (hi < 0)


def _table(difficulty: str, rows: pd.DataFrame) -> Table:
    columns = ["System", "Shift", "Publications drawn", "Diseases drawn"]
    return Table(
        f"{list_label(difficulty)}: unexposed minus exposed", columns, [Group("", [_row(r) for r in _records(rows)])]
    )


def _records(rows: pd.DataFrame) -> list[dict[Any, Any]]:
    return rows.to_dict("records")


def _row(row: Mapping[Any, Any]) -> list[Cell]:
    return [
        Cell(system_label(str(row["system"]))),
        Cell(points(number(row["shift"]))),
        *[
            Cell(percent_interval(number(row[f"lo{end}"]), number(row[f"hi{end}"])) or NOTHING)
            for end in ("", "_disease")
        ],
    ]
