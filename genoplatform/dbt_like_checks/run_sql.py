"""Tests as SQL over parquet files: every row test of tables too large for one frame, lists, other tables, conditions.

One entry a test gives the condition that a failing row meets. Nothing here holds more than the positions of the first
failing rows; sorting and grouping spill to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from genoplatform.dbt_like_checks import vocabulary as v
from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest
from genoplatform.dbt_like_checks.duck import ROW, equalities, literal, name_of, relation
from genoplatform.dbt_like_checks.outcome import KEPT_ROWS, TestOutcome

if TYPE_CHECKING:
    import duckdb

Locate = Callable[[str], Sequence[Path]]


class SqlTests:
    """Runs tests on one parquet artefact through one connection."""

    def __init__(self, con: duckdb.DuckDBPyConnection, path: Path, table: DeclaredTable, locate: Locate) -> None:
        self.con, self.table, self.locate = con, table, locate
        self.rows = relation([path], {name: item.type for name, item in table.columns.items()})

    def run(self, test: DeclaredTest) -> TestOutcome:
        """Outcome of one test.

        Raises:
            RuntimeError: the query crashed; that is a broken check, not bad data.
        """
        import duckdb

        try:
            return self._run(test)
        except duckdb.Error as error:
            raise RuntimeError(f"{test.name} crashed: {error}") from error

    def _run(self, test: DeclaredTest) -> TestOutcome:
        arguments: Any = test.arguments
        if isinstance(arguments, v.PartitionsPresent):
            return self._partitions(arguments)
        selected = f"(SELECT * FROM {self.rows} WHERE {equalities(arguments.where)})"  # noqa: S608 - quoted throughout
        (tested,) = self._one(f"SELECT count(*) FROM {selected}")  # noqa: S608
        if isinstance(arguments, v.RowCount):
            most = float("inf") if arguments.max is None else arguments.max
            return TestOutcome(arguments.min <= tested <= most, tested, detail=f"{tested} rows")
        failing = self._failing(test, selected)
        count, rows = self._one(f"SELECT count(*), min({name_of(ROW)}, {KEPT_ROWS}) FROM {failing}")  # noqa: S608
        return TestOutcome.of_rows(np.asarray(rows or [], dtype=np.int64), count, tested, arguments)

    def _failing(self, test: DeclaredTest, selected: str) -> str:
        arguments: Any = test.arguments
        if isinstance(arguments, v.Unique | v.UniqueCombination):
            columns = [str(test.column)] if isinstance(arguments, v.Unique) else arguments.columns
            return _repeated(selected, columns)
        if isinstance(arguments, v.Relationships):
            return self._unknown(test, selected)
        listed = test.column is not None and self.table.columns[test.column].is_list
        condition = (ON_LISTS if listed else ON_VALUES)[type(arguments)](name_of(test.column or ""), arguments)
        return f"(SELECT * FROM {selected} WHERE {condition})"  # noqa: S608

    def _unknown(self, test: DeclaredTest, selected: str) -> str:
        arguments: Any = test.arguments
        other = f"(SELECT * FROM {relation(self.locate(arguments.to))} WHERE {equalities(arguments.to_where)})"  # noqa: S608
        known = f"(SELECT DISTINCT {self._elements(arguments.to, arguments.field, other)} AS known FROM {other})"  # noqa: S608
        element = self._unnested(str(test.column), self.table.columns[str(test.column)].is_list)
        looked_up = f"(SELECT {name_of(ROW)}, {element} AS value FROM {selected})"  # noqa: S608
        # Distinct: a row with several unknown elements fails once.
        return (
            f"(SELECT DISTINCT {name_of(ROW)} FROM {looked_up} WHERE value IS NOT NULL"  # noqa: S608
            f" AND NOT EXISTS (SELECT 1 FROM {known} WHERE known = value))"
        )

    def _elements(self, asset: str, field: str, other: str) -> str:
        kind = self._one(f"SELECT any_value(typeof({name_of(field)})) FROM {other}")[0] or ""  # noqa: S608
        return self._unnested(field, kind.endswith("[]"))

    @staticmethod
    def _unnested(column: str, is_list: bool) -> str:
        return f"unnest({name_of(column)})" if is_list else name_of(column)

    def _partitions(self, arguments: v.PartitionsPresent) -> TestOutcome:
        column = name_of(arguments.column or "")
        query = f"SELECT {column}, count(*) FROM {self.rows} WHERE {column} IS NOT NULL GROUP BY 1"  # noqa: S608
        counts = dict(self.con.execute(query).fetchall())
        excused = arguments.or_empty and not counts
        wanted = [] if excused else arguments.values
        missing = [str(value) for value in wanted if counts.get(value, 0) < arguments.min_rows]
        return missing_partitions(missing, sum(counts.values()), f"of {column.strip(chr(34))}")

    def _one(self, query: str) -> Any:
        return self.con.execute(query).fetchone()


def missing_partitions(missing: Sequence[str], tested: int, place: str) -> TestOutcome:
    """Outcome of `partitions_present`, with the missing ones as its examples."""
    detail = f"missing {place}: {', '.join(missing[:10])}" + (" ..." if len(missing) > 10 else "") if missing else ""
    examples = tuple({"partition": item} for item in missing[:KEPT_ROWS])
    return TestOutcome(not missing, tested, detail=detail, examples=examples)


def _repeated(selected: str, columns: Sequence[str]) -> str:
    """Rows whose combination occurs again; missing equals missing, but nothing at all is no combination."""
    names = [name_of(column) for column in columns]
    there = " OR ".join(f"{name} IS NOT NULL" for name in names)
    # The row's position is joined, not the whole row: only the keys have to be held.
    keys = ", ".join(names)
    groups = f"(SELECT {keys} FROM {selected} WHERE {there} GROUP BY {keys} HAVING count(*) > 1)"  # noqa: S608
    same = " AND ".join(f"g.{name} IS NOT DISTINCT FROM t.{name}" for name in names)
    return f"(SELECT t.{name_of(ROW)} FROM {selected} t SEMI JOIN {groups} g ON {same})"  # noqa: S608


def _values(arguments: v.AcceptedValues) -> str:
    return ", ".join(literal(value) for value in arguments.values)


def _outside(value: str, a: v.AcceptedRange) -> str:
    bounds = [(a.min, "<"), (a.above, "<="), (a.max, ">"), (a.below, ">=")]
    return " OR ".join(f"{value} {sign} {literal(float(bound))}" for bound, sign in bounds if bound is not None)


def _unlike(value: str, arguments: v.MatchesRegex) -> str:
    return f"NOT regexp_full_match({value}, {literal(arguments.pattern)})"


def _any(column: str, condition: str) -> str:
    return f"len(list_filter({column}, lambda e: e IS NOT NULL AND ({condition}))) > 0"


def _wrong_length(column: str, a: v.ListLength) -> str:
    most = f" OR coalesce(len({column}), 0) > {a.max}" if a.max is not None else ""
    return f"coalesce(len({column}), 0) < {a.min}{most}"


_Condition = Callable[[str, Any], str]
ON_VALUES: Mapping[type[v.TestArguments], _Condition] = {
    v.NotNull: lambda column, a: f"{column} IS NULL",
    v.AcceptedValues: lambda column, a: f"{column} NOT IN ({_values(a)})",
    v.AcceptedRange: _outside,
    v.MatchesRegex: _unlike,
    v.Expression: lambda column, a: f"NOT ({a.sql})",
}
ON_LISTS: Mapping[type[v.TestArguments], _Condition] = {
    v.NotNull: lambda column, a: f"{column} IS NULL OR len({column}) = 0 OR {_any_missing(column)}",
    v.AcceptedValues: lambda column, a: _any(column, f"e NOT IN ({_values(a)})"),
    v.AcceptedRange: lambda column, a: _any(column, _outside("e", a)),
    v.MatchesRegex: lambda column, a: _any(column, _unlike("e", a)),
    v.ListLength: _wrong_length,
    v.ListUnique: lambda column, a: (
        f"len(list_distinct({column})) < len(list_filter({column}, lambda e: e IS NOT NULL))"
    ),
}


def _any_missing(column: str) -> str:
    return f"len(list_filter({column}, lambda e: e IS NULL)) > 0"
