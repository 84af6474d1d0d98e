"""Fused systems of a cohort: ranks of the causal gene under every declared fusion, and its decontaminated counterpart.

Here: which pairs are fused, and the ranks table. Not here: fusing (fusion.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.fusion import candidate_ranks, fuse
from genoplatform.prioritisation.listed_ranks import listed_ranks, mark_causal
from genoplatform.prioritisation.systems import DECONTAMINATED


class Fusion(NamedTuple):
    """Two systems fused under a name; the first one's rank orders equal fused scores."""

    name: str
    first: str
    second: str


def fused_ranks(scored: pd.DataFrame, candidates: pd.DataFrame, fusions: Sequence[Fusion]) -> pd.DataFrame:
    """Rank of the causal gene in every fused list.

    Args:
        scored: SCORED_COLUMNS of all systems.
        candidates: case_id, candidate_genes, causal_index; one row per case.
        fusions: what to fuse. Where both systems have a decontaminated counterpart, those are fused too.

    Returns:
        The ranks table; a system's candidates rank by score, equal ones in list order.

    Raises:
        SettingsError: a fusion of a system that was not scored.
    """
    by_system = {str(name): part for name, part in scored.groupby("system", sort=True)}
    size = int(candidates["candidate_genes"].map(len).max())
    tables = []
    for fusion in fusions:
        if missing := {fusion.first, fusion.second} - set(by_system):
            hint = f"one of {', '.join(by_system) or 'none'}"
            raise SettingsError(f"fusing into {fusion.name!r}", f"no scores of {sorted(missing)}", hint)
        for suffix in ("", DECONTAMINATED):
            parts = [by_system.get(name + suffix) for name in (fusion.first, fusion.second)]
            if any(part is None for part in parts):
                continue
            first, second = (candidate_ranks(part) for part in parts if part is not None)
            lists = mark_causal(fuse(first, second, system=fusion.name + suffix), candidates)
            tables.append(listed_ranks(lists, candidates["case_id"].tolist(), list_size=size))
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()
