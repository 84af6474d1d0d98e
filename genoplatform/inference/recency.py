"""Does a system do worse on cases published after the knowledge it was built from?

Belongs here: the rates before and after the boundary with the shift after - before, over all cases and within
the overlap-absent ones, where recency is not confounded with curation. Does not belong here: paired contrasts of
two systems by period (`contrast.py`), or dating publications (cohort).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.inference.overlap_shift import overlap_shift
from genoplatform.inference.panel import N_DRAWS, SEED, Panel


def recency_shifts(panel: Panel, draws: int = N_DRAWS, seed: int = SEED) -> pd.DataFrame:
    """Rates by period and their difference, both recomputed in each draw of all publications.

    Args:
        panel: balanced panel with the case column recent (1 = at or after the boundary).
        draws: cluster bootstrap draws.
        seed: bootstrap seed.

    Returns:
        system, scope ("all" or "overlap_absent"; a scope that lacks a period is left out), n_before, n_after,
        before, after, shift, lo, hi.
    """
    recent = panel.column("recent")
    scopes = {"all": (panel, recent), "overlap_absent": (panel.where(panel.absent), recent[panel.absent])}
    tables = []
    for scope, (part, flag) in scopes.items():
        if 0 < flag.sum() < len(flag):
            table = overlap_shift(part.hits, part.systems, 1.0 - flag, part.cases["cluster"], draws=draws, seed=seed)
            tables.append(table.assign(scope=scope))
    names = {"n_present": "n_before", "n_absent": "n_after", "present": "before", "absent": "after"}
    columns = ["system", "scope", *names.values(), "shift", "lo", "hi"]
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat(tables, ignore_index=True).rename(columns=names)[columns]
