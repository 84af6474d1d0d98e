"""The annotation table kept in the store: every row of a release, also the ones left out, each with its status.

One table serves three readers: similarity and likelihood (kept rows), citation counts (all rows), and people who want
to see what was left out and why.
"""

from __future__ import annotations

import pandas as pd

from genoplatform.ontology.copies import with_copies
from genoplatform.ontology.hpoa import HpoaRelease

KEPT = "kept"


def annotation_table(release: HpoaRelease) -> pd.DataFrame:
    """All rows of a release that have every field.

    Returns:
        The columns of `HpoaRelease.rows` after `row` and `status`: "kept", or the reason a row was left out (those
        rows carry disease_id, hpo_id and pmids only), and `copies`, how often a kept row stands in the file. Sorted
        by row.
    """
    rows = with_copies(release)
    left_out = release.raw[~release.raw["row"].isin(release.rows["row"])]
    reasons = release.rejected.drop_duplicates("line").set_index("line")["reason"]
    left_out = left_out.assign(status=left_out["row"].map(reasons))
    table = pd.concat([rows.assign(status=KEPT), left_out], ignore_index=True)
    table["copies"] = table["copies"].astype("Int64")
    table[["negated", "present"]] = table[["negated", "present"]].astype("boolean")
    first = ["row", "status"]
    columns = first + [name for name in rows.columns if name not in first]
    return table[columns].sort_values("row", ignore_index=True)


def kept_rows(table: pd.DataFrame) -> pd.DataFrame:
    """`HpoaRelease.rows` again, with `copies`: the kept rows, without the status."""
    rows = table[table["status"] == KEPT].drop(columns="status").reset_index(drop=True)
    return rows.astype({"negated": bool, "present": bool, "copies": "int64"})


def citation_rows(table: pd.DataFrame) -> pd.DataFrame:
    """`HpoaRelease.raw` again: row, disease_id, hpo_id, pmids of every row with all its fields."""
    return table[["row", "disease_id", "hpo_id", "pmids"]].reset_index(drop=True)
