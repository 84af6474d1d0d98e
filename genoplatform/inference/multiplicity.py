"""Adjusted p-values inside one family of tests: Holm (family-wise error) and Benjamini-Hochberg (false discoveries).

Belongs here: the adjustments, on plain mappings. Does not belong here: which contrasts make a family.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from genoplatform.errors import BadInputError


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down: the i-th smallest p (i from 0) times (m - i), running maximum, at most 1.

    Args:
        p_values: name -> raw p.

    Returns:
        name -> adjusted p, in the order given.
    """
    p, order = _ordered(p_values)
    m = len(p)
    stepped = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(m, 0, -1)))
    return _named(p_values, stepped, order)


def benjamini_hochberg(p_values: Mapping[str, float]) -> dict[str, float]:
    """Benjamini-Hochberg's step-up: the i-th smallest p (i from 1) times m / i, running minimum down, at most 1.

    Args:
        p_values: name -> raw p.

    Returns:
        name -> adjusted p, in the order given.
    """
    p, order = _ordered(p_values)
    m = len(p)
    scaled = p[order] * m / np.arange(1, m + 1)
    stepped = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    return _named(p_values, stepped, order)


def _ordered(p_values: Mapping[str, float]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    p = np.array(list(p_values.values()), dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise BadInputError("adjusting p-values", f"not all of {dict(p_values)} lie between 0 and 1")
    return p, np.argsort(p, kind="stable")


def _named(p_values: Mapping[str, float], stepped: NDArray[np.float64], order: NDArray[np.intp]) -> dict[str, float]:
    adjusted = np.empty(len(stepped))
    adjusted[order] = stepped
    return {name: float(value) for name, value in zip(p_values, adjusted, strict=True)}
