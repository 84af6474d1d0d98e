"""What is remembered of a table to notice drift: rows, missing values, classes, quantiles, a sketch of its keys.

A summary is small (kilobytes) whatever the table's size, JSON, and deterministic. It is taken of a parquet artefact, a
frame or an Arrow table alike, so that a release can be summarised before it is anybody's artefact.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from genoplatform.dbt_like_checks.duck import connection, equalities, name_of, relation
from genoplatform.dbt_like_checks.vocabulary import Drift

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

GRID = 200  # quantiles kept of a numeric column, as a sample of equal weights
SKETCH = 1_024  # smallest hashes kept of a key: shares of keys to within about 1.5 points
MOST_CLASSES = 500
OTHER = "(other classes)"


class KeySketch(BaseModel):
    """The `SKETCH` smallest 64-bit hashes of the distinct values of a key, in hex, and how many values there are."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    distinct: int
    smallest: list[str]


class TableSummary(BaseModel):
    """One table as `compare` needs it. Columns it lacks are not in the maps: `missing_columns` names them."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    rows: int
    missing_columns: list[str] = []
    missing: dict[str, int] = {}
    classes: dict[str, dict[str, int]] = {}
    quantiles: dict[str, list[float]] = {}
    keys: dict[str, KeySketch] = {}


def summarise(table: Path | Sequence[Path] | pd.DataFrame | pa.Table, spec: Drift) -> TableSummary:
    """Summarise what a `drift` test looks at.

    Args:
        table: a parquet file, several of one schema, a frame, or an Arrow table.
        spec: which columns count how; its thresholds do not matter here.
    """
    with connection() as con:
        rows, columns = _opened(con, table)
        gone = [name for name in spec.used_columns() if name not in columns]
        where = {name: value for name, value in spec.where.items() if name not in gone}
        selected = f"(SELECT * FROM {rows} WHERE {equalities(where)})"  # noqa: S608 - quoted names and literals only
        there = [name for name in spec.looked_at() if name not in gone]
        counts = ", ".join(["count(*)", *(f"count({name_of(name)})" for name in there)])
        total, *known = con.execute(f"SELECT {counts} FROM {selected}").fetchone() or (0,)  # noqa: S608
        asked = _Asked(con, selected)
        return TableSummary(
            rows=total,
            missing_columns=gone,
            missing={name: total - count for name, count in zip(there, known, strict=True)},
            classes={name: asked.classes(name) for name in spec.classes if name not in gone},
            quantiles={name: asked.quantiles(name) for name in spec.numbers if name not in gone},
            keys={key: asked.keys(key) for key in spec.keys if not set(key.split("+")) & set(gone)},
        )


def _opened(con: duckdb.DuckDBPyConnection, table: Any) -> tuple[str, list[str]]:
    paths = [table] if isinstance(table, Path) else table
    if isinstance(paths, list | tuple):
        import pyarrow.parquet as pq

        return relation(paths), pq.read_schema(paths[0]).names
    from genoplatform.provenance.arrow_table import arrow_table

    whole = arrow_table(table)
    con.register("handed_in", whole)
    return "handed_in", whole.column_names


class _Asked:
    """Questions about one relation."""

    def __init__(self, con: duckdb.DuckDBPyConnection, selected: str) -> None:
        self.con, self.selected = con, selected

    def _rows(self, query: str) -> list[Any]:
        return self.con.execute(query).fetchall()

    def _element(self, column: str) -> str:
        ((kind,),) = self._rows(f"SELECT any_value(typeof({name_of(column)})) FROM {self.selected}")  # noqa: S608
        return f"unnest({name_of(column)})" if (kind or "").endswith("[]") else name_of(column)

    def classes(self, column: str) -> dict[str, int]:
        """Rows by class, the largest `MOST_CLASSES` of them and the rest together."""
        values = f"(SELECT CAST({self._element(column)} AS VARCHAR) AS class FROM {self.selected})"  # noqa: S608
        counted = self._rows(
            f"SELECT class, count(*) AS n FROM {values} WHERE class IS NOT NULL GROUP BY class ORDER BY n DESC, class"  # noqa: S608
        )
        kept = dict(counted[:MOST_CLASSES])
        rest = sum(count for _, count in counted[MOST_CLASSES:])
        return dict(sorted(kept.items())) | ({OTHER: rest} if rest else {})

    def quantiles(self, column: str) -> list[float]:
        """`GRID` values that stand for equal shares of the column; all of it where it has fewer."""
        value = f"CAST({name_of(column)} AS DOUBLE)"
        steps = ", ".join(repr((step + 0.5) / GRID) for step in range(GRID))
        ((found,),) = self._rows(
            f"SELECT quantile_disc({value}, [{steps}]) FROM {self.selected} "  # noqa: S608
            f"WHERE {name_of(column)} IS NOT NULL AND NOT isnan({value}) AND NOT isinf({value})"
        )
        return list(found or [])

    def keys(self, key: str) -> KeySketch:
        """Sketch of the distinct values (combinations) of a key; missing parts are empty texts."""
        parts = ", ".join(f"coalesce(CAST({name_of(name)} AS VARCHAR), '')" for name in key.split("+"))
        hashes = f"(SELECT DISTINCT md5_number_upper(concat_ws(chr(31), {parts})) AS h FROM {self.selected})"  # noqa: S608
        ((count, smallest),) = self._rows(f"SELECT count(*), min(h, {SKETCH}) FROM {hashes}")  # noqa: S608
        return KeySketch(distinct=count, smallest=[f"{item:016x}" for item in smallest or []])
