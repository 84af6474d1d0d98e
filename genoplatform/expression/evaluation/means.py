"""Means that say how much was missing: every metric with failures counted as 0, and over what was there alone.

The headline is the first (as in the first release); the second is how the second release counts (!).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

COLUMNS = {
    "task": "str",
    "group": "str",
    "metric": "str",
    "penalised": "float64",
    "found_only": "float64",
    "expected": "int64",
    "found": "int64",
}


def summarise(task: str, table: pd.DataFrame, metrics: Sequence[str], groups: Mapping[str, pd.Series]) -> pd.DataFrame:
    """One row a group and metric, rounded to two decimals, and one row `success`: per cent that was there.

    Args:
        task: name of the task.
        table: a row an expected item: `found`, and the metrics, NaN where not defined (left out of both means).
        metrics: columns of `table`.
        groups: name -> which rows.
    """
    rows = []
    for group, members in groups.items():
        part = table[members.to_numpy(dtype=bool)]
        found = part[part["found"]]
        base = {"task": task, "group": group, "expected": len(part), "found": len(found)}
        share = 100.0 * len(found) / len(part) if len(part) else float("nan")
        rows.append(base | {"metric": "success", "penalised": round(share, 2), "found_only": round(share, 2)})
        for metric in metrics:
            penalised = part[metric].where(part["found"], 0.0)
            rows.append(base | {"metric": metric, "penalised": _mean(penalised), "found_only": _mean(found[metric])})
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def joined(summaries: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Summaries below each other."""
    tables = [table for table in summaries if len(table)]
    empty = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    return pd.concat(tables, ignore_index=True) if tables else empty


def everything(table: pd.DataFrame) -> dict[str, pd.Series]:
    """The one group of all rows."""
    return {"overall": pd.Series(True, index=table.index, dtype=bool)}


def _mean(values: pd.Series) -> float:
    there = values.dropna().to_numpy(dtype=np.float64)
    return round(float(there.mean()), 2) if len(there) else float("nan")
