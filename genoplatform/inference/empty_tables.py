"""Named tables with every name present: a table nothing was computed for has its columns and no row.

Here: filling in. Not here: which tables an analysis has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

_TEXT = {"run", "metric", "system", "model", "scope", "rule", "subset", "analysis", "reason", "path", "detail"}


def with_empty(tables: Mapping[str, pd.DataFrame], columns: Mapping[str, Sequence[str]]) -> dict[str, pd.DataFrame]:
    """The tables, and an empty one (text and float64 columns) for every name of `columns` that is not there."""
    return {name: tables[name] if name in tables else _empty(names) for name, names in columns.items()}


def _empty(names: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype="str" if name in _TEXT else "float64") for name in names})
