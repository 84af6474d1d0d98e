"""Tests Great Expectations has no word for: the exact column schema, lists, and relationships between tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from genoplatform.dbt_like_checks import vocabulary as v
from genoplatform.dbt_like_checks.declared import DeclaredTest
from genoplatform.dbt_like_checks.outcome import TestOutcome

LoadColumns = Callable[[str, list[str]], pd.DataFrame]

_TYPES = {
    "string": (pa.types.is_string, pa.types.is_large_string),
    "int": (pa.types.is_integer,),
    "float": (pa.types.is_floating,),
    "bool": (pa.types.is_boolean,),
}


def declared_type(kind: pa.DataType) -> str:
    """The declared name of an Arrow type (the type itself, in words, if it has none)."""
    if pa.types.is_dictionary(kind):
        return declared_type(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list<{declared_type(kind.value_type)}>"
    return next((name for name, tests in _TYPES.items() if any(test(kind) for test in tests)), str(kind))


def fits(kind: pa.DataType, declared: str) -> bool:
    """Whether a stored column is of a declared type. One of only nulls, or of empty lists, fits any (list) type."""
    found = declared_type(kind)
    return found in (declared, "null") or (found == "list<null>" and declared.startswith("list<"))


def select_rows(frame: pd.DataFrame, where: dict[str, Any]) -> pd.DataFrame:
    """The rows whose columns equal the given values; a missing value equals none."""
    keep = np.ones(len(frame), dtype=bool)
    for column, value in where.items():
        keep &= (frame[column] == value).to_numpy(dtype=bool, na_value=False)
    return frame[keep]


def run_columns(schema: pa.Schema, arguments: v.Columns) -> TestOutcome:
    """Compare a stored schema with the declared one."""
    found = {field.name: field.type for field in schema}
    wrong = [
        f"{name}: declared {kind}, found {declared_type(found[name])}"
        for name, kind in arguments.types.items()
        if name in found and not fits(found[name], kind)
    ]
    missing = [name for name in arguments.types if name not in found]
    extra = [name for name in found if name not in arguments.types]
    problems = [f"missing {missing}"] * bool(missing) + [f"undeclared {extra}"] * bool(extra) + wrong
    if not problems and list(found) != list(arguments.types):
        problems = [f"order {list(found)}"]
    return TestOutcome(not problems, len(found), detail="; ".join(problems))


def _missing(values: pd.Series, arguments: v.NotNull) -> pd.Index:
    elements = values.explode()  # an empty list becomes a missing value
    return elements.index[elements.isna()]


def _outside_values(values: pd.Series, arguments: v.AcceptedValues) -> pd.Index:
    elements = values.explode().dropna()
    return elements.index[~elements.isin(arguments.values)]


def _outside_range(values: pd.Series, arguments: v.AcceptedRange) -> pd.Index:
    elements = values.explode().dropna().astype("float64")
    low, high = arguments.lower, arguments.upper
    bad = pd.Series(False, index=elements.index)
    if low is not None:
        bad |= (elements < low) if arguments.above is None else (elements <= low)
    if high is not None:
        bad |= (elements > high) if arguments.below is None else (elements >= high)
    return elements.index[bad]


def _unlike(values: pd.Series, arguments: v.MatchesRegex) -> pd.Index:
    elements = values.explode().dropna()
    matches = re.compile(v.whole(arguments.pattern)).match
    return elements.index[[matches(item) is None for item in elements]]


def _wrong_length(values: pd.Series, arguments: v.ListLength) -> pd.Index:
    lengths = np.fromiter((0 if item is None else len(item) for item in values), dtype=np.int64, count=len(values))
    return values.index[(lengths < arguments.min) | (lengths > (np.inf if arguments.max is None else arguments.max))]


def _repeating(values: pd.Series, arguments: v.ListUnique) -> pd.Index:
    elements = values.explode().dropna()
    return elements.index[pd.DataFrame({"row": elements.index, "element": elements.to_numpy()}).duplicated().to_numpy()]


# Index labels of the failing rows, each at least once.
ON_LISTS: dict[type[v.TestArguments], Callable[[pd.Series, Any], pd.Index]] = {
    v.NotNull: _missing,
    v.AcceptedValues: _outside_values,
    v.AcceptedRange: _outside_range,
    v.MatchesRegex: _unlike,
    v.ListLength: _wrong_length,
    v.ListUnique: _repeating,
}


def _unknown(values: pd.Series, arguments: v.Relationships, load: LoadColumns) -> pd.Index:
    other = load(arguments.to, [arguments.field, *arguments.to_where])
    known = select_rows(other, arguments.to_where)[arguments.field].explode().dropna()
    elements = values.explode().dropna()
    return elements.index[~elements.isin(known.unique())]


def run_own(frame: pd.DataFrame, schema: pa.Schema, test: DeclaredTest, load: LoadColumns) -> TestOutcome:
    """Run one test that does not go through Great Expectations; a list fails if any of its elements does.

    Args:
        frame: the table, with a RangeIndex: index labels are row positions.
        schema: its stored schema.
        test: the test.
        load: `(asset, columns) -> DataFrame` of another table, for relationships.
    """
    arguments: Any = test.arguments
    if isinstance(arguments, v.Columns):
        return run_columns(schema, arguments)
    values = select_rows(frame, arguments.where)[str(test.column)]
    if isinstance(arguments, v.Relationships):
        bad = _unknown(values, arguments, load)
    else:
        bad = ON_LISTS[type(arguments)](values, arguments)
    return TestOutcome.of_rows(bad.unique().to_numpy(dtype=np.int64), len(values), arguments.mostly)
