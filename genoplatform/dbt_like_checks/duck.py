"""Parquet files as DuckDB relations: what is too large for one frame, or compares tables, is asked in SQL.

Belongs here: opening a connection that stays within its memory, and a relation whose columns have the declared types,
missing as one value (NaN is NULL) and row positions. Not here: what is asked (`run_sql.py`, `summaries.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

ROW = "#row"
_MEMORY = "1GB"
_TYPES = {"string": "VARCHAR", "int": "BIGINT", "float": "DOUBLE", "bool": "BOOLEAN", "list<string>": "VARCHAR[]"}


@contextmanager
def connection(spill: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty in-memory database of bounded memory; larger sorts and groups go to files below `spill`."""
    import duckdb

    config: dict[str, Any] = {"threads": 2, "memory_limit": _MEMORY, "autoinstall_known_extensions": False}
    config |= {"temp_directory": str(spill)} if spill else {}
    con = duckdb.connect(":memory:", config=config)
    try:
        yield con
    finally:
        con.close()


def name_of(column: str) -> str:
    """A column's name, quoted."""
    return '"' + column.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A YAML scalar as an SQL literal."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return f"'{value!r}'::DOUBLE" if isinstance(value, float) else str(value)
    return "'" + str(value).replace("'", "''") + "'"


def equalities(where: Mapping[str, Any]) -> str:
    """The condition that columns equal the given values; TRUE for none."""
    return " AND ".join(f"{name_of(name)} = {literal(value)}" for name, value in where.items()) or "TRUE"


def relation(paths: Sequence[Path], types: Mapping[str, str] | None = None) -> str:
    """A subquery over parquet files of one schema: its columns, and `#row`, the position within each file.

    Args:
        paths: the files.
        types: declared type by column, for columns of only missing values, which carry none.
    """
    import pyarrow.parquet as pq

    schema = pq.read_schema(paths[0])
    columns = ", ".join(_column(field, (types or {}).get(field.name)) for field in schema)
    files = ", ".join(literal(str(path)) for path in paths)
    read = f"read_parquet([{files}], file_row_number = true)"
    return f"(SELECT file_row_number AS {name_of(ROW)}, {columns} FROM {read})"  # noqa: S608 - quoted names and literals


def _column(field: pa.Field, declared: str | None) -> str:
    import pyarrow as pa

    name = name_of(field.name)
    if pa.types.is_floating(field.type):
        return f"CASE WHEN isnan({name}) THEN NULL ELSE {name} END AS {name}"
    if pa.types.is_null(field.type) or (pa.types.is_list(field.type) and pa.types.is_null(field.type.value_type)):
        return f"CAST({name} AS {_TYPES.get(declared or 'string', 'VARCHAR')}) AS {name}"
    return name
