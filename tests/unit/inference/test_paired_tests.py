"""McNemar's exact test and the adjustments, against numbers worked out by hand."""

import pytest

from genoplatform.errors import BadInputError
from genoplatform.inference.mcnemar import discordant_counts, mcnemar_exact
from genoplatform.inference.multiplicity import benjamini_hochberg, holm


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 * 1/2
        (5, 0, 2 / 32),
        (4, 1, 2 * (1 + 5) / 32),
        (1, 4, 2 * (1 + 5) / 32),
        (3, 3, 1.0),  # 2 * P(X <= 3) of Binomial(6) is above 1
        (16, 0, 2 / 2**16),
    ],
)
def test_mcnemar_exact(b, c, p):
    assert mcnemar_exact(b, c) == pytest.approx(p, rel=1e-13)


def test_discordant_counts():
    assert discordant_counts([1, 1, 1, 0, 0], [1, 0, 0, 1, 0]) == (2, 1)


def test_negative_counts_are_refused():
    with pytest.raises(BadInputError):
        mcnemar_exact(-1, 3)


def test_holm_and_bh_by_hand():
    p = {"a": 0.04, "b": 0.01, "c": 0.03, "d": 0.5}
    # Holm: .01*4, .03*3, max(.04*2, .09), max(.5, .09). BH: .01*4/1, min(.03*4/2, .04*4/3, .5) = .0533, .0533, .5
    assert holm(p) == pytest.approx({"a": 0.09, "b": 0.04, "c": 0.09, "d": 0.5})
    assert benjamini_hochberg(p) == pytest.approx({"a": 0.16 / 3, "b": 0.04, "c": 0.16 / 3, "d": 0.5})


def test_adjusted_values_stop_at_one_and_empty_families_are_fine():
    assert holm({"a": 0.7, "b": 0.6}) == {"a": 1.0, "b": 1.0}
    assert benjamini_hochberg({"a": 1.0}) == {"a": 1.0}
    assert (holm({}), benjamini_hochberg({})) == ({}, {})


@pytest.mark.parametrize("bad", [1.2, -0.1, float("nan")])
def test_what_is_no_probability_is_refused(bad):
    with pytest.raises(BadInputError):
        holm({"a": bad})
