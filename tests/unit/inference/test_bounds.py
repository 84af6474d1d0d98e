from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genoplatform.errors import BadInputError
from genoplatform.inference.bounds import bounds_from_cases, bounds_from_totals
from genoplatform.inference.mcnemar import discordant_counts, mcnemar_exact

outcome = st.sampled_from([0.0, 1.0, float("nan")])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(outcome, outcome), min_size=1, max_size=5))
def test_bounds_equal_the_extremes_over_every_completion(pairs):
    data = np.array(pairs)
    gaps = np.argwhere(np.isnan(data))
    deltas, ps = [], []
    for filling in product([0.0, 1.0], repeat=len(gaps)):
        full = data.copy()
        full[tuple(gaps.T)] = filling
        b, c = discordant_counts(full[:, 0], full[:, 1])
        deltas.append((b - c) / len(data))
        ps.append(mcnemar_exact(b, c))
    bounds = bounds_from_cases(data[:, 0], data[:, 1])
    assert (bounds.delta_min, bounds.delta_max) == pytest.approx((min(deltas), max(deltas)))
    assert (bounds.p_min, bounds.p_max) == pytest.approx((min(ps), max(ps)))
    assert bounds.n_unknown == int(np.isnan(data).any(axis=1).sum())


@pytest.mark.parametrize(("a", "b", "n"), [(3, 2, 4), (0, 0, 3), (4, 4, 4), (4, 1, 5)])
def test_totals_bounds_equal_the_extremes_over_every_arrangement(a, b, n):
    ps = []
    for left, right in product(product([0, 1], repeat=n), repeat=2):
        if sum(left) == a and sum(right) == b:
            ps.append(mcnemar_exact(*discordant_counts(left, right)))
    bounds = bounds_from_totals(a, b, n)
    assert (bounds.p_min, bounds.p_max) == pytest.approx((min(ps), max(ps)))
    assert bounds.delta_min == bounds.delta_max == (a - b) / n


def test_impossible_input_is_refused():
    with pytest.raises(BadInputError):
        bounds_from_totals(5, 1, 4)
    with pytest.raises(BadInputError):
        bounds_from_cases([0.0, 2.0], [1.0, 1.0])
