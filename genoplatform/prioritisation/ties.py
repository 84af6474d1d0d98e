"""Rank of one item among scored candidates, and what equal scores do to it.

Here: the tie rules of the published systems and the neutral ones. Not here: where scores come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from genoplatform.errors import SettingsError

TieRule = Literal["candidate_order", "alphabetical", "mean", "worst", "best"]
TIE_RULES: tuple[TieRule, ...] = get_args(TieRule)


def check_tie_rule(rule: str) -> TieRule:
    """Return `rule` if it is one of TIE_RULES, else raise SettingsError."""
    if rule not in TIE_RULES:
        raise SettingsError("choosing a tie rule", repr(rule), "one of " + ", ".join(TIE_RULES))
    return rule


def rank_of(
    scores: NDArray[np.float64],
    target: NDArray[np.intp],
    rule: TieRule,
    symbols: Sequence[Sequence[str]] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rank of one candidate per case, highest score first, and the size of its tie block.

    candidate_order: the earlier in the list wins (LIRICAL, Resnik and the plain model in the published
    comparison). alphabetical: the smaller symbol wins (Exomiser). mean: the middle of the block (may be .5).
    worst, best: the block's end and start.

    Args:
        scores: [n_cases, n_candidates]; NaN = not scored, behind every score.
        target: column of the ranked candidate, [n_cases]; -1 = absent from the list.
        rule: how equal scores are ordered.
        symbols: candidate symbols in the shape of `scores`; needed by "alphabetical" only.

    Returns:
        Ranks [n_cases] from 1 (NaN = absent or not scored) and block sizes [n_cases] (1 = alone, 0 = NaN rank).
    """
    check_tie_rule(rule)
    present = target >= 0
    at = np.where(present, target, 0)
    own = np.take_along_axis(scores, at[:, None], axis=1)
    above = (scores > own).sum(axis=1)
    equal = scores == own
    tied = equal.sum(axis=1)
    rank = np.asarray(above + _place(equal, tied, at, rule, symbols), dtype=np.float64)
    ranked = present & ~np.isnan(own[:, 0])
    return np.where(ranked, rank, np.nan), np.where(ranked, tied, 0).astype(np.int64)


def _place(
    equal: NDArray[np.bool_],
    tied: NDArray[np.intp],
    at: NDArray[np.intp],
    rule: TieRule,
    symbols: Sequence[Sequence[str]] | None,
) -> NDArray[np.float64]:
    """Place within the tie block, from 1, [n_cases]."""
    if rule == "best":
        return np.ones(len(at))
    if rule == "worst":
        return tied.astype(np.float64)
    if rule == "mean":
        return np.asarray((tied + 1) / 2, dtype=np.float64)
    if rule == "candidate_order":
        ahead = np.arange(equal.shape[1]) < at[:, None]
    else:
        if symbols is None:
            raise SettingsError("ranking with the alphabetical tie rule", "no symbols", "pass symbols")
        names = np.asarray(symbols, dtype=np.str_)
        ahead = names < np.take_along_axis(names, at[:, None], axis=1)
    return np.asarray(1.0 + (equal & ahead).sum(axis=1), dtype=np.float64)
