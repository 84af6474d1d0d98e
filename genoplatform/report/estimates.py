"""One number with its interval, looked up in the tables of an evaluation.

Belongs here: from tables to single estimates. Does not belong here: computing any of them (inference) or wording.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from genoplatform.report.formatting import number
from genoplatform.report.systems import Pair


@dataclass(frozen=True)
class Estimate:
    """A value, its 95 % publication-clustered interval (None: one publication only), and what it rests on."""

    value: float
    lo: float | None
    hi: float | None
    n: int
    n_publications: int


@dataclass(frozen=True)
class Paired:
    """A system minus its counterfactual on the same cases: difference of top-1, interval, p of the sign flips.

    `only_base` cases are hit with the own publication only, `only_removed` without it only.
    """

    difference: float
    lo: float | None
    hi: float | None
    p: float | None
    n: int
    only_base: int
    only_removed: int


@dataclass(frozen=True)
class Shift:
    """Top-1 of unexposed cases minus top-1 of exposed ones, with its interval."""

    value: float
    lo: float | None
    hi: float | None


def rate(metrics: pd.DataFrame, system: str, subset: str, metric: str = "top1") -> Estimate | None:
    """The metric of a system on a subset; None where the subset has no cases."""
    row = _only(metrics, system=system, subset=subset, metric=metric)
    value = None if row is None else number(row["value"])
    if row is None or value is None:
        return None
    return Estimate(
        value, number(row["cluster_lo"]), number(row["cluster_hi"]), int(row["n"]), int(row["n_publications"])
    )


def contamination(contrasts: pd.DataFrame, pair: Pair, subset: str = "overlap_present") -> Paired | None:
    """Base minus counterfactual, whichever way round the contrast was computed; None where it was not."""
    row, sign = _only(contrasts, system_a=pair.base, system_b=pair.removed, subset=subset), 1
    if row is None:
        row, sign = _only(contrasts, system_a=pair.removed, system_b=pair.base, subset=subset), -1
    if row is None:
        return None
    ends, only = [number(row["cluster_lo"]), number(row["cluster_hi"])], [int(row["b"]), int(row["c"])]
    lo, hi = (None if end is None else sign * end for end in ends[::sign])
    only_base, only_removed = only[::sign]
    return Paired(sign * float(row["delta"]), lo, hi, number(row["p_cluster"]), int(row["n"]), only_base, only_removed)


def shift(overlap_shift: pd.DataFrame, system: str) -> Shift | None:
    """Unexposed minus exposed; None where one of the two groups is empty."""
    row = _only(overlap_shift, system=system)
    value = None if row is None else number(row["shift"])
    return None if row is None or value is None else Shift(value, number(row["lo"]), number(row["hi"]))


def _only(table: pd.DataFrame, **wanted: str | None) -> dict[Any, Any] | None:
    """The first row that has these values, or None."""
    keep = pd.Series(True, index=table.index)
    for column, value in wanted.items():
        keep &= table[column] == value if value is not None else False
    rows = table[keep]
    return None if rows.empty else dict(rows.iloc[0])
