"""Stability selection: how often a gene is chosen when half of the samples are drawn again and again.

Complementary halves (Shah & Samworth 2013) of persons, not samples, with classes kept in proportion. The bound on
falsely stable genes is Meinshausen & Buehlmann's (2010): q^2 / ((2 threshold - 1) p).
Belongs here: frequencies and the bound. Does not belong here: the choice of the penalty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from genoplatform.expression.statistics.arrays import Floats, Samples, is_binary
from genoplatform.expression.statistics.folds import balanced_folds
from genoplatform.expression.statistics.linear_model import Fitter


@dataclass(frozen=True)
class Stability:
    """Selection frequencies.

    Attributes:
        frequency: share of half-samples in which each gene was chosen, shape (p,).
        halves: how many half-samples. mean_chosen: genes chosen a half-sample.
    """

    frequency: Floats
    halves: int
    mean_chosen: float

    def expected_false(self, threshold: float) -> float:
        """Upper bound of the expected number of falsely stable genes at a frequency of at least `threshold` (> 0.5)."""
        return self.mean_chosen**2 / ((2 * threshold - 1) * len(self.frequency))


def stability(
    fitter: Fitter, samples: Samples, penalty: float,
    *, pairs: int = 50, seed: int = 42,
) -> Stability:  # fmt: skip
    """Fit on both halves of `pairs` random splits at one penalty.

    Args:
        fitter: model. samples: all rows. penalty: at which genes are chosen.
        pairs: splits, two fits each. seed: of the splits.
    """
    y = samples.y
    count, chosen, fitted = np.zeros(samples.x.shape[1]), 0, 0
    for i in range(pairs):
        for fold in balanced_folds(y, samples.groups, 2, seed=seed + i):
            if is_binary(y) and not is_binary(y[fold.train]):
                continue
            model = fitter(samples.take(fold.train), [penalty])[0]
            count[model.chosen] += 1
            chosen += len(model.chosen)
            fitted += 1
    return Stability(count / max(1, fitted), fitted, chosen / max(1, fitted))
