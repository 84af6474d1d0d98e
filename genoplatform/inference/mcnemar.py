"""McNemar's exact test of paired hits. It takes cases as independent; `contrast` shows it beside the clustered test.

Belongs here: discordant counts and the exact binomial p. Does not belong here: tests that know about clusters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from genoplatform.errors import BadInputError


def discordant_counts(hit_a: ArrayLike, hit_b: ArrayLike) -> tuple[int, int]:
    """Cases only A hits (b) and cases only B hits (c), from two [n_cases] arrays of 0/1."""
    a, b = np.asarray(hit_a, dtype=bool), np.asarray(hit_b, dtype=bool)
    return int((a & ~b).sum()), int((~a & b).sum())


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact p: min(1, 2 P(Binomial(b + c, 1/2) <= min(b, c))), and 1 without discordant cases.

    Raises:
        BadInputError: a negative count.
    """
    if min(b, c) < 0:
        raise BadInputError("testing paired hits", f"discordant counts {b} and {c}", "counts start at 0")
    if b + c == 0:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(b, c), b + c, 0.5)))
