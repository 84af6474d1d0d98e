"""Paired tests with the publication as the unit.

Belongs here: each publication's hit rate for two systems, the paired t-test and Wilcoxon's signed-rank test of
their differences. Does not belong here: tests on cases (`contrast.py`, `mcnemar.py`). A publication of 35 cases
counts here as much as one of a single case, so the sign of the difference may differ from the case level's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import ttest_rel, wilcoxon

from genoplatform.inference.groups import GroupSums
from genoplatform.inference.panel import Panel


def publication_tests(panel: Panel, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    """Test first - second over publications; pass the overlap-absent panel for the paper's figures.

    Returns:
        first, second, n_publications, n_discordant (publications whose rates differ), mean_first, mean_second,
        difference, t, t_p, wilcoxon, wilcoxon_p (scipy defaults; NaN where no publication is discordant).
    """
    sums = GroupSums(panel.groups)
    rates = sums.of(panel.hits) / sums.sizes[:, None]
    rows = []
    for first, second in pairs:
        a, b = rates[:, panel.index(first)], rates[:, panel.index(second)]
        discordant = int((np.abs(a - b) > 1e-12).sum())
        t = t_p = w = w_p = float("nan")
        if discordant:
            test, signed = ttest_rel(a, b), wilcoxon(a, b)
            t, t_p = float(test.statistic), float(test.pvalue)
            w, w_p = float(signed.statistic), float(signed.pvalue)
        rows.append(
            {
                "first": first,
                "second": second,
                "n_publications": sums.n_groups,
                "n_discordant": discordant,
                "mean_first": a.mean(),
                "mean_second": b.mean(),
                "difference": (a - b).mean(),
                "t": t,
                "t_p": t_p,
                "wilcoxon": w,
                "wilcoxon_p": w_p,
            }
        )
    return pd.DataFrame(rows)
