"""Result tables of the page, cell by cell.

Belongs here: which rows and columns are shown, as text. Does not belong here: markup (benchmark.html), or the tables
about data and provenance (record_tables).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from genoplatform.report.estimates import Estimate, rate
from genoplatform.report.formatting import (
    NOTHING,
    counted,
    number,
    p_value,
    percent,
    percent_interval,
    points,
    score,
    score_interval,
)
from genoplatform.report.inputs import Tables
from genoplatform.report.systems import METRIC_LABELS, subset_label, system_label

_SHARES = ("top1", "top5", "top10", "hit")


@dataclass(frozen=True)
class Cell:
    """A value and what stands below it in small print."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Group:
    """Rows below a common title ("" = none); the first cell of a row names it."""

    title: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Table:
    """A table for the template; `texts` names the columns that are not numbers."""

    caption: str
    columns: Sequence[str]
    groups: Sequence[Group] = field(default_factory=list)
    texts: frozenset[str] = frozenset()


def answer_table(systems: Mapping[str, Mapping[str, Any]], title: str) -> Table:
    """The headline of every system on one kind of list; `systems` as `headline` gives them."""
    columns = ["System", "Exposed", "Own publication removed", "Contamination", "Unexposed", "Unexposed minus exposed"]
    rows = [
        [
            Cell(system_label(system)),
            _triple(found["exposed"], percent),
            _triple(found["decontaminated"], percent),
            _triple(_ends(found["contamination"]), points),
            _triple(found["unexposed"], percent),
            _triple(found["shift"], points),
        ]
        for system, found in systems.items()
    ]
    return Table(title, columns, [Group("", rows)])


def metrics_table(tables: Tables, title: str, boundary: int) -> Table:
    """Systems x metrics, grouped by subset."""
    metrics = tables["metrics"]
    names = [str(name) for name in metrics["metric"].unique()]
    groups = []
    for subset, rows in metrics.groupby("subset", sort=False):
        first = rows.iloc[0]
        cases, publications = counted(int(first["n"]), "case"), counted(int(first["n_publications"]), "publication")
        body = [
            [Cell(system_label(str(system))), *[_metric(metrics, str(system), str(subset), name) for name in names]]
            for system in rows["system"].unique()
        ]
        groups.append(Group(f"{subset_label(str(subset), boundary)}: {cases}, {publications}", body))
    return Table(title, ["System", *[METRIC_LABELS.get(name, name) for name in names]], groups)


def contrast_table(tables: Tables, title: str, boundary: int) -> Table:
    """Pairs of systems on top-1, a row per subset: each system against its counterfactual, and any other contrast."""
    contrasts = tables["contrasts"]
    columns = [
        "Cases",
        "Top-1 of A",
        "Top-1 of B",
        "A minus B",
        "Only A, only B",
        "p, clustered",
        "p, Holm",
        "p, McNemar",
    ]
    groups = []
    for (a, b), rows in contrasts.groupby(["system_a", "system_b"], sort=False):
        body = [_contrast(row, boundary) for row in rows.to_dict("records")]
        groups.append(Group(f"A: {system_label(str(a))}; B: {system_label(str(b))}", body))
    return Table(title, columns, groups)


def shift_table(tables: Tables, title: str) -> Table:
    """Top-1 of exposed and unexposed cases and their difference, a row per system."""
    rows = [
        [
            Cell(system_label(row["system"])),
            Cell(percent(number(row["present"])), counted(int(row["n_present"]), "case")),
            Cell(percent(number(row["absent"])), counted(int(row["n_absent"]), "case")),
            Cell(points(number(row["shift"])), percent_interval(number(row["lo"]), number(row["hi"]))),
        ]
        for row in tables["overlap_shift"].to_dict("records")
    ]
    return Table(title, ["System", "Exposed", "Unexposed", "Unexposed minus exposed"], [Group("", rows)])


def weighted_table(weighted: pd.DataFrame, title: str, boundary: int) -> Table:
    """Top-1 as the sample has it and weighted to the eligible cases, grouped by subset."""
    groups = []
    for subset, rows in weighted.groupby("subset", sort=False):
        body = [
            [
                Cell(system_label(row["system"])),
                _share(row["unweighted"], row["u_lo"], row["u_hi"]),
                _share(row["ht"], row["ht_lo"], row["ht_hi"]),
                Cell(percent(number(row["equal"]))),
            ]
            for row in rows.to_dict("records")
        ]
        groups.append(Group(subset_label(str(subset), boundary), body))
    return Table(title, ["System", "As sampled", "Weighted by design", "Mean of categories"], groups)


def _triple(found: Sequence[float | None] | None, form: Callable[[float | None], str]) -> Cell:
    return Cell(NOTHING) if found is None else Cell(form(found[0]), percent_interval(*found[1:]))


def _ends(paired: Mapping[str, Any] | None) -> list[float | None] | None:
    return None if paired is None else [paired["difference"], paired["lo"], paired["hi"]]


def _metric(metrics: pd.DataFrame, system: str, subset: str, metric: str) -> Cell:
    found: Estimate | None = rate(metrics, system, subset, metric)
    if found is None:
        return Cell(NOTHING)
    if metric in _SHARES:
        return Cell(percent(found.value), percent_interval(found.lo, found.hi))
    return Cell(score(found.value), score_interval(found.lo, found.hi))


def _contrast(row: Mapping[Any, Any], boundary: int) -> list[Cell]:
    return [
        Cell(subset_label(row["subset"], boundary), counted(int(row["n"]), "case")),
        Cell(percent(row["correct_a"] / row["n"])),
        Cell(percent(row["correct_b"] / row["n"])),
        Cell(points(number(row["delta"])), percent_interval(number(row["cluster_lo"]), number(row["cluster_hi"]))),
        Cell(f"{row['b']:,}, {row['c']:,}"),
        *[Cell(p_value(number(row[name]))) for name in ("p_cluster", "p_holm", "p_mcnemar")],
    ]


def _share(value: object, lo: object, hi: object) -> Cell:
    return Cell(percent(number(value)), percent_interval(number(lo), number(hi)))
