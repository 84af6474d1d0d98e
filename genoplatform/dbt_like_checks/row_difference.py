"""How many rows of one stored table another lacks, whatever their order."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from genoplatform.dbt_like_checks.duck import connection, literal, name_of


def row_difference(old: Path, new: Path) -> tuple[int, int]:
    """Rows of `old` that `new` lacks and the other way round, copies counted, over the columns both have."""
    there = pq.read_schema(new).names
    columns = ", ".join(name_of(name) for name in pq.read_schema(old).names if name in there)
    if not columns:
        return pq.read_metadata(old).num_rows, pq.read_metadata(new).num_rows
    tables = [f"SELECT {columns} FROM read_parquet({literal(str(path))})" for path in (old, new)]  # noqa: S608
    with connection() as con:
        counted = [
            con.execute(f"SELECT count(*) FROM ({one} EXCEPT ALL {other})").fetchone()  # noqa: S608
            for one, other in (tables, tables[::-1])
        ]
    return tuple(int(row[0]) if row else 0 for row in counted)  # type: ignore[return-value]
