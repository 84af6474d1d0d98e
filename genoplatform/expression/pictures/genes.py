"""Pictures of an answer: effects against p-values (volcano), or the coefficients of the chosen genes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from genoplatform.expression.pictures.picture import PALETTE, QUIET, REFERENCE, STRONG, Picture, grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMED = 5
_MOST_BARS = 20
_SMALLEST = 1e-300


def volcano_picture(genes: pd.DataFrame, level: float) -> Picture:
    """Effect of one standard deviation of each gene against its p-value; chosen ones stand out, the first are named.

    Args:
        genes: gene, coefficient, p_value, chosen; best first. level: false-discovery level, for the words.
    """
    effect = genes["coefficient"].to_numpy(dtype=np.float64)
    height = -np.log10(np.maximum(genes["p_value"].to_numpy(dtype=np.float64), _SMALLEST))
    chosen = genes["chosen"].to_numpy(dtype=bool)

    def paint(figure: Figure) -> None:
        ax = figure.subplots()
        grid(ax)
        ax.plot(effect[~chosen], height[~chosen], ".", color=QUIET, markersize=2.5, alpha=0.5, rasterized=True)
        ax.plot(effect[chosen], height[chosen], "o", color=STRONG, markersize=3.5)
        for i in range(min(_NAMED, len(genes))):
            ax.annotate(
                str(genes["gene"].iloc[i]),
                (effect[i], height[i]),
                textcoords="offset points",
                xytext=(3, 2),
                fontsize=6.5,
            )
        ax.axvline(0, color=REFERENCE, linewidth=0.7)
        ax.set(xlabel="effect of one standard deviation", ylabel="-log10 p")

    first = ", ".join(map(str, genes["gene"].head(5)))
    words = f"{int(chosen.sum()):,} of {len(genes):,} genes below a false-discovery rate of {level:g}. First: {first}."
    return Picture("volcano", "Effects and p-values", words, 3.2, paint)


def coefficients_picture(genes: pd.DataFrame) -> Picture:
    """Coefficients of the chosen genes, largest first; known genes of the trait in the stronger colour."""
    chosen = genes[genes["chosen"]]
    shown = chosen.head(_MOST_BARS)

    def paint(figure: Figure) -> None:
        ax = figure.subplots()
        colours = [STRONG if known else PALETTE[0] for known in shown["known"]]
        ax.barh(range(len(shown)), shown["coefficient"].to_numpy(dtype=np.float64), color=colours, height=0.7)
        ax.set_yticks(range(len(shown)), [str(gene) for gene in shown["gene"]], fontsize=7.5)
        ax.invert_yaxis()
        ax.axvline(0, color=REFERENCE, linewidth=0.7)
        ax.set_xlabel("coefficient of one standard deviation")
        if shown.empty:
            ax.text(0.5, 0.5, "no gene was chosen", transform=ax.transAxes, ha="center", va="center")

    known = int(chosen["known"].sum())
    more = f"; the first {_MOST_BARS} are shown" if len(chosen) > _MOST_BARS else ""
    words = f"{len(chosen)} genes chosen, {known} of them known for the trait{more}."
    return Picture("coefficients", "Coefficients of the chosen genes", words, 1.0 + 0.16 * max(4, len(shown)), paint)
