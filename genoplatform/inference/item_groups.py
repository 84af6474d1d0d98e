"""Systems aligned on the items they share, as arrays, so that one set of resampling draws serves them all.

Belongs here: long rows -> one array per group of systems with the same items, in the order of the input. Does not
belong here: checks of the cells (items) or statistics (evaluate).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import BadInputError
from genoplatform.inference.items import ItemTable
from genoplatform.inference.metrics import METRICS, per_case_metrics
from genoplatform.inference.subsets import Mask, subset_masks

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class ItemGroup:
    """Systems with one item set: `covariates` (item, cluster, exposed?, recent?) and `hits` [n_items, n_systems].

    `values` [n_items, k] holds the per-item metric contributions of `columns`, k pairs (system, metric): the five
    metrics of a system that ranks, the plain hit of one that does not.
    """

    covariates: pd.DataFrame
    systems: list[str]
    hits: FloatArray
    values: FloatArray
    columns: list[tuple[str, str]]

    def masks(self) -> dict[str, Mask]:
        """Subset -> [n_items] mask."""
        flags = {c: self.covariates[c].to_numpy() for c in ("exposed", "recent") if c in self.covariates}
        return subset_masks(len(self.covariates), **flags)


def item_groups(table: ItemTable) -> list[ItemGroup]:
    """Group the systems by the set of items they have; groups and systems in the order of the input."""
    rows = table.rows
    by_items: dict[frozenset[str], list[str]] = {}
    for system, items in rows.groupby("system", sort=False)["item"]:
        by_items.setdefault(frozenset(items), []).append(str(system))
    return [_group(rows[rows["system"].isin(systems)], systems) for systems in by_items.values()]


def find_pair(groups: list[ItemGroup], a: str, b: str) -> tuple[ItemGroup, int, int]:
    """The group that holds both systems of a contrast and their columns.

    Raises:
        BadInputError: an unknown system, a system against itself, or two systems that saw different items.
    """
    tried = f"contrasting {a!r} with {b!r}"
    home = {system: group for group in groups for system in group.systems}
    for system in (a, b):
        if system not in home:
            raise BadInputError(tried, f"no system {system!r}", f"systems in the table: {', '.join(home)}")
    if a == b:
        raise BadInputError(tried, "a system against itself", f"systems in the table: {', '.join(home)}")
    if home[a] is not home[b]:
        of_a, of_b = (set(home[s].covariates["item"]) for s in (a, b))
        found = f"{len(of_a - of_b)} items only {a!r} has, {len(of_b - of_a)} only {b!r} has"
        hint = "a paired contrast needs the same items: give an unanswered one an empty rank (a miss)"
        raise BadInputError(tried, found, hint)
    return home[a], home[a].systems.index(a), home[a].systems.index(b)


def _group(rows: pd.DataFrame, systems: list[str]) -> ItemGroup:
    covariates = rows.drop_duplicates("item")[[c for c in ("item", "cluster", "exposed", "recent") if c in rows]]
    wide = rows.pivot(index="item", columns="system", values=["rank", "hit"]).loc[covariates["item"]]
    hits = wide["hit"][systems].to_numpy(dtype=np.float64)
    contributions = per_case_metrics(wide["rank"][systems].to_numpy(dtype=np.float64))
    ranking = set(rows.loc[rows["ranked"], "system"])
    values, columns = [], []
    for j, system in enumerate(systems):
        values.append(contributions[:, j] if system in ranking else hits[:, j : j + 1])
        columns += [(system, metric) for metric in (METRICS if system in ranking else ("hit",))]
    return ItemGroup(covariates.reset_index(drop=True), systems, hits, np.hstack(values), columns)
