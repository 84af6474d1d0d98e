"""Plot: right answers in bins of a system's confidence, a line a system, against what a calibrated one would give.

Belongs here: drawing. Does not belong here: the bins (inference.reliability).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from genoplatform.report.canvas import COLOURS, MARKERS, MUTED, RULE, Format, draw, interval, share_axis
from genoplatform.report.formatting import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_reliability(bins: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw the accuracy of each bin over its mean confidence, with its 95 % publication-clustered interval.

    Args:
        bins: run, mean_score, accuracy, lo, hi (`inference.reliability.BIN_COLUMNS`); may be empty.
        fmt: "png" or "svg".
    """
    looks = list(zip(COLOURS.values(), MARKERS.values(), strict=True))

    def paint(figure: Figure) -> None:
        if bins.empty:
            figure.text(0.5, 0.5, "too few cases to calibrate a confidence", ha="center", va="center", color=MUTED)
            return
        ax = figure.subplots()
        share_axis(ax, "x", "confidence in the first gene")
        share_axis(ax, "y", "first gene is causal (95 % interval)")
        ax.plot([0, 1], [0, 1], color=RULE, linewidth=1.0, zorder=0)
        for at, (run, part) in enumerate(bins.groupby("run", sort=True)):
            colour, marker = looks[at % len(looks)]
            for x, lo, hi in part[["mean_score", "lo", "hi"]].itertuples(index=False):
                interval(ax, (x, x), (lo, hi), colour)
            label = shortened(str(run), 30)
            ax.plot(part["mean_score"], part["accuracy"], marker=marker, color=colour, markersize=4.5, label=label)
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower left")

    return draw(paint, 3.6 if len(bins) else 1.0, fmt=fmt)
