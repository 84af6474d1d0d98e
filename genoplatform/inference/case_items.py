"""From case and rank tables to the item table of the evaluation, and from its results to one verdict on exposure."""

from __future__ import annotations

import pandas as pd


def case_items(cases: pd.DataFrame, ranks: pd.DataFrame, *, recency_boundary: int) -> pd.DataFrame:
    """One row per (case, system), in the order of case ids: the order is part of the bootstrap's recipe.

    Args:
        cases: case_id, cluster, exposed, publication_year.
        ranks: system, case_id, rank.
        recency_boundary: cases published in this year or later are recent.

    Returns:
        item, cluster, exposed, recent (missing where the year is), system, rank.
    """
    covariates = cases[["case_id", "cluster", "exposed", "publication_year"]]
    joined = ranks[["system", "case_id", "rank"]].merge(covariates, on="case_id", how="left", validate="many_to_one")
    recent = (joined["publication_year"] >= recency_boundary).astype("Int64")
    items = joined.assign(item=joined["case_id"], recent=recent)
    return items.sort_values(["item", "system"], ignore_index=True)[
        ["item", "cluster", "exposed", "recent", "system", "rank"]
    ]


def decontaminated_pairs(systems: list[str], suffix: str = "_decontaminated") -> list[tuple[str, str]]:
    """Each system with its decontaminated counterpart, where both are there."""
    return [(name, name + suffix) for name in sorted(systems) if name + suffix in systems]
