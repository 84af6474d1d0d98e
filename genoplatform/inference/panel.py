"""The common input of the further analyses: every system's outcome on every case, with the case covariates.

Belongs here: turning the long panel frame into aligned arrays, and its overlap subsets. Does not belong here:
any statistic, and resampling (`resampling.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.inference.resampling import FloatArray, IntArray, cluster_index

BoolArray = NDArray[np.bool_]

N_DRAWS = 10_000
SEED = 42
Z95 = 1.96
"""The half-width multiplier the reference prints its Wald intervals with."""

_PER_ROW = ("system", "hit", "rank")


@dataclass(frozen=True)
class Panel:
    """A balanced panel: cases by systems.

    Attributes:
        cases: one row per case in order of first appearance, RangeIndex; at least case_id, cluster, exposed.
        systems: column names of `hits`.
        hits: cases x systems, 0.0 or 1.0.
    """

    cases: pd.DataFrame
    systems: tuple[str, ...]
    hits: FloatArray

    @property
    def absent(self) -> BoolArray:
        """True where the knowledge base does not cite the case's publication."""
        absent: BoolArray = self.cases["exposed"].to_numpy(dtype=np.int64) == 0
        return absent

    @property
    def groups(self) -> IntArray:
        """Publication code of each case, 0.. in order of first appearance."""
        return cluster_index(self.cases["cluster"])[0]

    @property
    def n_publications(self) -> int:
        """Number of publications."""
        return int(self.cases["cluster"].nunique())

    def column(self, name: str) -> FloatArray:
        """A numeric case covariate; BadInputError if the panel lacks it or has gaps in it."""
        if name not in self.cases.columns:
            raise BadInputError(f"reading the case covariate {name}", f"columns {list(self.cases.columns)}")
        values = self.cases[name].to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isnan(values).any():
            raise BadInputError(f"reading the case covariate {name}", f"{int(np.isnan(values).sum())} cases lack it")
        return values

    def where(self, mask: BoolArray) -> Panel:
        """The cases under `mask`, in the same order."""
        return Panel(self.cases.loc[mask].reset_index(drop=True), self.systems, self.hits[mask])

    def only(self, systems: Sequence[str]) -> Panel:
        """The named systems, in the order given; BadInputError for one the panel lacks."""
        at = [self.index(name) for name in systems]
        return Panel(self.cases, tuple(systems), self.hits[:, at])

    def index(self, system: str) -> int:
        """Column of a system in `hits`; BadInputError if there is none."""
        if system not in self.systems:
            raise BadInputError(f"looking up system {system}", f"the panel has {list(self.systems)}")
        return self.systems.index(system)


def build_panel(frame: pd.DataFrame) -> Panel:
    """Align a long panel frame.

    Args:
        frame: one row per case and system; case_id, system, cluster, exposed (0/1) and hit (0/1), or rank
            from which hit is rank <= 1 (no rank = no hit); any further column is a case covariate.

    Raises:
        BadInputError: a column is missing, a case lacks a system, appears twice, or its covariates differ
            between systems: a silent gap would unbalance every later comparison.
    """
    missing = sorted({"case_id", "system", "cluster", "exposed"} - set(frame.columns))
    if not {"hit", "rank"} & set(frame.columns):
        missing.append("hit or rank")
    if missing:
        raise BadInputError("building the panel", f"columns missing: {', '.join(missing)}")
    if frame.empty:
        raise EmptyResultError("building the panel", "no rows")
    hits = frame["hit"] if "hit" in frame.columns else (frame["rank"] <= 1)
    wide = _pivot(frame, hits.astype("float64"))
    covariates = [c for c in frame.columns if c not in _PER_ROW]
    cases = frame.loc[~frame["case_id"].duplicated(), covariates].reset_index(drop=True)
    _check_covariates(frame, cases)
    return Panel(cases, tuple(str(name) for name in wide.columns), wide.to_numpy(dtype=np.float64))


def _pivot(frame: pd.DataFrame, hits: pd.Series[float]) -> pd.DataFrame:
    keys = frame[["case_id", "system"]]
    if keys.duplicated().any():
        twice = keys[keys.duplicated()].iloc[0].tolist()
        raise BadInputError("building the panel", f"case and system {twice} appear more than once")
    wide = keys.assign(hit=hits).pivot(index="case_id", columns="system", values="hit")
    wide = wide.reindex(index=frame["case_id"].drop_duplicates(), columns=frame["system"].drop_duplicates())
    if wide.isna().to_numpy().any():
        gaps = int(wide.isna().to_numpy().sum())
        raise BadInputError(
            "building the panel",
            f"{gaps} case-system pairs have no outcome",
            "count a missing ranking as a miss before this step",
        )
    if not wide.isin([0.0, 1.0]).to_numpy().all():
        raise BadInputError("building the panel", "an outcome is neither 0 nor 1")
    return wide


def _check_covariates(frame: pd.DataFrame, cases: pd.DataFrame) -> None:
    exposed = cases["exposed"]
    if exposed.isna().any() or not exposed.isin([0, 1]).all():
        raise BadInputError("building the panel", "exposed must be 0 or 1 for every case")
    for name in ("cluster", "exposed"):
        if (frame.groupby("case_id")[name].nunique() > 1).any():
            raise BadInputError("building the panel", f"{name} differs between systems of one case")


def overlap_subsets(panel: Panel) -> dict[str, Panel]:
    """The subsets the design-weighted and leave-one-paper-out tables are given for; empty ones left out."""
    parts = {
        "full": panel,
        "overlap_present": panel.where(~panel.absent),
        "overlap_absent": panel.where(panel.absent),
    }
    return {name: part for name, part in parts.items() if len(part.cases)}


def require_both_groups(panel: Panel, tried: str) -> None:
    """EmptyResultError unless the panel holds exposed and unexposed cases."""
    n_absent = int(panel.absent.sum())
    if n_absent in (0, len(panel.cases)):
        raise EmptyResultError(tried, f"{n_absent} of {len(panel.cases)} cases are overlap-absent")
