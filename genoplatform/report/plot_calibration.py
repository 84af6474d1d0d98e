"""Plot: accuracy in bins of a judge's score, a line a run.

Belongs here: drawing. Does not belong here: the bins (inference.roc).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from genoplatform.report.canvas import COLOURS, MARKERS, MUTED, Format, draw, interval, share_axis
from genoplatform.report.formatting import shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_calibration(bins: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw the accuracy of each bin over its mean score, with its 95 % publication-clustered interval.

    Args:
        bins: run, mean_score, accuracy, lo, hi, in order of the score; may be empty.
        fmt: "png" or "svg".
    """
    looks = list(zip(COLOURS.values(), MARKERS.values(), strict=True))

    def paint(figure: Figure) -> None:
        if bins.empty:
            figure.text(0.5, 0.5, "nothing was judged", ha="center", va="center", color=MUTED)
            return
        ax = figure.subplots()
        share_axis(ax, "x", "mean score of the judge")
        share_axis(ax, "y", "right answers (95 % interval)")
        for at, (run, part) in enumerate(bins.groupby("run", sort=True)):
            colour, marker = looks[at % len(looks)]
            for x, lo, hi in part[["mean_score", "lo", "hi"]].itertuples(index=False):
                interval(ax, (x, x), (lo, hi), colour)
            label = shortened(str(run), 30)
            ax.plot(part["mean_score"], part["accuracy"], marker=marker, color=colour, markersize=4.5, label=label)
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower left")

    return draw(paint, 3.6 if len(bins) else 1.0, fmt=fmt)
