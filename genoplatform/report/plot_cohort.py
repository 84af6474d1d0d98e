"""Plots: what became of the candidates for a case, and what the cases are like.

Belongs here: drawing the cohort. Does not belong here: choosing it (cohort).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from genoplatform.report.canvas import COLOURS, MUTED, RULE, WIDTH, Format, beside, draw, row_axis, share_axis
from genoplatform.report.formatting import MINUS, count, shortened
from genoplatform.report.systems import EXPOSED, UNEXPOSED, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REASONS = {
    "few_terms": "too few phenotype terms",
    "no_gene": "disease without a gene",
    "several_genes": "several genes",
    "not_protein_coding": "gene not protein-coding",
    "not_drawn": "not drawn in the sample",
    "causal_not_in_pool": "gene not a candidate",
}
_DENSITY_TICKS = (0, 1, 3, 10, 30, 100, 300, 1000)
_GROUPS = ((EXPOSED, 1, "-"), (UNEXPOSED, 0, "--"))
_HEIGHT = 2.7

Painter = Callable[["Axes", pd.DataFrame, pd.DataFrame], None]


def plot_cohort(cases: pd.DataFrame, funnel: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw funnel, categories, annotation density and publication years in one figure.

    Args:
        cases: category, exposed, log_density, publication_year. funnel: stage, n, dropped, reason.
        fmt: "png" or "svg".
    """

    def paint(figure: Figure) -> None:
        for ax, painter in zip(figure.subplots(2, 2).ravel(), PANELS.values(), strict=True):
            painter(ax, cases, funnel)

    return draw(paint, 2 * _HEIGHT, width=2 * WIDTH, fmt=fmt)


def plot_cohort_panel(name: str, cases: pd.DataFrame, funnel: pd.DataFrame, *, fmt: Format = "png") -> bytes:
    """Draw one panel of `PANELS` as a figure of its own."""
    return draw(lambda figure: PANELS[name](figure.subplots(), cases, funnel), _HEIGHT, fmt=fmt)


def reason_label(reason: str) -> str:
    """Why a filter dropped something, in words."""
    return REASONS.get(reason, printable(reason).replace("_", " "))


def _funnel(ax: Axes, _: pd.DataFrame, funnel: pd.DataFrame) -> None:
    rows = funnel[(funnel["dropped"] > 0) | (funnel.index == funnel.index.min())]
    labels = [reason_label(row.reason) if row.dropped else printable(row.stage) for row in rows.itertuples()]
    row_axis(ax, [shortened(label, 26) for label in labels])
    for at, row in enumerate(rows.itertuples()):
        ax.barh(at, row.n, height=0.7, color=MUTED)
        ax.barh(at, row.dropped, left=row.n, height=0.7, color=RULE, edgecolor=MUTED, linewidth=0.5, hatch="////")
        beside(ax, at, f"{MINUS}{count(row.dropped)}" if row.dropped else count(row.n))
    ax.set(title=f"From sources to {count(int(rows['n'].iloc[-1]))} cases", xlabel="left (solid), dropped (hatched)")


def _categories(ax: Axes, cases: pd.DataFrame, _: pd.DataFrame) -> None:
    table = pd.crosstab(cases["category"], cases["exposed"]).reindex(columns=[1, 0], fill_value=0)
    row_axis(ax, [shortened(printable(str(name)), 26) for name in table.index])
    left = np.zeros(len(table))
    for group, flag, _line in _GROUPS:
        ax.barh(range(len(table)), table[flag], left=left, height=0.7, color=COLOURS[group], label=group)
        left = left + table[flag].to_numpy()
    for at, row in enumerate(table.itertuples(index=False)):
        beside(ax, at, f"{count(row[0])} + {count(row[1])}")
    ax.set(title="Cases by category", xlabel="cases: exposed + unexposed")
    _legend(ax)


def _density(ax: Axes, cases: pd.DataFrame, _: pd.DataFrame) -> None:
    _curves(ax, cases["log_density"], cases["exposed"])
    top = float(cases["log_density"].max())
    ticks = [tick for tick in _DENSITY_TICKS if np.log1p(tick) <= top]
    ax.set_xticks(np.log1p(ticks), [str(tick) for tick in ticks])
    ax.set(title="Other annotations of the disease", xlabel="annotations from other publications")


def _years(ax: Axes, cases: pd.DataFrame, _: pd.DataFrame) -> None:
    years = cases["publication_year"].astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
    _curves(ax, pd.Series(years, index=cases.index), cases["exposed"])
    unknown = int(np.isnan(years).sum())
    without = f" ({count(unknown)} unknown)" if unknown else ""
    ax.set(title="Year of the publication", xlabel=f"publication year{without}")


def _curves(ax: Axes, values: pd.Series, exposed: pd.Series) -> None:
    """Cumulative share of the cases of each group up to each value."""
    for group, flag, line in _GROUPS:
        own = np.sort(values[(exposed == flag) & values.notna()].to_numpy(dtype=np.float64))
        if len(own):
            share = np.arange(1, len(own) + 1) / len(own)
            ax.step(own, share, where="post", color=COLOURS[group], linestyle=line, linewidth=1.8, label=group)
    share_axis(ax, "y", "share of cases up to here")
    if ax.lines:
        ax.legend(loc="best")


def _legend(ax: Axes) -> None:
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.25), ncols=2)


PANELS: dict[str, Painter] = {
    "funnel": _funnel,
    "categories": _categories,
    "density": _density,
    "years": _years,
}
