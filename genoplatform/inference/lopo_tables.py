"""Leave-one-paper-out as named tables: what the asset `eval/inference/lopo` holds.

Here: finding the two arms of a system among the ranks, and comparing them. Not here: the comparison (`lopo.py`), or
reading released files. The arms of system S are ranked as S_control and S_lopo.
"""

from __future__ import annotations

import pandas as pd

from genoplatform.inference.empty_tables import with_empty
from genoplatform.inference.lopo import DEPTHS, arm_against_systems, lopo_comparison
from genoplatform.inference.panel import N_DRAWS, SEED

CONTROL, LEFT_OUT = "_control", "_lopo"
_TEST = ("delta", "lo", "hi", "b", "c", "p_mcnemar", "p_cluster")
_RATES = tuple(f"{arm}_top{k}" for arm in ("control", "left_out") for k in DEPTHS)
COLUMNS = {
    "comparison": ("subset", "n", "n_publications", *_RATES, *_TEST, "source_in_pool"),
    "against_systems": ("system", "subset", "n", *_TEST),
}


def lopo_tables(
    cases: pd.DataFrame,
    ranks: pd.DataFrame,
    leaks: pd.DataFrame,
    *,
    system: str = "S",
    draws: int = N_DRAWS,
    seed: int = SEED,
) -> tuple[dict[str, pd.DataFrame], dict[str, int | str]]:
    """Compare a system's two arms, and the arm without the publication with every other system.

    Args:
        cases: the case table: case_id, cluster, exposed, category.
        ranks: system, case_id, rank of every system, the arms among them.
        leaks: system, case_id, source_in_causal_pool; of any system.
        system: the one whose arms are compared.
        draws: bootstrap draws and permutations. seed: of both.

    Returns:
        Tables comparison and against_systems (`COLUMNS`; empty where an arm has no ranks), and a report: cases of each
        arm without a rank and without a leak record, or why nothing was compared.
    """
    arms = {suffix: ranks[ranks["system"] == system + suffix] for suffix in (CONTROL, LEFT_OUT)}
    if missing := [system + suffix for suffix, arm in arms.items() if arm.empty]:
        return no_lopo_tables(), {"not compared": f"the release has no rankings of {', '.join(missing)} on these lists"}
    known = leaks[leaks["system"] == system]
    others = ranks[~ranks["system"].isin([system + CONTROL, system + LEFT_OUT])]
    found = {
        "comparison": lopo_comparison(cases, arms[CONTROL], arms[LEFT_OUT], None if known.empty else known, draws, seed)
    }
    if not others.empty:
        found["against_systems"] = arm_against_systems(cases, arms[LEFT_OUT], others, draws, seed)
    report: dict[str, int | str] = {
        f"{system}{suffix}: cases without a rank": int(arm["rank"].isna().sum()) for suffix, arm in arms.items()
    }
    report["cases without a leak record"] = int((~cases["case_id"].isin(known["case_id"])).sum())
    return with_empty(found, COLUMNS), report


def no_lopo_tables() -> dict[str, pd.DataFrame]:
    """The same tables without a row, for a profile without a release."""
    return with_empty({}, COLUMNS)
