"""Declaring a table and running its tests on a real parquet file, in as few words as a test needs."""

import pandas as pd

from genoplatform.dbt_like_checks.declared import parse_tables
from genoplatform.dbt_like_checks.run_tests import FRAME_BYTES, Around, run_tests
from genoplatform.dbt_like_checks.vocabulary import Relationships
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


def outcomes_of(folder, table, frame, load=None, tests=None, frame_bytes=FRAME_BYTES):
    """(test, column) -> outcome of every test of a table on a frame written to parquet.

    `load(asset, columns)` gives the frames of other tables; `frame_bytes=0` tests it as one too large for a frame.
    """
    path = folder / "table.parquet"
    FORMATS["parquet"].write(path, frame)
    tests = table.declared_tests() if tests is None else tests
    around = Around(
        locate=lambda asset: [_other(folder, asset, load, tests)], frame_bytes=frame_bytes, partition="table"
    )
    outcomes = run_tests(path, table, tests, around)
    assert set(outcomes) == {test.name for test in tests}
    return {(test.test, test.column): outcomes[test.name] for test in tests}


def _other(folder, asset, load, tests):
    related = [test.arguments for test in tests if isinstance(test.arguments, Relationships)]
    columns = {name for item in related if item.to == asset for name in (item.field, *item.to_where)}
    path = folder / f"{asset.replace('/', '_')}.parquet"
    FORMATS["parquet"].write(path, load(asset, sorted(columns)))
    return path
