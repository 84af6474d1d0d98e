"""Picture: samples on their first two principal components, coloured by the trait and by what else is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import eigh

from genoplatform.expression.pictures.picture import PALETTE, SHAPES, Picture, grid
from genoplatform.expression.statistics.arrays import Floats, Scaling

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL, _LEGEND = 2.6, 8


def principal_components(x: Floats, count: int = 2) -> tuple[Floats, Floats]:
    """Scores (n, count) of z-scored genes and the share of variance of each component; signs fixed."""
    scaled = Scaling.of(x).apply(x)
    count = min(count, len(x))
    values, vectors = eigh(scaled @ scaled.T)
    values, vectors = np.maximum(values[::-1][:count], 0.0), vectors[:, ::-1][:, :count]
    # A component's sign is arbitrary; the sample farthest out is put on the positive side.
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(count)])
    total = float((scaled**2).sum())
    return vectors * signs * np.sqrt(values), values / total if total else np.zeros(count)


def components_picture(x: Floats, labels: Mapping[str, Sequence[object]]) -> Picture:
    """One panel a label.

    Args:
        x: genes, shape (n, p). labels: name -> label or number of each sample; missing ones are None or NaN.
    """
    scores, shares = principal_components(x)

    def paint(figure: Figure) -> None:
        axes = figure.subplots(len(labels), 1, squeeze=False)[:, 0]
        for ax, (name, values) in zip(axes, labels.items(), strict=True):
            _panel(ax, scores, name, values)
            ax.set_ylabel(f"component 2 ({shares[1]:.0%})" if len(shares) > 1 else "")
        axes[-1].set_xlabel(f"component 1 ({shares[0]:.0%} of variance)")

    said = "; ".join(f"{name}: {_separation(scores[:, 0], values)}" for name, values in labels.items())
    words = f"{len(x)} samples on two principal components ({shares[0]:.0%} and {shares[-1]:.0%} of variance). {said}."
    return Picture("components", "Samples by principal components", words, _PANEL * len(labels) + 0.3, paint)


def _panel(ax: Axes, scores: Floats, name: str, values: Sequence[object]) -> None:
    ax.set_title(name)
    grid(ax)
    y = scores[:, 1] if scores.shape[1] > 1 else np.zeros(len(scores))
    kinds = sorted({_text(value) for value in values})
    if len(kinds) > _LEGEND and _numeric(values):
        marks = ax.scatter(scores[:, 0], y, c=np.array(values, dtype=np.float64), cmap="viridis", s=16)
        ax.figure.colorbar(marks, ax=ax, shrink=0.8)
        return
    for i, kind in enumerate(kinds):
        here = np.array([_text(value) == kind for value in values])
        colour, shape = PALETTE[i % len(PALETTE)], SHAPES[(i + i // len(PALETTE)) % len(SHAPES)]
        label = f"{kind} ({here.sum()})" if i < _LEGEND else None
        ax.plot(scores[here, 0], y[here], shape, color=colour, markersize=4, alpha=0.8, label=label)
    title = None if len(kinds) <= _LEGEND else f"first {_LEGEND} of {len(kinds)}"
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7.5, title=title, title_fontsize=7.5)


def _separation(first: Floats, values: Sequence[object]) -> str:
    """Share of the first component's variance that lies between the labels."""
    if len({_text(value) for value in values}) > _LEGEND and _numeric(values):
        known = np.array([float(str(value)) for value in values])
        there = ~np.isnan(known)
        return f"correlation with component 1 {np.corrcoef(first[there], known[there])[0, 1]:+.2f}"
    codes = np.unique([_text(value) for value in values], return_inverse=True)[1]
    between = sum((codes == i).sum() * (first[codes == i].mean() - first.mean()) ** 2 for i in range(codes.max() + 1))
    total = ((first - first.mean()) ** 2).sum()
    return f"{between / total if total else 0.0:.0%} of component 1 lies between groups"


def _numeric(values: Sequence[object]) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "not known"
    return f"{value:g}" if isinstance(value, int | float) else str(value)
