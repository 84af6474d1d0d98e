"""Two releases of phenotype.hpoa side by side, so that a class of statements that vanished is seen."""

from __future__ import annotations

import pandas as pd

from genoplatform.ontology.frequency import parse_frequency
from genoplatform.ontology.hpoa import HpoaRelease


def release_qualifier_counts(rows: pd.DataFrame) -> pd.DataFrame:
    """Count the classes of statements in `HpoaRelease.rows`.

    Returns:
        dimension, value, count, sorted: rows and diseases by database ("rows"/"OMIM", ...), NOT, 0/n and Excluded rows
        by database ("NOT"/"ORPHA", ...), rows by kind of frequency, aspect and evidence.
    """
    database = rows["disease_id"].str.partition(":")[0]
    zero = (rows["numerator"] == 0).fillna(False).astype(bool)
    dimensions = {
        "rows": database,
        "diseases": database[~rows["disease_id"].duplicated()],
        "NOT": database[rows["negated"].astype(bool)],
        "0/n": database[zero],
        "HP:0040285": database[rows["frequency"] == "HP:0040285"],
        "frequency": parse_frequency(rows["frequency"])["kind"],
        "aspect": rows["aspect"],
        "evidence": rows["evidence"],
    }
    parts = [
        values.value_counts().rename_axis("value").rename("count").reset_index().assign(dimension=name)
        for name, values in dimensions.items()
    ]
    counts = pd.concat(parts, ignore_index=True)[["dimension", "value", "count"]]
    return counts.sort_values(["dimension", "value"], ignore_index=True).astype({"count": "int64"})


def compare_releases(old: HpoaRelease, new: HpoaRelease) -> pd.DataFrame:
    """Counts per class of two releases.

    Returns:
        dimension, value, old, new (counts, 0 where a class does not occur), change (new - old), vanished (rows before,
        none now); sorted by dimension and value.
    """
    counts = [release_qualifier_counts(r.rows).set_index(["dimension", "value"])["count"] for r in (old, new)]
    table = pd.concat(counts, axis=1, keys=["old", "new"]).fillna(0).astype("int64").sort_index()
    table["change"] = table["new"] - table["old"]
    table["vanished"] = (table["old"] > 0) & (table["new"] == 0)
    return table.reset_index()
