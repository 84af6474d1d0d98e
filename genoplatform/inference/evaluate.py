"""Evaluation of an item table: metrics by system and subset, overlap shifts, contrasts; the whole of `evaluate`.

Belongs here: putting the pieces together for any leaderboard. Does not belong here: reading files (items) or printing
(cli). Draws are shared inside a subset: every system sees the same resampled publications, and each interval is what
the system alone would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from genoplatform.inference.contrast import Contrast
from genoplatform.inference.contrast import contrasts as paired_contrasts
from genoplatform.inference.item_groups import ItemGroup, find_pair, item_groups
from genoplatform.inference.items import ItemTable, validate_items
from genoplatform.inference.metrics import metrics_by_subset
from genoplatform.inference.multiplicity import benjamini_hochberg, holm
from genoplatform.inference.overlap_shift import overlap_shift
from genoplatform.inference.resampling import case_bootstrap, cluster_bootstrap, percentile_interval
from genoplatform.inference.subsets import SUBSETS, Mask

_SHIFT_COLUMNS = ["system", "n_present", "n_absent", "present", "absent", "shift", "lo", "hi"]
_CONTRAST_COLUMNS = [
    *("subset", "system_a", "system_b", "n", "n_publications", "correct_a", "correct_b", "delta"),
    *("cluster_lo", "cluster_hi", "case_lo", "case_hi", "b", "c", "p_mcnemar", "p_cluster"),
]


@dataclass(frozen=True)
class Evaluation:
    """Results of `evaluate_items`, rounded to 6 decimals (permutation p to 5).

    metrics: subset, system, metric, n, n_publications, value, count, cluster_lo, cluster_hi, case_lo, case_hi.
    overlap_shift: system, n_present, n_absent, present, absent, shift, lo, hi; empty without both kinds of items.
    contrasts: subset, system_a, system_b, the fields of `Contrast` (intervals as _lo, _hi), and p_holm, p_bh over
        the contrasts of the subset, on p_cluster.
    summary: items, publications, largest_publication, exposed, unexposed (where known), systems.
    settings: draws and seed.
    notes: what was left out or assumed.
    """

    metrics: pd.DataFrame
    overlap_shift: pd.DataFrame
    contrasts: pd.DataFrame
    summary: dict[str, Any]
    settings: dict[str, int]
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As plain Python for JSON: tables as lists of records, null where there is no value."""
        tables = {name: _records(getattr(self, name)) for name in ("metrics", "overlap_shift", "contrasts")}
        return {"summary": self.summary, "settings": self.settings, **tables, "notes": self.notes}


def evaluate_items(
    items: pd.DataFrame | ItemTable,
    contrasts: Sequence[tuple[str, str]] = (),
    *,
    n_boot: int = 10_000,
    n_perm: int = 10_000,
    seed: int = 42,
) -> Evaluation:
    """Evaluate every system of an item table.

    Args:
        items: a table as `items.validate_items` takes it, or its result. The order of the rows decides which draw
            picks which publication: another order moves intervals by Monte Carlo error, never a point value.
        contrasts: pairs (system A, system B), tested on top-1 hits in every subset.
        n_boot: bootstrap draws. n_perm: permutations. seed: of every stream.

    Raises:
        BadInputError: the table or a contrast cannot be used.
        SettingsError: fewer than one draw.
    """
    table = items if isinstance(items, ItemTable) else validate_items(items)
    groups = item_groups(table)
    pairs = [find_pair(groups, a, b) for a, b in dict.fromkeys(contrasts)]
    draws = {"n_boot": n_boot, "n_perm": n_perm, "seed": seed}
    metrics, shifts, paired = [], [], []
    for group in groups:
        own = [(i, j) for home, i, j in pairs if home is group]
        for subset, mask in group.masks().items():
            if mask.any():
                metrics.append(_metrics(group, subset, mask, n_boot, seed))
                paired += _contrasts(group, subset, mask, own, draws)
        shifts += _shift(group, n_boot, seed)
    return Evaluation(
        metrics=_ordered(pd.concat(metrics, ignore_index=True)),
        overlap_shift=pd.concat(shifts, ignore_index=True).round(6) if shifts else pd.DataFrame(columns=_SHIFT_COLUMNS),
        contrasts=_adjusted(pd.DataFrame(paired, columns=_CONTRAST_COLUMNS)),
        summary=_summary(table),
        settings=draws,
        notes=table.notes + _group_notes(groups, len(table.rows["item"].unique())),
    )


def _metrics(group: ItemGroup, subset: str, mask: Mask, n_boot: int, seed: int) -> pd.DataFrame:
    values, clusters = group.values[mask], group.covariates["cluster"][mask]
    table = metrics_by_subset(group.values, group.columns, {subset: mask})
    table.insert(4, "n_publications", clusters.nunique())
    case = percentile_interval(case_bootstrap(values, draws=n_boot, seed=seed))
    cluster = np.full_like(case, np.nan)
    if clusters.nunique() > 1:
        cluster = percentile_interval(cluster_bootstrap(values, clusters, draws=n_boot, seed=seed))
    return table.assign(cluster_lo=cluster[0], cluster_hi=cluster[1], case_lo=case[0], case_hi=case[1])


def _contrasts(
    group: ItemGroup, subset: str, mask: Mask, pairs: list[tuple[int, int]], draws: dict[str, int]
) -> list[dict[str, Any]]:
    results = paired_contrasts(group.hits[mask], pairs, group.covariates["cluster"][mask], **draws)
    return [
        {"subset": subset, "system_a": group.systems[i], "system_b": group.systems[j], **_flat(result)}
        for (i, j), result in zip(pairs, results, strict=True)
    ]


def _flat(result: Contrast) -> dict[str, Any]:
    cells = asdict(result)
    for kind in ("cluster", "case"):
        cells[f"{kind}_lo"], cells[f"{kind}_hi"] = cells.pop(f"{kind}_ci")
    return cells


def _adjusted(table: pd.DataFrame) -> pd.DataFrame:
    """Holm and Benjamini-Hochberg over the contrasts of each subset; a contrast without a p stays without."""
    table = table.assign(p_holm=np.nan, p_bh=np.nan)
    for _, family in table.dropna(subset="p_cluster").groupby("subset"):
        p = {str(row): float(value) for row, value in family["p_cluster"].items()}
        table.loc[family.index, "p_holm"] = [round(v, 6) for v in holm(p).values()]
        table.loc[family.index, "p_bh"] = [round(v, 6) for v in benjamini_hochberg(p).values()]
    return _ordered(table)


def _shift(group: ItemGroup, n_boot: int, seed: int) -> list[pd.DataFrame]:
    """The group's shift table, or nothing where one of the two kinds of items is lacking."""
    if "exposed" not in group.covariates or group.covariates["exposed"].nunique() < 2:
        return []
    known = group.covariates["exposed"].notna().to_numpy()
    exposed, clusters = (group.covariates[c][known] for c in ("exposed", "cluster"))
    return [overlap_shift(group.hits[known], group.systems, exposed, clusters, draws=n_boot, seed=seed)]


def _ordered(table: pd.DataFrame) -> pd.DataFrame:
    order = table["subset"].map({name: i for i, name in enumerate(SUBSETS)})
    return table.iloc[np.argsort(order.to_numpy(), kind="stable")].reset_index(drop=True).round(6)


def _summary(table: ItemTable) -> dict[str, Any]:
    items = table.rows.drop_duplicates("item")
    sizes = items["cluster"].value_counts()
    summary = {"items": len(items), "publications": len(sizes), "largest_publication": int(sizes.iloc[0])}
    if "exposed" in items:
        summary |= {"exposed": int((items["exposed"] == 1).sum()), "unexposed": int((items["exposed"] == 0).sum())}
    return summary | {"systems": table.rows["system"].unique().tolist()}


def _group_notes(groups: list[ItemGroup], n_items: int) -> list[str]:
    notes = []
    for group in groups:
        who = f"{', '.join(group.systems)}: " if len(groups) > 1 else ""
        if len(group.covariates) < n_items:
            notes.append(f"{who}{len(group.covariates)} of {n_items} items; scores are on these only")
        for subset, mask in group.masks().items():
            n_clusters = group.covariates["cluster"][mask].nunique()
            if n_clusters < 2:
                few = "one publication, so no clustered interval or test" if n_clusters else "no items"
                notes.append(f"{who}subset {subset}: {few}")
    return notes


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(k): _plain(v) for k, v in row.items()} for row in table.to_dict("records")]


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value
