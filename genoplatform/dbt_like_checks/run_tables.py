"""Stored schemas against declared ones, and the rows a filter keeps of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from genoplatform.dbt_like_checks import vocabulary as v
from genoplatform.dbt_like_checks.outcome import TestOutcome

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
