"""Disease categories from MONDO, by priority.

Here: the four categories of the published benchmark and which one a disease falls in.
Not here: parsing MONDO, resolving OMIM ids (``inclusion.first_mondo``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from genoplatform.cohort.inclusion import terms_under

# Priority order: the first category with a hit is the case's.
CATEGORY_ROOTS: Mapping[str, tuple[str, ...]] = {
    "neurological": ("MONDO:0005071",),
    "metabolic": ("MONDO:0005066",),
    "immunological": ("MONDO:0005046",),
    "developmental": ("MONDO:0021147", "MONDO:0019118"),
}
OTHER = "other"


@dataclass(frozen=True)
class Categorised:
    """Attributes: kept (input + category, category_matches), dropped[case_id, reason, detail], report."""

    kept: pd.DataFrame
    dropped: pd.DataFrame
    report: dict[str, int]


def category_members(
    ancestors: pd.DataFrame, roots: Mapping[str, Sequence[str]] = CATEGORY_ROOTS
) -> dict[str, frozenset[str]]:
    """MONDO ids of every category (descendants, roots included); columns id, ancestor, reflexive."""
    return {category: terms_under(ancestors, ids) for category, ids in roots.items()}


def all_matches(mondo_ids: Sequence[str], members: Mapping[str, frozenset[str]]) -> list[str]:
    """Every category one of the ids belongs to, in priority order."""
    return [category for category, ids in members.items() if any(m in ids for m in mondo_ids)]


def categorise(cases: pd.DataFrame, ancestors: pd.DataFrame, *, keep_other: bool = False) -> Categorised:
    """Give each case its category.

    Args:
        cases: columns case_id, mondo_ids (list of resolved MONDO ids).
        ancestors: reflexive MONDO ancestors, columns id, ancestor.
        keep_other: keep cases that match none, as "other", instead of dropping them.
    """
    members = category_members(ancestors)
    matches = [all_matches(ids, members) for ids in cases["mondo_ids"]]
    first = [m[0] if m else OTHER for m in matches]
    table = cases.assign(category=first, category_matches=pd.Series(matches, index=cases.index, dtype=object))
    lost = (table["category"] == OTHER) & (not keep_other)
    dropped = pd.DataFrame(
        {
            "case_id": table.loc[lost, "case_id"],
            "reason": "no_category",
            "detail": [", ".join(ids) or "no MONDO id" for ids in table.loc[lost, "mondo_ids"]],
        }
    )
    kept = table[~lost].reset_index(drop=True)
    report = {category: int((kept["category"] == category).sum()) for category in (*CATEGORY_ROOTS, OTHER)}
    return Categorised(kept, dropped.reset_index(drop=True), report | {"no_category": len(dropped)})
