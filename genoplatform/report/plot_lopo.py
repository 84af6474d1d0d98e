"""Plot: top-1 of a system with and without the case's own publication among its sources, by subset of cases.

Belongs here: drawing. Does not belong here: the comparison (inference.lopo).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from genoplatform.report.canvas import COLOURS, MUTED, Format, beside, draw, point, row_axis, share_axis
from genoplatform.report.formatting import bare_points, count, shortened
from genoplatform.report.systems import EXPOSED, REMOVED, subset_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW, _FRAME = 0.36, 1.2


def plot_lopo(comparison: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw both arms' top-1 of every subset on one line, and their difference in points beside it.

    Args:
        comparison: subset, n, control_top1, left_out_top1, delta (control minus left out); may be empty.
        fmt: "png" or "svg".
    """
    rows = list(comparison.itertuples(index=False))

    def paint(figure: Figure) -> None:
        if not rows:
            figure.text(0.5, 0.5, "nothing was left out", ha="center", va="center", color=MUTED)
            return
        ax = figure.subplots()
        row_axis(ax, [f"{_label(str(row.subset))}\nn = {count(int(str(row.n)))}" for row in rows])
        share_axis(ax, "x", "top-1 with (●) and without (◆) it")
        for at, row in enumerate(rows):
            control, left_out, delta = (float(str(v)) for v in (row.control_top1, row.left_out_top1, row.delta))
            ax.plot([control, left_out], [at, at], color=COLOURS[REMOVED], linewidth=1.5, zorder=3)
            point(ax, control, at, EXPOSED)
            point(ax, left_out, at, REMOVED)
            beside(ax, at, bare_points(-delta))
        ax.set_title("Own publication left out of the sources")

    return draw(paint, len(rows) * _ROW + _FRAME if rows else 1.0, fmt=fmt)


def _label(subset: str) -> str:
    return shortened(subset_label(subset.removeprefix("category:")), 24)
