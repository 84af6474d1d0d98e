"""Annotation rows of one disease and one term pooled into one statement (several curators, several publications)."""

from __future__ import annotations

import numpy as np
import pandas as pd

_KEY = ["disease_id", "hpo_id"]


def pool_annotations(rows: pd.DataFrame) -> pd.DataFrame:
    """Pool `HpoaRelease.rows` by disease and term.

    Counts k/n are added over the rows that are not NOT, so 1/1 and 0/7 give 1/8. A NOT row has no count of patients
    who have the feature; it only sets `conflict` beside a row that says present.

    Returns:
        One row per (disease_id, hpo_id), sorted: n_rows; numerator, denominator (Int64 sums, NA without any count);
        frequency_value (pooled count where there is one, else the mean of the stated values, else NaN); present (some
        row says so); conflict (some row says present and some row absent); pmids (union in order of appearance).
    """
    positive = rows["denominator"].notna() & ~rows["negated"]
    work = rows[_KEY].assign(
        numerator=rows["numerator"].where(positive, 0).astype("int64"),
        denominator=rows["denominator"].where(positive, 0).astype("int64"),
        stated=rows["frequency_value"].where(~rows["negated"]),
        present=rows["present"].astype(bool),
        absent=~rows["present"].astype(bool),
    )
    grouped = work.groupby(_KEY, sort=True)
    pooled = grouped.agg(
        n_rows=("present", "size"),
        numerator=("numerator", "sum"),
        denominator=("denominator", "sum"),
        frequency_value=("stated", "mean"),
        present=("present", "any"),
        conflict=("absent", "any"),
    )
    pooled["conflict"] &= pooled["present"]
    counted = pooled["denominator"] > 0
    share = pooled["numerator"] / pooled["denominator"].where(counted)
    pooled["frequency_value"] = pooled["frequency_value"].where(~counted, share)
    for column in ("numerator", "denominator"):
        pooled[column] = pooled[column].astype("Int64").where(counted)
    pooled = pooled.reset_index()
    pooled["pmids"] = _pmid_union(grouped.ngroup().to_numpy(), rows["pmids"], len(pooled))
    return pooled


def _pmid_union(codes: np.ndarray, pmids: pd.Series, groups: int) -> np.ndarray:
    """The PubMed ids of each group in order of appearance; a group of one row shares that row's list."""
    lists = pmids.to_numpy(dtype=object)
    union = np.empty(groups, dtype=object)
    union[codes] = lists
    repeated = np.bincount(codes, minlength=groups)[codes] > 1
    merged: dict[int, dict[str, None]] = {}
    for code, ids in zip(codes[repeated], lists[repeated], strict=True):
        merged.setdefault(int(code), {}).update(dict.fromkeys(ids))
    for code, seen in merged.items():
        union[code] = list(seen)
    return union
