"""A figure from paint function to bytes: style, palette, size and determinism in one place.

Belongs here: everything about drawing that no single plot decides. Does not belong here: data. Figures are built on
matplotlib's object API: no pyplot, no display, no user settings, no date or version in the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

from genoplatform.report.systems import EXPOSED, REMOVED, UNEXPOSED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["png", "svg"]

# Inches. Narrow enough to be read on a phone, where the page shows it at four fifths.
WIDTH = 4.3
INK, MUTED, RULE = "#1f2933", "#52606d", "#d5dbe1"
# Okabe and Ito's palette, told apart by the common forms of colour blindness; shapes differ as well.
COLOURS = {EXPOSED: "#d55e00", REMOVED: "#0072b2", UNEXPOSED: "#009e73"}
MARKERS = {EXPOSED: "o", REMOVED: "D", UNEXPOSED: "s"}

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.labelsize": 9.0,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "grid.color": RULE,
    "grid.linewidth": 0.7,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "genoplatform",
    "figure.facecolor": "white",
    "figure.dpi": 100,
}
_METADATA: dict[Format, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
}


def draw(paint: Callable[[Figure], None], height: float, *, width: float = WIDTH, fmt: Format = "png") -> bytes:
    """Bytes of the figure that `paint` fills; the same every time.

    Args:
        paint: draws on an empty figure.
        height: inches. width: inches.
        fmt: "png" (150 dots an inch) or "svg" (text as outlines, so that no font is needed).
    """
    import matplotlib  # noqa: PLC0415  only a drawn plot needs it
    from matplotlib.figure import Figure  # noqa: PLC0415

    buffer = BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(width, height), layout="constrained")
        paint(figure)
        figure.savefig(buffer, format=fmt, dpi=150, metadata=_METADATA[fmt])
    return buffer.getvalue()


def share_axis(ax: Axes, axis: Literal["x", "y"], label: str = "") -> None:
    """Make an axis run from 0 to 100 %, with a grid."""
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    ax.set(**{f"{axis}lim": (-0.02, 1.02), f"{axis}ticks": ticks, f"{axis}label": label})
    ax.set(**{f"{axis}ticklabels": [f"{tick:.0%}".replace("%", " %") for tick in ticks]})
    ax.grid(visible=True, axis=axis)
    ax.tick_params(axis=axis, length=0)


def row_axis(ax: Axes, labels: Sequence[str]) -> None:
    """Make the y axis a list of rows, the first on top."""
    ax.set(yticks=range(len(labels)), yticklabels=labels, ylim=(len(labels) - 0.5, -0.5))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)


def beside(ax: Axes, row: float, text: str) -> None:
    """Write a row's value to the right of the axes."""
    ax.text(1.03, row, text, transform=ax.get_yaxis_transform(), va="center", ha="left", fontsize=8.5)


def interval(ax: Axes, x: tuple[float, float], y: tuple[float, float], colour: str) -> None:
    """Draw an interval as a band that shows on both sides of its point, however narrow it is."""
    ax.plot(x, y, color=colour, linewidth=9.0, alpha=0.35, solid_capstyle="butt", zorder=3)


def point(ax: Axes, x: float, y: float, group: str) -> None:
    """Draw the value of a group of cases."""
    ax.plot([x], [y], MARKERS[group], color=COLOURS[group], markersize=4.5, zorder=4)


def stacked(figure: Figure, heights: Sequence[float]) -> list[Axes]:
    """One axes below the other, with these relative heights."""
    grid = figure.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": list(heights)})
    return list(grid[:, 0])
