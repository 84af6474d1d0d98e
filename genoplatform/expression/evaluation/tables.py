"""How alike two preprocessed tables are: features, samples, values (AJ, SJ, correlation, CSC of expression.md D)."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from genoplatform.expression.evaluation.directories import TableKind
from genoplatform.expression.linked import COVARIATES
from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.problems import jaccard

Orientation = Literal["found", "published"]
NOTHING = {"aj": 0.0, "sj": 0.0, "correlation": 0.0, "csc": 0.0}


def samples_as_rows(
    table: pd.DataFrame, kind: TableKind, trait: str, orientation: Orientation = "found"
) -> pd.DataFrame:
    """Turn a stored table so that samples are rows.

    Linked tables lie so. Gene tables are turned. Clinical tables are turned if their rows are the trait, Age or Gender
    ("found"), since TCGA ones are stored the other way round (!); "published" turns all of them, as the benchmark does.
    """
    if kind == "linked":
        return table
    features = {trait, *COVARIATES}
    if kind == "clinical" and orientation == "found" and features & set(map(str, table.columns)):
        return table
    return table.T


def compare_tables(predicted: pd.DataFrame, reference: pd.DataFrame) -> dict[str, float]:
    """AJ, SJ, correlation and CSC, each from 0 to 1, of tables with samples as rows."""
    predicted, reference = _first_of_each(predicted), _first_of_each(reference)
    aj = jaccard(list(predicted.columns), list(reference.columns))
    sj = jaccard(list(predicted.index), list(reference.index))
    correlation = mean_correlation(predicted, reference)
    return {"aj": aj, "sj": sj, "correlation": correlation, "csc": aj * sj * correlation}


def mean_correlation(predicted: pd.DataFrame, reference: pd.DataFrame) -> float:
    """Mean Pearson correlation of common columns over common samples.

    Missing values become the column's mean, then 0; columns that do not vary in either table are left out; 0 if none is
    left. Every common column counts, none is sampled.
    """
    rows = [name for name in reference.index if name in set(predicted.index)]
    columns = [name for name in reference.columns if name in set(predicted.columns)]
    if len(rows) < 2 or not columns:
        return 0.0
    a, b = _values(predicted.loc[rows, columns]), _values(reference.loc[rows, columns])
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    size_a, size_b = np.sqrt((a**2).sum(axis=0)), np.sqrt((b**2).sum(axis=0))
    varies = (size_a > 0) & (size_b > 0)
    if not varies.any():
        return 0.0
    found = (a[:, varies] * b[:, varies]).sum(axis=0) / (size_a[varies] * size_b[varies])
    return float(np.nan_to_num(found).mean())


def _values(table: pd.DataFrame) -> Floats:
    values = np.array(table.apply(pd.to_numeric, errors="coerce"), dtype=np.float64)
    observed = ~np.isnan(values)
    counts = observed.sum(axis=0)
    means = np.where(counts > 0, np.where(observed, values, 0.0).sum(axis=0) / np.maximum(counts, 1), 0.0)
    # A column of one value can have a mean that is off in the last digit, and so a spread that is not quite zero.
    filled = np.where(observed, values, means)
    constant = filled.max(axis=0) == filled.min(axis=0)
    filled[:, constant] = 0.0
    return np.asarray(filled)


def _first_of_each(table: pd.DataFrame) -> pd.DataFrame:
    table = table.loc[~table.index.duplicated(), ~table.columns.duplicated()]
    return table.set_axis([str(name) for name in table.index], axis=0).set_axis(
        [str(name) for name in table.columns], axis=1
    )
