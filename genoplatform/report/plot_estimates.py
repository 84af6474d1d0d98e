"""Plot: how much of top-1 goes with exposure, by two estimates a system: a forest of points and intervals.

Belongs here: drawing. Does not belong here: the estimates (inference). Both are drawn the same way round, below zero
where a system scores worse without the publication: unexposed minus exposed cases, and the same exposed cases without
their own publication minus with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from genoplatform.report.canvas import (
    COLOURS,
    INK,
    MUTED,
    Format,
    beside,
    draw,
    interval,
    point,
    row_axis,
)
from genoplatform.report.formatting import MINUS, bare_points, number, shortened
from genoplatform.report.systems import REMOVED, UNEXPOSED, system_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS = {UNEXPOSED: "unexposed\nminus exposed", REMOVED: "own publication\nremoved"}
_ROW, _FRAME = 0.36, 0.85


@dataclass(frozen=True)
class _Row:
    """A line of the plot: the name of a system (no group), or one of its estimates."""

    label: str
    group: str = ""
    value: float | None = None
    lo: float | None = None
    hi: float | None = None


def plot_estimates(
    did_shifts: pd.DataFrame, counterfactual: pd.DataFrame | None = None, *, fmt: Format = "png"
) -> bytes:
    """Draw the overlap shift and the contamination of every system with their 95 % publication-clustered intervals.

    Args:
        did_shifts: system, shift (unexposed minus exposed top-1), lo, hi; may be empty.
        counterfactual: system, contamination (top-1 of exposed cases with minus without the own publication), lo, hi.
        fmt: "png" or "svg".
    """
    rows = _rows(did_shifts, counterfactual)

    def paint(figure: Figure) -> None:
        if not rows:
            figure.text(0.5, 0.5, "nothing was estimated", ha="center", va="center", color=MUTED)
            return
        ax = figure.subplots()
        ax.set_title("Change of top-1 without exposure")
        _axis(ax, rows)
        for at, row in enumerate(rows):
            _mark(ax, at, row)

    return draw(paint, len(rows) * _ROW + _FRAME if rows else 1.0, fmt=fmt)


def _rows(shifts: pd.DataFrame, counterfactual: pd.DataFrame | None) -> list[_Row]:
    """Systems with a counterfactual first, then by name."""
    shift = {} if shifts.empty else shifts.set_index("system")[["shift", "lo", "hi"]].T.to_dict("list")
    lost = {}
    if counterfactual is not None and not counterfactual.empty:
        lost = counterfactual.set_index("system")[["contamination", "lo", "hi"]].T.to_dict("list")
    rows = []
    for system in sorted({*shift, *lost}, key=lambda name: (name not in lost, str(name))):
        rows.append(_Row(shortened(system_label(str(system)), 40)))
        if system in shift:
            rows.append(_Row(_LABELS[UNEXPOSED], UNEXPOSED, *map(number, shift[system])))
        if system in lost:
            # Contamination is with minus without; turned round, its ends change places.
            value, lo, hi = (None if end is None else -end for end in map(number, lost[system]))
            rows.append(_Row(_LABELS[REMOVED], REMOVED, value, hi, lo))
    return rows


def _axis(ax: Axes, rows: list[_Row]) -> None:
    ends = [0.0, *(end for row in rows for end in (row.value, row.lo, row.hi) if end is not None)]
    margin = 0.05 * (max(ends) - min(ends)) or 0.05
    row_axis(ax, [row.label if row.group else "" for row in rows])
    ax.set(xlim=(min(ends) - margin, max(ends) + margin), xlabel="percentage points of top-1 (95 % interval)")
    ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f}".replace("-", MINUS))
    ax.grid(visible=True, axis="x")
    ax.tick_params(axis="x", length=0)
    ax.axvline(0.0, color=MUTED, linewidth=1.0, zorder=2)


def _mark(ax: Axes, at: int, row: _Row) -> None:
    if not row.group:
        ax.text(0.0, at + 0.12, row.label, weight="bold", color=INK, va="center", transform=ax.get_yaxis_transform())
    elif row.value is None:
        beside(ax, at, "not estimated")
    elif row.lo is None or row.hi is None:
        point(ax, row.value, at, row.group)
        beside(ax, at, f"{bare_points(row.value)}\nno interval")
    else:
        interval(ax, (row.lo, row.hi), (at, at), COLOURS[row.group])
        point(ax, row.value, at, row.group)
        beside(ax, at, f"{bare_points(row.value)}\n[{bare_points(row.lo)}, {bare_points(row.hi)}]")
