"""Linear or logarithmic: the rule that GEO2R applies before it compares groups, in one place.

Source: the R script GEO2R shows (quantiles 0, .25, .5, .75, .99, 1 of all values).
"""

from __future__ import annotations

import numpy as np

from genoplatform.expression.preprocess.mapping import Floats

_HIGH, _RANGE = 100.0, 50.0


def is_linear(values: Floats) -> bool:
    """Whether values are no logarithms: the 99th percentile is above 100, or the range above 50 from above 0."""
    observed = values[np.isfinite(values)]
    if observed.size == 0:
        return False
    low, quarter, upper, high = np.quantile(observed, [0.0, 0.25, 0.99, 1.0])
    return bool(upper > _HIGH or (high - low > _RANGE and quarter > 0))


def log2_if_linear(values: Floats) -> tuple[Floats, bool]:
    """Logarithms to base 2 of linear values, of others the values; not above 0 becomes missing, as does infinity."""
    values = np.where(np.isfinite(values), values, np.nan)
    if not is_linear(values):
        return values, False
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0, np.log2(values), np.nan), True
