"""Plot: how often the causal gene is among the first k, for every k.

Belongs here: drawing the curves. Does not belong here: intervals; those drawn at k = 1, 5 and 10 are the evaluation's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.report.canvas import COLOURS, Format, draw, interval, point, share_axis, stacked
from genoplatform.report.estimates import rate
from genoplatform.report.inputs import Tables, in_order
from genoplatform.report.systems import GROUP_LABELS, Pair, pairs, panel_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL, _FRAME = 2.5, 0.75
_INTERVALS_AT = {1: "top1", 5: "top5", 10: "top10"}
_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# Factor that sets the intervals of the groups beside each other on the logarithmic axis.
_DODGE = (0.97, 1.0, 1.03)


def plot_recall_curves(
    ranks: Tables, cases: pd.DataFrame, evaluations: Mapping[str, Tables], *, fmt: Format = "png"
) -> bytes:
    """Draw recall at k, a panel per difficulty and system, a curve per group of cases.

    Args:
        ranks: difficulty -> system, case_id, rank, n_candidates. cases: case_id, exposed.
        evaluations: difficulty -> tables, for the intervals.
        fmt: "png" or "svg".
    """
    panels = [(name, pair) for name in in_order(ranks) for pair in pairs(ranks[name]["system"])]

    def paint(figure: Figure) -> None:
        axes = stacked(figure, [1.0] * len(panels))
        for ax, (name, pair) in zip(axes, panels, strict=True):
            ax.set_title(panel_title(name, pair))
            _panel(ax, _with_exposure(ranks[name], cases), pair, evaluations[name]["metrics"])
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower left")

    return draw(paint, len(panels) * _PANEL + _FRAME, fmt=fmt)


def recall(ranks: pd.Series, depth: int) -> NDArray[np.float64]:
    """Share of cases ranked at k or better for k = 1 to depth; a case without a rank is never found."""
    rank = ranks.to_numpy(dtype=np.float64, na_value=np.nan)
    found: NDArray[np.float64] = (rank[:, None] <= np.arange(1, depth + 1)).mean(axis=0)
    return found


def _with_exposure(ranks: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    return ranks.merge(cases[["case_id", "exposed"]], on="case_id", validate="many_to_one")


def _panel(ax: Axes, ranks: pd.DataFrame, pair: Pair, metrics: pd.DataFrame) -> None:
    depth = int(ranks["n_candidates"].max())
    k = np.arange(1, depth + 1)
    for (group, system, subset), dodge in zip(pair.groups(), _DODGE, strict=False):
        wanted = (ranks["system"] == system) & (ranks["exposed"] == int(subset == "overlap_present"))
        found = ranks.loc[wanted, "rank"]
        if found.empty:
            ax.plot([], [], color=COLOURS[group], label=f"{GROUP_LABELS[group]} (no such cases)")
            continue
        ax.plot(k, recall(found, depth), color=COLOURS[group], linewidth=1.8, label=GROUP_LABELS[group])
        _intervals(ax, metrics, (group, system, subset), dodge)
    ticks = [tick for tick in _TICKS if tick <= depth]
    ax.set_xscale("log")
    ax.set(xlim=(0.9, depth * 1.05), xlabel="k: the first k genes of the list")
    ax.set_xticks(ticks, [str(tick) for tick in ticks])
    ax.set_xticks([], minor=True)
    share_axis(ax, "y", "causal gene among them")


def _intervals(ax: Axes, metrics: pd.DataFrame, where: tuple[str, str, str], dodge: float) -> None:
    group, system, subset = where
    for k, metric in _INTERVALS_AT.items():
        found = rate(metrics, system, subset, metric)
        if found is None:
            continue
        if found.lo is not None and found.hi is not None:
            interval(ax, (k * dodge, k * dodge), (found.lo, found.hi), COLOURS[group])
        point(ax, k * dodge, found.value, group)
