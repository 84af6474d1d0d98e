"""Leave-one-paper-out: the same system with and without the case's own publication in its sources.

Belongs here: the paired comparison of the two arms, by overlap and by category, and of one arm with other
systems. Does not belong here: running the arms. `delta` is control - left-out: what the publication was worth.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.inference.contrast import contrasts
from genoplatform.inference.panel import N_DRAWS, SEED, BoolArray
from genoplatform.inference.resampling import FloatArray

DEPTHS = (1, 5, 10)


def lopo_comparison(
    cases: pd.DataFrame,
    control: pd.DataFrame,
    left_out: pd.DataFrame,
    leaks: pd.DataFrame | None = None,
    draws: int = N_DRAWS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Compare the two arms in the full cohort, by overlap, and by category.

    Args:
        cases: case_id, cluster, exposed, and category where wanted.
        control: case_id, rank of the arm that sees everything (missing case or rank = miss).
        left_out: case_id, rank of the arm without the case's publication.
        leaks: case_id, source_in_causal_pool (bool): whether the publication was among the causal gene's
            retrieved passages.
        draws: bootstrap draws and permutations.
        seed: of both.

    Returns:
        One row per subset: subset, n, n_publications, control_top{1,5,10}, left_out_top{1,5,10}, delta, lo, hi,
        b, c, p_mcnemar, p_cluster, source_in_pool (share; NaN without leaks).
    """
    ranks = np.column_stack([_aligned(cases, control, "control"), _aligned(cases, left_out, "left-out")])
    in_pool = _leak_flags(cases, leaks)
    rows = []
    for name, mask in _subsets(cases).items():
        shares = {
            f"{arm}_top{k}": float((ranks[mask, j] <= k).mean())
            for j, arm in enumerate(("control", "left_out"))
            for k in DEPTHS
        }
        test = _paired(ranks[mask], cases.loc[mask, "cluster"], draws, seed)
        n_publications = int(cases.loc[mask, "cluster"].nunique())
        head = {"subset": name, "n": int(mask.sum()), "n_publications": n_publications}
        rows.append({**head, **shares, **test, "source_in_pool": float(in_pool[mask].mean())})
    return pd.DataFrame(rows)


def arm_against_systems(
    cases: pd.DataFrame,
    arm: pd.DataFrame,
    ranks: pd.DataFrame,
    draws: int = N_DRAWS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Compare one arm with other systems' ranks (system, case_id, rank), full and by overlap.

    Returns:
        system, subset, n, delta (arm - system), lo, hi, b, c, p_mcnemar, p_cluster.
    """
    own = _aligned(cases, arm, "arm")
    rows = []
    for system, other in ranks.groupby("system", sort=False):
        pair = np.column_stack([own, _aligned(cases, other, str(system))])
        for name, mask in _subsets(cases.drop(columns="category", errors="ignore")).items():
            test = _paired(pair[mask], cases.loc[mask, "cluster"], draws, seed)
            rows.append({"system": system, "subset": name, "n": int(mask.sum()), **test})
    return pd.DataFrame(rows)


def _aligned(cases: pd.DataFrame, ranks: pd.DataFrame, what: str) -> FloatArray:
    if ranks["case_id"].duplicated().any():
        raise BadInputError("comparing leave-one-paper-out arms", f"{what}: a case appears twice")
    column = ranks.set_index("case_id")["rank"].reindex(cases["case_id"])
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def _leak_flags(cases: pd.DataFrame, leaks: pd.DataFrame | None) -> FloatArray:
    if leaks is None:
        return np.full(len(cases), np.nan)
    flags = leaks.set_index("case_id")["source_in_causal_pool"].reindex(cases["case_id"])
    return np.asarray(flags.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)


def _subsets(cases: pd.DataFrame) -> dict[str, BoolArray]:
    exposed = cases["exposed"].to_numpy(dtype=np.int64) == 1
    masks: dict[str, BoolArray] = {
        "full": np.ones(len(cases), dtype=bool),
        "overlap_present": exposed,
        "overlap_absent": ~exposed,
    }
    if "category" in cases.columns:
        for name in sorted(cases["category"].unique()):
            masks[f"category:{name}"] = (cases["category"] == name).to_numpy(dtype=bool)
    return {name: mask for name, mask in masks.items() if mask.any()}


def _paired(ranks: FloatArray, clusters: pd.Series[str], draws: int, seed: int) -> dict[str, float]:
    hits = (ranks <= 1).astype(np.float64)
    test = contrasts(hits, [(0, 1)], clusters, n_boot=draws, n_perm=draws, seed=seed)[0]
    return {
        "delta": test.delta,
        "lo": test.cluster_ci[0],
        "hi": test.cluster_ci[1],
        "b": test.b,
        "c": test.c,
        "p_mcnemar": test.p_mcnemar,
        "p_cluster": test.p_cluster,
    }
