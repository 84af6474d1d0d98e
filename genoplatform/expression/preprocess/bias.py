"""Whether a variable is too lopsided to be used. Source: expression.md B.10."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genoplatform.settings.expression import ExpressionSettings


def is_binary(values: npt.NDArray[np.float64]) -> bool:
    """Exactly two distinct values, as the benchmark judges."""
    return len(np.unique(values[~np.isnan(values)])) == 2


def binary_is_biased(values: npt.NDArray[np.float64], settings: ExpressionSettings) -> bool:
    """Fewer than two labels, or a rarer label with a share below 10 % and fewer than 5 samples (both)."""
    _, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(counts) < 2:
        return True
    rarer = int(counts.min())
    return bool(rarer / counts.sum() < settings.rare_share and rarer < settings.rare_count)


def continuous_is_biased(values: npt.NDArray[np.float64]) -> bool:
    """A single value only."""
    observed = values[~np.isnan(values)]
    return bool(observed.size and observed.min() == observed.max())
