"""Plot: the same cases against a series of annotation releases: share exposed, and top-1 of each system.

Belongs here: drawing. Does not belong here: the numbers (inference.release_series).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from genoplatform.report.canvas import COLOURS, MARKERS, MUTED, Format, draw, interval, share_axis, stacked
from genoplatform.report.formatting import shortened
from genoplatform.report.releases import day, month, releases
from genoplatform.report.systems import EXPOSED, system_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Not the palette of the groups of cases: here colours are systems. From Tol's muted scheme; markers differ as well.
_SYSTEMS = (("#332288", "^"), ("#aa4499", "v"), ("#88661d", "P"), ("#4d4d4d", "X"))
_DAYS_APART = 14


def plot_releases(series: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw the share of exposed cases above, top-1 among all genes with 95 % publication-clustered intervals below.

    Args:
        series: release, system, overlap_rate, ranked, top1, top1_lo, top1_hi, top10, top10_lo, top10_hi; may be empty.
        fmt: "png" or "svg".
    """
    found = releases(series)
    names = sorted({name for release in found for name in release["systems"]})

    def paint(figure: Figure) -> None:
        if not found:
            figure.text(0.5, 0.5, "no release was followed", ha="center", va="center", color=MUTED)
            return
        places, apart = _places([release["release"] for release in found])
        above, below = stacked(figure, [1.0, 1.4])
        above.set_title("Exposed: the release holds the own publication")
        overlap = [release["overlap_rate"] for release in found]
        above.plot(places, overlap, color=COLOURS[EXPOSED], marker=MARKERS[EXPOSED], markersize=4.5, clip_on=False)
        below.set_title("Causal gene first among all genes (95 % interval)")
        for at, name in enumerate(names):
            aside = apart * (at - (len(names) - 1) / 2)
            _line(below, [place + aside for place in places], found, name, at)
        for ax in (above, below):
            share_axis(ax, "y")
            _release_axis(ax, places, [release["release"] for release in found], ax is below)
        figure.legend(*below.get_legend_handles_labels(), loc="outside lower left")

    return draw(paint, 4.5 + 0.22 * len(names) if found else 1.0, fmt=fmt)


def _places(names: Sequence[str]) -> tuple[list[float], float]:
    """Where releases stand: at their day where all are named by one, evenly otherwise; and what sets systems apart."""
    days = [day(name) for name in names]
    if len(days) > 1 and all(found is not None for found in days):
        return [float((found - days[0]).days) for found in days], _DAYS_APART  # type: ignore[operator]
    return [float(at) for at in range(len(names))], 0.06


def _release_axis(ax: Axes, places: list[float], names: Sequence[str], labelled: bool) -> None:
    margin = 0.04 * (places[-1] - places[0]) or 0.5
    ax.set(xlim=(places[0] - margin, places[-1] + margin))
    labels = [shortened(month(name), 12) for name in names] if labelled else []
    ax.set_xticks(places, labels or [""] * len(places), rotation=45, ha="right", rotation_mode="anchor")


def _line(ax: Axes, places: list[float], series: list[dict[str, Any]], system: str, at: int) -> None:
    colour, marker = _SYSTEMS[at % len(_SYSTEMS)]
    known = [
        (x, release["systems"][system]["top1"])
        for x, release in zip(places, series, strict=True)
        if system in release["systems"]
    ]
    for x, (_, lo, hi) in known:
        if lo is not None and hi is not None:
            interval(ax, (x, x), (lo, hi), colour)
    label = shortened(system_label(system), 40)
    ax.plot(
        [x for x, _ in known], [top1[0] for _, top1 in known], color=colour, marker=marker, markersize=4.5, label=label
    )
