"""Plot: rank of the causal gene before and after removing the case's own publication, and by how much evidence went.

Belongs here: drawing. Does not belong here: counting (rank_change).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from genoplatform.report.canvas import INK, MUTED, Format, draw, row_axis, share_axis, stacked
from genoplatform.report.formatting import count
from genoplatform.report.inputs import Tables, in_order
from genoplatform.report.rank_change import RANK_BINS, RankChange, rank_change
from genoplatform.report.systems import pairs, panel_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Dark to light along one hue: told apart in grey as well. Not ranked is hatched.
_FILLS = ("#08306b", "#4292c6", "#9ecae1", "#e3edf6", "#ffffff")
_ON_FILL = ("white", "white", INK, INK, INK)
_ROW, _FRAME, _LEGEND, _NARROWEST = 0.33, 0.95, 0.65, 0.085


def plot_rank_change(ranks: Tables, cases: pd.DataFrame, removed: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw the exposed cases' ranks as bars of 100 %, a panel per difficulty and system with a counterfactual.

    Args:
        ranks: difficulty -> system, case_id, rank. cases: case_id, exposed.
        removed: case_id, causal_terms, causal_terms_removed.
        fmt: "png" or "svg".
    """
    panels = _panels(ranks, cases, removed)
    heights = [(len(change.by_share) + 3) * _ROW + _FRAME for _, change in panels] or [1.0]

    def paint(figure: Figure) -> None:
        axes = stacked(figure, heights)
        if not panels:
            axes[0].set_axis_off()
            axes[0].text(0.5, 0.5, "no exposed cases ranked with and without their publication", ha="center")
        for ax, (title, change) in zip(axes, panels, strict=False):
            ax.set_title(title)
            _panel(ax, change)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower left", ncols=2)

    return draw(paint, sum(heights) + _LEGEND, fmt=fmt)


def _panels(ranks: Tables, cases: pd.DataFrame, removed: pd.DataFrame) -> list[tuple[str, RankChange]]:
    found = [
        (panel_title(name, pair), rank_change(ranks[name], cases, removed, pair))
        for name in in_order(ranks)
        for pair in pairs(ranks[name]["system"])
    ]
    return [(title, change) for title, change in found if change is not None]


def _panel(ax: Axes, change: RankChange) -> None:
    bars = [("with own publication", change.before), ("without it", change.after)]
    bars += [(f"{label} ({count(int(row.sum()))})", row) for label, row in change.by_share.iterrows()]
    rows = [0, 1, *range(3, len(bars) + 1)]
    labels = [bars[0][0], bars[1][0], "", *[label for label, _ in bars[2:]]]
    row_axis(ax, labels)
    share_axis(ax, "x", "share of exposed cases")
    ax.text(0.0, 2.1, "without it, by share of the gene's\nannotations removed (cases)", va="center", fontsize=8.5)
    used = [name for name in RANK_BINS if any(counts[name] for _, counts in bars)]
    for at, (_, counts) in zip(rows, bars, strict=True):
        _bar(ax, at, counts, used)


def _bar(ax: Axes, at: int, counts: pd.Series, used: list[str]) -> None:
    total, left = int(counts.sum()), 0.0
    for name in used:
        fill, ink = _FILLS[RANK_BINS.index(name)], _ON_FILL[RANK_BINS.index(name)]
        width = int(counts[name]) / total
        hatch = "////" if name == RANK_BINS[-1] else None
        label = name if at == 0 else None
        ax.barh(at, width, left=left, height=0.74, color=fill, edgecolor=MUTED, linewidth=0.5, hatch=hatch, label=label)
        if width >= _NARROWEST:
            ax.text(left + width / 2, at, f"{width:.0%}".rstrip("%"), color=ink, ha="center", va="center", fontsize=8.5)
        left += width
