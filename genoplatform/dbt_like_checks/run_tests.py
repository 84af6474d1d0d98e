"""Run declared tests on one stored table: which goes through Great Expectations, which is SQL, which cannot run at all.

Great Expectations needs its rows as a frame, so it gets those of tables that fit; every test has its SQL too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest
from genoplatform.dbt_like_checks.drift import breaches, compare
from genoplatform.dbt_like_checks.duck import connection
from genoplatform.dbt_like_checks.outcome import KEPT_ROWS, TestOutcome
from genoplatform.dbt_like_checks.run_expectations import EXPECTATIONS, run_expectations
from genoplatform.dbt_like_checks.run_sql import Locate, SqlTests, missing_partitions
from genoplatform.dbt_like_checks.run_tables import declared_type, fits, run_columns
from genoplatform.dbt_like_checks.summaries import TableSummary, summarise
from genoplatform.dbt_like_checks.vocabulary import Columns, Drift, PartitionsPresent

FRAME_BYTES = 256 << 20
_EMPTY_AS = {"string": "str", "int": "Int64", "float": "float64", "bool": "boolean"}


def _nowhere(asset: str) -> Sequence[Path]:
    raise FileNotFoundError(asset)


@dataclass(frozen=True)
class Around:
    """What tests look at beside the table itself.

    Attributes:
        locate: parquet files of another table, verified; raises where there are none.
        last_good: the summary a drift test compares with; None before there is one.
        stored: partitions of the table in the store.
        partition: the one a run made; None when all are looked at.
        frame_bytes: largest table (in bytes, uncompressed) that is tested as a frame.
        spill: where sorts that outgrow the memory go.
    """

    locate: Locate = _nowhere
    last_good: Callable[[Drift], TableSummary | None] = lambda spec: None
    stored: Sequence[str] = field(default_factory=tuple)
    partition: str | None = None
    frame_bytes: int = FRAME_BYTES
    spill: Path | None = None


def run_tests(
    path: Path, table: DeclaredTable, tests: list[DeclaredTest], around: Around | None = None
) -> dict[str, TestOutcome]:
    """Run declared tests on one stored parquet artefact.

    A test fails, saying so, if a column it looks at is missing or of another type: then it cannot be run.

    Returns:
        Outcomes by test name; failing rows are positions in the file.

    Raises:
        RuntimeError: a test crashed; that is a broken check, not bad data.
    """
    around = around or Around()
    schema, size = pq.read_schema(path), _table_bytes(path)
    outcomes = {}
    for test in tests:
        if obstacle := _obstacle(schema, table, test):
            outcomes[test.name] = TestOutcome(False, 0, detail=obstacle)
        elif isinstance(test.arguments, Columns):
            outcomes[test.name] = run_columns(schema, test.arguments)
    runnable = [test for test in tests if test.name not in outcomes]
    if size <= around.frame_bytes and (known := [test for test in runnable if _is_expectation(test, table)]):
        frame = _frame(path, schema, table, known)
        outcomes |= dict(zip((test.name for test in known), run_expectations(frame, known), strict=True))
    with connection(around.spill) as con:
        sql = SqlTests(con, path, table, around.locate)
        for test in runnable:
            if test.name not in outcomes:
                outcomes[test.name] = _beside(test, path, around) or sql.run(test)
    return {test.name: outcomes[test.name] for test in tests}


def failing_keys(path: Path, table: DeclaredTable, outcome: TestOutcome) -> list[dict[str, str]]:
    """Keys of the failing rows an outcome names, in their order; positions where the table lacks its key."""
    if not len(outcome.failing):
        return list(outcome.examples)
    file = pq.ParquetFile(path)
    key = [name for name in table.key if name in file.schema_arrow.names]
    if not key:
        return [{"row": str(position)} for position in outcome.failing.tolist()]
    found: list[dict[str, Any]] = []
    start, wanted = 0, set(outcome.failing.tolist())
    for batch in file.iter_batches(columns=key):
        here = [position - start for position in range(start, start + batch.num_rows) if position in wanted]
        found += batch.take(pa.array(here, pa.int64())).to_pylist() if here else []
        start += batch.num_rows
    return [{name: str(value) for name, value in row.items()} for row in found]


def _beside(test: DeclaredTest, path: Path, around: Around) -> TestOutcome | None:
    """Outcome of a test that is about more than the rows; None for any other."""
    arguments = test.arguments
    if isinstance(arguments, Drift):
        return _drifted(path, arguments, around.last_good(arguments))
    if isinstance(arguments, PartitionsPresent) and arguments.column is None:
        # What other partitions lack is theirs, or another run's, to say.
        wanted = arguments.values if around.partition is None else []
        missing = [str(value) for value in wanted if value not in around.stored]
        return missing_partitions(missing, len(around.stored), "in the store")
    return None


def _drifted(path: Path, spec: Drift, before: TableSummary | None) -> TestOutcome:
    now = summarise(path, spec)
    if before is None:
        return TestOutcome(True, now.rows, detail="nothing earlier to compare with")
    wrong = breaches(compare(before, now, spec))
    examples = tuple({"kind": item.kind, "place": item.place, "found": item.text} for item in wrong[:KEPT_ROWS])
    return TestOutcome(not wrong, now.rows, detail="; ".join(item.text for item in wrong), examples=examples)


def _table_bytes(path: Path) -> int:
    metadata = pq.read_metadata(path)
    return sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))


def _frame(path: Path, schema: pa.Schema, table: DeclaredTable, tests: list[DeclaredTest]) -> pd.DataFrame:
    used = {name for test in tests for name in test.used_columns} or {schema.names[0]}
    columns = [field for field in schema if field.name in used]
    table_of = pq.read_table(path, columns=[field.name for field in columns])
    frame: pd.DataFrame = table_of.to_pandas().reset_index(drop=True)
    # A column of only nulls carries no type in parquet; the declaration has one.
    kinds = {
        field.name: _EMPTY_AS[table.columns[field.name].type]
        for field in columns
        if pa.types.is_null(field.type) and field.name in table.columns and not table.columns[field.name].is_list
    }
    return frame.astype(kinds)


def _obstacle(schema: pa.Schema, table: DeclaredTable, test: DeclaredTest) -> str:
    if isinstance(test.arguments, Drift):
        return ""  # a column that is gone is what it is there to report
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
