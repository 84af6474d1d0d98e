"""Picture: where values are missing before they are filled in, by gene and by sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from genoplatform.expression.pictures.picture import PALETTE, REFERENCE, Picture, grid
from genoplatform.expression.statistics.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def missing_picture(values: Floats, gene_limit: float, sample_limit: float) -> Picture:
    """Missing shares, sorted, of genes and of samples, with the limits above which they are dropped.

    Args:
        values: genes x samples, NaN where missing. gene_limit, sample_limit: shares.
    """
    gone = np.isnan(values)
    sides = {
        "genes": (np.sort(gone.mean(axis=1))[::-1] if gone.size else np.zeros(0), gene_limit),
        "samples": (np.sort(gone.mean(axis=0))[::-1] if gone.size else np.zeros(0), sample_limit),
    }

    def paint(figure: Figure) -> None:
        axes = figure.subplots(1, 2)
        for ax, (name, (shares, limit)) in zip(axes, sides.items(), strict=True):
            ax.fill_between(np.arange(len(shares)), 100.0 * shares, step="mid", color=PALETTE[0], linewidth=0)
            ax.axhline(100.0 * limit, color=REFERENCE, linestyle="--", linewidth=1.0)
            ax.set(xlabel=f"{name}, sorted", ylabel="missing, %", ylim=(0, 100), title=name)
            grid(ax)

    total = float(gone.mean()) if gone.size else 0.0
    over = {name: int((shares > limit).sum()) for name, (shares, limit) in sides.items()}
    words = f"{total:.2%} of values missing; above their limits: {over['genes']} genes, {over['samples']} samples."
    return Picture("missing", "Missing values before filling", words, 2.3, paint)
