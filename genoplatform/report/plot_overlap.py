"""Plot: top-1 of exposed cases, of the same cases without their own publication, and of unexposed cases.

Belongs here: drawing the story's main comparison. Does not belong here: the numbers (estimates).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genoplatform.report.canvas import (
    COLOURS,
    INK,
    Format,
    beside,
    draw,
    interval,
    point,
    row_axis,
    share_axis,
    stacked,
)
from genoplatform.report.estimates import Estimate, rate
from genoplatform.report.formatting import percent, percent_interval, shortened
from genoplatform.report.inputs import Tables, in_order
from genoplatform.report.systems import EXPOSED, REMOVED, UNEXPOSED, list_label, pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_LABELS = {EXPOSED: "exposed", REMOVED: "own publication\nremoved", UNEXPOSED: "unexposed"}
_ROW, _FRAME = 0.36, 0.85


@dataclass(frozen=True)
class _Row:
    """A line of the plot: the name of a system (no group), or one of its scores."""

    label: str
    group: str = ""
    estimate: Estimate | None = None


def plot_overlap(evaluations: Mapping[str, Tables], *, fmt: Format = "png") -> bytes:
    """Draw top-1 with its 95 % publication-clustered interval, a panel per difficulty, three rows per system.

    Args:
        evaluations: difficulty -> tables; only `metrics` is used.
        fmt: "png" or "svg".
    """
    panels = {name: _rows(evaluations[name]) for name in in_order(evaluations)}
    heights = [len(rows) * _ROW + _FRAME for rows in panels.values()]

    def paint(figure: Figure) -> None:
        for ax, (name, rows) in zip(stacked(figure, heights), panels.items(), strict=True):
            ax.set_title(list_label(name))
            _panel(ax, rows)

    return draw(paint, sum(heights), fmt=fmt)


def _rows(tables: Tables) -> list[_Row]:
    metrics, rows = tables["metrics"], []
    for pair in pairs(metrics["system"]):
        rows.append(_Row(shortened(pair.label, 40)))
        rows += [_Row(_ROW_LABELS[group], group, rate(metrics, *where)) for group, *where in pair.groups()]
    return rows


def _panel(ax: Axes, rows: list[_Row]) -> None:
    row_axis(ax, [row.label if row.group else "" for row in rows])
    share_axis(ax, "x", "top-1 (95 % interval)")
    for at, row in enumerate(rows):
        if not row.group:
            ax.text(0.0, at + 0.12, row.label, weight="bold", color=INK, va="center")
        elif row.estimate is None:
            beside(ax, at, "no such cases")
        else:
            _mark(ax, at, row.group, row.estimate)


def _mark(ax: Axes, at: int, group: str, estimate: Estimate) -> None:
    if estimate.lo is not None and estimate.hi is not None:
        interval(ax, (estimate.lo, estimate.hi), (at, at), COLOURS[group])
    point(ax, estimate.value, at, group)
    ends = percent_interval(estimate.lo, estimate.hi) or "no interval"
    beside(ax, at, f"{percent(estimate.value)}\n{ends}")
