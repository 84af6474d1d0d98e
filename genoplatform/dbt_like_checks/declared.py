"""The declared tables: YAML beside the compiler, one file a group, validated to the last argument when loaded.

A table declares its columns (type, description, tests) and table-wide tests, as dbt users know them. Unknown tests,
columns and arguments are errors at load. How a test runs is the compiler's business (`compile.py`).
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import dagster as dg
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from genoplatform.dbt_like_checks.vocabulary import (
    VOCABULARY,
    Filtered,
    Relationships,
    RowTest,
    TestArguments,
    is_of,
)
from genoplatform.errors import SettingsError
from genoplatform.provenance import canonical_json
from genoplatform.settings.yaml_text import read_mapping

DECLARATIONS = Path(__file__).parent
ColumnType = Literal["string", "int", "float", "bool", "list<string>"]


class Column(BaseModel):
    """A declared column."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    type: ColumnType
    description: str = Field(min_length=1)
    tests: list[str | dict[str, dict[str, Any]]] = []

    @property
    def element_type(self) -> str:
        """The declared type, of a list that of its elements."""
        return self.type.removeprefix("list<").removesuffix(">")

    @property
    def is_list(self) -> bool:
        """Whether the column holds lists."""
        return self.type.startswith("list<")


class DeclaredTable(BaseModel):
    """A declared table: what it holds, its key, its columns and its tests."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    asset: str = Field(pattern=r"^[a-z0-9_]+/[a-z0-9_]+/[a-z0-9_]+$")
    key: list[str] = Field(min_length=1)
    columns: dict[Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+$")], Column] = Field(min_length=1)
    tests: list[str | dict[str, dict[str, Any]]] = []

    def table_schema(self) -> dg.TableSchema:
        """The declaration as Dagster shows it."""
        return dg.TableSchema(
            columns=[dg.TableColumn(name, item.type, item.description) for name, item in self.columns.items()]
        )

    def declared_tests(self) -> list[DeclaredTest]:
        """Every test of the table, the implied `columns` test first."""
        types = {name: item.type for name, item in self.columns.items()}
        found = [DeclaredTest.build(self.asset, "columns", None, {"types": types})]
        for name, item in self.columns.items():
            found += [DeclaredTest.build(self.asset, test, name, args) for test, args in _entries(item.tests)]
        found += [DeclaredTest.build(self.asset, test, None, args) for test, args in _entries(self.tests)]
        return found

    def refuse_what_cannot_run(self) -> None:
        """Raise SettingsError if a test does not go with the columns it names, or stands there twice."""
        tests = self.declared_tests()
        problems = [f"key column {name!r} is not declared" for name in self.key if name not in self.columns]
        problems += [f"{test.name}: {problem}" for test in tests for problem in _misfits(test, self.columns)]
        names = [test.name for test in tests]
        problems += [f"{name} stands there twice" for name in sorted({name for name in names if names.count(name) > 1})]
        if problems:
            raise SettingsError(f"loading the checks of {self.asset}", "; ".join(problems))


class DeclaredTest(BaseModel):
    """One test of one table, with validated arguments."""

    model_config = ConfigDict(frozen=True)
    asset: str
    test: str
    column: str | None
    arguments: TestArguments

    @classmethod
    def build(cls, asset: str, test: str, column: str | None, arguments: dict[str, Any]) -> DeclaredTest:
        """Validate one YAML entry.

        Raises:
            SettingsError: unknown test or argument, or a bad value.
        """
        tried = f"loading the checks of {asset}"
        model = VOCABULARY.get(test)
        if model is None:
            raise SettingsError(tried, f"unknown test {test!r}", f"one of {', '.join(sorted(VOCABULARY))}")
        if model.on_column != (column is not None):
            raise SettingsError(tried, f"{test!r} belongs to {'a column' if model.on_column else 'the table'}")
        try:
            parsed = model.model_validate(arguments)
        except ValidationError as error:
            raise SettingsError(tried, f"{test} of {column or 'the table'}: {_explain(error)}") from error
        return cls(asset=asset, test=test, column=column, arguments=parsed)

    @property
    def name(self) -> str:
        """`<test>_<column>_<8 hex of the arguments>`.

        Severity is left out so that history survives its change, defaults so that it survives a grown vocabulary.
        """
        arguments = self.arguments.model_dump(mode="json", exclude={"severity"}, exclude_defaults=True)
        digest = hashlib.sha256(canonical_json([self.test, self.column, arguments])).hexdigest()[:8]
        return "_".join(part for part in (self.test, self.column, digest) if part)

    @property
    def severity(self) -> Literal["warn", "error"]:
        """`error` blocks what is downstream."""
        return self.arguments.severity

    @property
    def used_columns(self) -> list[str]:
        """Every column the test looks at, the tested one first."""
        return [*([self.column] if self.column else []), *self.arguments.used_columns()]

    def describe(self) -> str:
        """The test in words."""
        text = f"{self.column}: {self.arguments.describe()}" if self.column else self.arguments.describe()
        if isinstance(self.arguments, Filtered) and self.arguments.where:
            text += " where " + " and ".join(f"{name} = {value}" for name, value in self.arguments.where.items())
        if isinstance(self.arguments, RowTest) and self.arguments.mostly < 1:
            text += f", in at least {self.arguments.mostly:.4g} of the rows"
        if isinstance(self.arguments, RowTest) and self.arguments.has_thresholds:
            limits = (("error", self.arguments.error_if), ("warning", self.arguments.warn_if))
            text += "; " + ", ".join(f"{word} if {limit} rows fail" for word, limit in limits if limit)
        return text


def _misfits(test: DeclaredTest, columns: dict[str, Column]) -> Iterator[str]:
    arguments = test.arguments
    unknown = [name for name in test.used_columns if name not in columns]
    yield from (f"no column {name!r}" for name in unknown)
    yield from arguments.misfits({name: item.type for name, item in columns.items()})
    tested = [test.column] if test.column else []
    tested += arguments.tested_columns()
    for name in tested:
        if name in columns and not _fits(arguments, columns[name]):
            yield f"it cannot test {name}, a column of {columns[name].type}"
    for name, values in arguments.values_of(test.column):
        if name not in columns:
            continue
        if name != test.column and columns[name].is_list:
            yield f"where {name}: a list is equal to no single value"
        elif wrong := [value for value in values if not is_of(value, columns[name].element_type)]:
            yield f"{wrong} cannot be in {name}, a column of {columns[name].type}"


def _fits(arguments: TestArguments, column: Column) -> bool:
    right_shape = arguments.on_lists == "too" or (arguments.on_lists == "only") == column.is_list
    return right_shape and column.element_type in arguments.fits


def _explain(error: ValidationError) -> str:
    places = ((".".join(str(part) for part in fault["loc"]), fault["msg"]) for fault in error.errors())
    return "; ".join(f"{place}: {message}" if place else message for place, message in places)


def _entries(tests: list[str | dict[str, dict[str, Any]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for entry in tests:
        if isinstance(entry, str):
            yield entry, {}
        else:
            yield from entry.items()


def parse_tables(content: dict[str, Any], origin: str) -> dict[str, DeclaredTable]:
    """Validate the content of one declarations file.

    Raises:
        SettingsError: naming the asset, and the test, column or argument that is wrong.
    """
    tables = {}
    for asset, body in content.items():
        if not isinstance(body, dict) or "asset" in body:
            raise SettingsError(f"reading {origin}", f"{asset}: not a table's key, columns and tests")
        try:
            table = DeclaredTable.model_validate({"asset": asset, **body})
        except ValidationError as error:
            raise SettingsError(f"reading {origin}", f"{asset} {_explain(error)}") from error
        table.refuse_what_cannot_run()
        tables[asset] = table
    return tables


def load_tables(folder: Path) -> dict[str, DeclaredTable]:
    """Every table declared by the YAML files of a folder, by asset key.

    Raises:
        SettingsError: a wrong declaration, a table declared twice, a relationship that leads to no declared column.
    """
    tables: dict[str, DeclaredTable] = {}
    for path in sorted(folder.glob("*.yml")):
        parsed = parse_tables(read_mapping(path), path.name)
        if again := sorted(tables.keys() & parsed.keys()):
            raise SettingsError(f"reading {path.name}", f"{', '.join(again)}: declared in another file too")
        tables |= parsed
    for table in tables.values():
        for test in table.declared_tests():
            if isinstance(test.arguments, Relationships) and (problem := _dangling(test.arguments, tables)):
                raise SettingsError(f"loading the checks of {table.asset}", f"{test.name}: {problem}")
    return tables


def _dangling(arguments: Relationships, tables: dict[str, DeclaredTable]) -> str:
    if arguments.to not in tables:
        return f"no declared table {arguments.to!r}"
    columns = tables[arguments.to].columns
    for name in (arguments.field, *arguments.to_where):
        if name not in columns:
            return f"{arguments.to} has no column {name!r}"
    wrong = [name for name, value in arguments.to_where.items() if not is_of(value, columns[name].type)]
    return f"to_where {wrong}: no such value in {arguments.to}" if wrong else ""


@functools.cache
def declared_tables() -> dict[str, DeclaredTable]:
    """Every table the package declares, by asset key."""
    return load_tables(DECLARATIONS)
