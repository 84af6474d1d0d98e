"""Pictures: how p-values of all genes are spread, against what chance alone would give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from genoplatform.expression.pictures.picture import PALETTE, REFERENCE, Picture, grid
from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.mixed_test import inflation_factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BINS = 20
_SMALLEST = 1e-300


def histogram_picture(p: Floats) -> Picture:
    """Histogram of p-values with the flat line of no effect at all."""
    counts, edges = np.histogram(p, bins=_BINS, range=(0.0, 1.0))
    flat = len(p) / _BINS

    def paint(figure: Figure) -> None:
        ax = figure.subplots()
        ax.bar(edges[:-1], counts, width=1.0 / _BINS, align="edge", color=PALETTE[0], edgecolor="white", linewidth=0.6)
        ax.axhline(flat, color=REFERENCE, linestyle="--", linewidth=1.0, label="no effects at all")
        ax.set(xlim=(0, 1), xlabel="p-value", ylabel="genes")
        ax.legend(loc="upper right")

    words = f"{len(p):,} p-values; {counts[0]:,} below 0.05, where {flat:,.0f} are expected by chance."
    return Picture("p_values", "p-values of all genes", words, 2.4, paint)


def qq_picture(screens: Mapping[str, Floats]) -> Picture:
    """Observed against expected p-values on the log scale, with the inflation factor of each screen.

    Args:
        screens: name -> p-values of all genes.
    """
    factors = {name: inflation_factor(p) for name, p in screens.items()}

    def paint(figure: Figure) -> None:
        ax = figure.subplots()
        most = 0.0
        for i, (name, p) in enumerate(screens.items()):
            expected, observed = _quantiles(p)
            most = max(most, float(expected.max(initial=0.0)))
            label = f"{name}, inflation {factors[name]:.2f}"
            ax.plot(expected, observed, ".", color=PALETTE[i], markersize=3, label=label)
        ax.plot([0, most], [0, most], color=REFERENCE, linewidth=1.0, linestyle="--")
        ax.set(xlabel="expected -log10 p", ylabel="observed -log10 p")
        grid(ax)
        ax.legend(loc="upper left", fontsize=8)

    said = ", ".join(f"{name} {factor:.2f}" for name, factor in factors.items())
    words = f"Observed against expected p-values. Inflation factor (1 is none): {said}."
    return Picture("qq", "Observed against expected p-values", words, 3.2, paint)


def _quantiles(p: Floats) -> tuple[Floats, Floats]:
    ordered = np.sort(np.maximum(p, _SMALLEST))
    expected = -np.log10((np.arange(len(ordered)) + 0.5) / max(1, len(ordered)))
    return expected, -np.log10(ordered)
