"""A picture before it is drawn: what to paint, how tall, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, told apart by the common forms of colour blindness.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#52606d")
SHAPES = ("o", "D", "s", "^", "v", "P", "X", "*")
QUIET, STRONG, REFERENCE = "#9aa5b1", "#d55e00", "#52606d"


@dataclass(frozen=True)
class Picture:
    """What `report.canvas.draw` needs.

    Attributes:
        name: file name without suffix. title: for people. words: what it shows, with its numbers.
        height: inches. paint: draws on an empty figure.
    """

    name: str
    title: str
    words: str
    height: float
    paint: Callable[[Figure], None]


def grid(ax: Axes) -> None:
    """A light grid behind the marks."""
    ax.grid(visible=True, linewidth=0.5)
    ax.tick_params(length=0)
