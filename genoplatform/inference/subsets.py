"""The six subsets every result is shown on: by exposure (the overlap flag) and by publication year.

Belongs here: names, order and membership. Does not belong here: how exposure or the year of a case are found (cohort).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from genoplatform.errors import BadInputError

SUBSETS = ("full", "overlap_present", "overlap_absent", "pre2020", "post2020", "post2020_overlap_absent")
RECENT_FROM_YEAR = 2020

Mask = NDArray[np.bool_]


def subset_masks(n_cases: int, exposed: ArrayLike | None = None, recent: ArrayLike | None = None) -> dict[str, Mask]:
    """Membership of every case in each subset that the covariates allow.

    Args:
        n_cases: number of cases.
        exposed: [n_cases] 1, 0 or NaN (unknown: in no subset by exposure), or None.
        recent: [n_cases] 1 = published in 2020 or later, 0 = before, NaN = unknown, or None.

    Returns:
        name -> [n_cases] mask, in the order of `SUBSETS`; names whose covariate is None are absent.
    """
    masks: dict[str, Mask] = {"full": np.ones(n_cases, dtype=bool)}
    if exposed is not None:
        flag = _flag(exposed, n_cases, "exposed")
        masks |= {"overlap_present": flag == 1, "overlap_absent": flag == 0}
    if recent is not None:
        flag = _flag(recent, n_cases, "recent")
        masks |= {"pre2020": flag == 0, "post2020": flag == 1}
    if exposed is not None and recent is not None:
        masks["post2020_overlap_absent"] = masks["post2020"] & masks["overlap_absent"]
    return masks


def recent_from_year(years: ArrayLike) -> NDArray[np.float64]:
    """1 for 2020 or later, 0 for earlier, NaN for an unknown year; [n_cases]."""
    year = np.asarray(years, dtype=np.float64)
    return np.where(np.isnan(year), np.nan, (year >= RECENT_FROM_YEAR).astype(np.float64))


def _flag(values: ArrayLike, n_cases: int, name: str) -> NDArray[np.float64]:
    flag = np.asarray(values, dtype=np.float64)
    if flag.shape != (n_cases,) or not (np.isnan(flag) | (flag == 0) | (flag == 1)).all():
        raise BadInputError("forming subsets", f"{name} is not one of 0, 1 or unknown for each of {n_cases} cases")
    return flag
