"""Run declared tests on one stored table: which goes through Great Expectations, which not, which cannot run at all."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest
from genoplatform.dbt_like_checks.outcome import TestOutcome
from genoplatform.dbt_like_checks.run_expectations import EXPECTATIONS, run_expectations
from genoplatform.dbt_like_checks.run_tables import LoadColumns, declared_type, fits, run_own

_EMPTY_AS = {"string": "str", "int": "Int64", "float": "float64", "bool": "boolean"}


def run_tests(
    path: Path, table: DeclaredTable, tests: list[DeclaredTest], load: LoadColumns
) -> tuple[pd.DataFrame, dict[str, TestOutcome]]:
    """Run declared tests on one stored parquet artefact, read once.

    A test fails, saying so, if a column it looks at is missing or of another type: then it cannot be run.

    Args:
        path: the artefact.
        table: its declaration.
        tests: which of its tests.
        load: `(asset, columns) -> DataFrame` of another table, for relationships.

    Returns:
        The frame read (RangeIndex), and the outcomes by test name; failing rows are positions in the frame.

    Raises:
        RuntimeError: a test crashed; that is a broken check, not bad data.
    """
    schema = pq.read_schema(path)
    frame = _typed(pd.read_parquet(path).reset_index(drop=True), schema, table)
    outcomes = {}
    for test in tests:
        if obstacle := _obstacle(schema, table, test):
            outcomes[test.name] = TestOutcome(False, len(frame), detail=obstacle)
    runnable = [test for test in tests if test.name not in outcomes]
    known = [test for test in runnable if _is_expectation(test, table)]
    outcomes |= dict(zip((test.name for test in known), run_expectations(frame, known), strict=True))
    for test in runnable:
        if test.name not in outcomes:
            outcomes[test.name] = run_own(frame, schema, test, load)
    return frame, outcomes


def _typed(frame: pd.DataFrame, schema: pa.Schema, table: DeclaredTable) -> pd.DataFrame:
    # A column of only nulls carries no type in parquet; the declaration has one.
    kinds = {
        field.name: _EMPTY_AS[table.columns[field.name].type]
        for field in schema
        if pa.types.is_null(field.type) and field.name in table.columns and not table.columns[field.name].is_list
    }
    return frame.astype(kinds)


def _obstacle(schema: pa.Schema, table: DeclaredTable, test: DeclaredTest) -> str:
    for name in test.used_columns:
        if name not in schema.names:
            return f"not run: there is no column {name!r}"
        kind, declared = schema.field(name).type, table.columns[name].type
        if not fits(kind, declared):
            return f"not run: {name} holds {declared_type(kind)}, not {declared}"
    return ""


def _is_expectation(test: DeclaredTest, table: DeclaredTable) -> bool:
    on_list = test.column is not None and table.columns[test.column].is_list
    return type(test.arguments) in EXPECTATIONS and not on_list
