"""Declaring a table and running its tests on a real parquet file, in as few words as a test needs."""

import pandas as pd

from genoplatform.dbt_like_checks.declared import parse_tables
from genoplatform.dbt_like_checks.run_tests import run_tests
from genoplatform.provenance.formats import FORMATS

ASSET = "core/test/table"
DTYPES = {"string": "str", "int": "Int64", "float": "float64", "bool": "boolean"}


def declared(columns, tests=(), key=None, asset=ASSET):
    """A declared table: column name -> type, or (type, tests)."""
    columns = {name: item if isinstance(item, tuple) else (item, []) for name, item in columns.items()}
    body = {
        "key": key or [next(iter(columns))],
        "columns": {n: {"type": kind, "description": n, "tests": list(on)} for n, (kind, on) in columns.items()},
        "tests": list(tests),
    }
    return parse_tables({asset: body}, "test.yml")[asset]


def frame_of(table, **values):
    """A frame of the declared types."""
    kinds = {name: DTYPES.get(item.type, object) for name, item in table.columns.items()}
    return pd.DataFrame({name: pd.Series(items, dtype=kinds.get(name)) for name, items in values.items()})


def outcomes_of(folder, table, frame, load=None, tests=None):
    """(test, column) -> outcome of every test of a table on a frame written to parquet."""
    path = folder / "table.parquet"
    FORMATS["parquet"].write(path, frame)
    tests = table.declared_tests() if tests is None else tests
    _, outcomes = run_tests(path, table, tests, load)
    assert set(outcomes) == {test.name for test in tests}
    return {(test.test, test.column): outcomes[test.name] for test in tests}
