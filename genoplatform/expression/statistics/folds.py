"""Cross-validation folds: the benchmark's, and ones that keep a person's samples together and the classes balanced.

Belongs here: which rows are held out. Does not belong here: models or scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.arrays import Floats, Indices, is_binary

_BINS = 4


@dataclass(frozen=True)
class Fold:
    """Rows to train on and rows held out, both ascending (compat: held out in shuffled order)."""

    train: Indices
    test: Indices


def compat_folds(n: int, k: int = 5, seed: int = 42) -> list[Fold]:
    """The benchmark's folds (C.10): shuffled blocks of n // k rows; the left-overs are only ever trained on."""
    order = np.arange(n)
    np.random.RandomState(seed).shuffle(order)
    size = n // k
    blocks = [order[i * size : (i + 1) * size] for i in range(k)]
    return [Fold(np.setdiff1d(order, block), block) for block in blocks]


def balanced_folds(y: Floats, groups: Sequence[str] | None, k: int = 5, seed: int = 42) -> list[Fold]:
    """Folds that hold every row out once, never split a group, and spread classes and sizes evenly.

    Groups (single rows where there are none) are shuffled, taken from large to small, and each goes to the fold where
    it leaves class counts most even. A continuous target is balanced by quarters of its range.

    Args:
        y: target, shape (n,).
        groups: group of each row, or None.
        k: folds; fewer if there are fewer groups.
        seed: of the shuffle.

    Raises:
        BadInputError: fewer than two groups.
    """
    codes = np.arange(len(y)) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    n_groups = int(codes.max()) + 1 if len(codes) else 0
    k = min(k, n_groups)
    if k < 2:
        raise BadInputError(
            "making cross-validation folds", f"{n_groups} independent groups", "at least two are needed"
        )
    classes = _classes(y)
    counts = np.zeros((n_groups, classes.max() + 1))
    np.add.at(counts, (codes, classes), 1.0)
    shuffled = np.random.default_rng(seed).permutation(n_groups)
    order = shuffled[np.argsort(-counts[shuffled].sum(axis=1), kind="stable")]
    fold_of = np.empty(n_groups, dtype=np.intp)
    totals = np.zeros((k, counts.shape[1]))
    ideal = counts.sum(axis=0) / k
    for group in order:
        cost = (((totals + counts[group] - ideal) ** 2) - (totals - ideal) ** 2).sum(axis=1)
        chosen = int(np.argmin(cost))
        fold_of[group] = chosen
        totals[chosen] += counts[group]
    held_out = fold_of[codes]
    return [Fold(np.flatnonzero(held_out != i), np.flatnonzero(held_out == i)) for i in range(k)]


def leaking_groups(folds: Sequence[Fold], groups: Sequence[str] | None) -> int:
    """How many (fold, group) have samples both trained on and held out."""
    if groups is None:
        return 0
    names = np.asarray(groups)
    return sum(len(np.intersect1d(names[fold.train], names[fold.test])) for fold in folds)


def _classes(y: Floats) -> Indices:
    if is_binary(y):
        return np.asarray(np.unique(y, return_inverse=True)[1], dtype=np.intp)
    edges = np.quantile(y, np.arange(1, _BINS) / _BINS)
    return np.asarray(np.searchsorted(edges, y, side="right"), dtype=np.intp)
