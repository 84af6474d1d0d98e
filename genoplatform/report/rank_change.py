"""Where exposed cases end up without their own publication, by how much of the causal gene's evidence goes with it.

Belongs here: binning ranks and shares, counting. Does not belong here: drawing (plot_rank_change).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from genoplatform.report.systems import Pair

RANK_BINS = ("1st", "2nd to 5th", "6th to 10th", "below 10th", "not ranked")
SHARE_BINS = ("none", "up to ¼", "¼ to ½", "½ to ¾", "over ¾", "all")
_RANK_ENDS = [-np.inf, 1.0, 5.0, 10.0, np.inf]


@dataclass(frozen=True)
class RankChange:
    """Counts of exposed cases by bin of the causal gene's rank (columns `RANK_BINS`).

    before, after: one row each. by_share: after removal, a row per share of the gene's annotations removed, in the
    order of `SHARE_BINS`, empty ones left out. lower, same, higher: cases by direction of the change of rank.
    """

    before: pd.Series
    after: pd.Series
    by_share: pd.DataFrame
    lower: int
    same: int
    higher: int


def rank_change(ranks: pd.DataFrame, cases: pd.DataFrame, removed: pd.DataFrame, pair: Pair) -> RankChange | None:
    """Compare a system with its counterfactual on the exposed cases that both have.

    Args:
        ranks: system, case_id, rank (NaN = not ranked, which is below every rank). cases: case_id, exposed.
        removed: case_id, causal_terms, causal_terms_removed.
        pair: the two systems.

    Returns:
        The counts, or None without a counterfactual or without exposed cases.
    """
    exposed = cases.loc[cases["exposed"] == 1, "case_id"]
    wide = ranks[ranks["case_id"].isin(exposed)].pivot(index="case_id", columns="system", values="rank")
    if pair.removed is None or wide.empty:
        return None
    before, after = (rank_bins(wide[system]) for system in (pair.base, pair.removed))
    was, now = wide[pair.base].fillna(np.inf), wide[pair.removed].fillna(np.inf)
    share = share_bins(removed.set_index("case_id").reindex(wide.index))
    by_share = pd.crosstab(share, after, dropna=False).reindex(SHARE_BINS, fill_value=0)
    by_share = by_share.reindex(columns=list(RANK_BINS), fill_value=0)
    return RankChange(
        before=before.value_counts().reindex(RANK_BINS, fill_value=0),
        after=after.value_counts().reindex(RANK_BINS, fill_value=0),
        by_share=by_share[by_share.sum(axis=1) > 0],
        lower=int((now > was).sum()),
        same=int((now == was).sum()),
        higher=int((now < was).sum()),
    )


def rank_bins(ranks: pd.Series) -> pd.Series:
    """Bin of every rank; halves from mean ties belong to the next bin (1.5 is not first)."""
    bins = pd.cut(ranks, _RANK_ENDS, labels=list(RANK_BINS[:-1])).astype("str")
    return bins.where(ranks.notna(), RANK_BINS[-1])


def share_bins(removed: pd.DataFrame) -> pd.Series:
    """Bin of the share of the causal gene's annotations that went; a gene that had none lost none."""
    had, lost = removed["causal_terms"].fillna(0), removed["causal_terms_removed"].fillna(0)
    share = (lost / had.where(had > 0)).fillna(0.0)
    bins = pd.cut(share, [0.0, 0.25, 0.5, 0.75, 1.0], labels=list(SHARE_BINS[1:5])).astype("str")
    return bins.mask(share == 0, SHARE_BINS[0]).mask(share == 1, SHARE_BINS[-1])


def emptied(removed: pd.DataFrame, cases: pd.DataFrame) -> int:
    """Exposed cases whose causal gene keeps no annotation at all."""
    exposed = cases.loc[cases["exposed"] == 1, "case_id"]
    own = removed[removed["case_id"].isin(exposed)]
    return int(((own["causal_terms"] > 0) & (own["causal_terms_removed"] == own["causal_terms"])).sum())
