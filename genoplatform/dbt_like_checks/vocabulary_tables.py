"""Tests of a whole table: one argument model a test. What a test means is here; how it is run is in `run_*.py`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveInt, model_validator

from genoplatform.dbt_like_checks.arguments import Filtered, RowTest, Scalar, TestArguments
from genoplatform.dbt_like_checks.expressions import columns_of, safe_expression

Share = Annotated[float, Field(ge=0, le=1)]


class UniqueCombination(RowTest):
    """No combination of the columns' values occurs twice."""

    on_column: ClassVar[bool] = False
    on_lists: ClassVar[Literal["too", "only", "never"]] = "never"
    columns: Annotated[list[str], Field(min_length=2)]

    def used_columns(self) -> list[str]:
        """Columns the arguments name."""
        return [*self.columns, *self.where]

    def tested_columns(self) -> list[str]:
        """Those of them that the test is about, whose types it must fit."""
        return self.columns

    def describe(self) -> str:
        """The test in words."""
        return f"({', '.join(self.columns)}) occurs once"


class RowCount(Filtered):
    """The number of rows lies between bounds, inclusive."""

    on_column: ClassVar[bool] = False
    min: NonNegativeInt = 1
    max: NonNegativeInt | None = None

    @model_validator(mode="after")
    def _ordered(self) -> RowCount:
        if self.max is not None and self.min > self.max:
            raise ValueError(f"{self.min} is more than {self.max}")
        return self

    def describe(self) -> str:
        """The test in words."""
        return f"at least {self.min} rows" + (f", at most {self.max}" if self.max is not None else "")


class Columns(TestArguments):
    """Exactly the declared columns, in order, of the declared types. Implied for every table."""

    on_column: ClassVar[bool] = False
    types: dict[str, str]

    def describe(self) -> str:
        """The test in words."""
        return f"columns {', '.join(self.types)}"


class Expression(RowTest):
    """An SQL condition holds in every row; as in an SQL CHECK, an unknown (NULL) result is no failure."""

    on_column: ClassVar[bool] = False
    sql: Annotated[str, AfterValidator(safe_expression)]

    def used_columns(self) -> list[str]:
        """Columns the arguments name."""
        return [*columns_of(self.sql), *self.where]

    def describe(self) -> str:
        """The test in words."""
        return self.sql


class PartitionsPresent(TestArguments):
    """Every listed partition is there.

    With `column`: every value occurs in that column, in at least `min_rows` rows (a table gathered from all
    partitions, or one with the partition as a column). Without: the store holds an artefact of every listed partition;
    a run of one partition is not blamed for those that another run makes.
    """

    on_column: ClassVar[bool] = False
    on_lists: ClassVar[Literal["too", "only", "never"]] = "never"
    values: Annotated[list[Scalar], Field(min_length=1)]
    column: str | None = None
    min_rows: PositiveInt = 1
    or_empty: bool = False

    @model_validator(mode="after")
    def _keys_are_texts(self) -> PartitionsPresent:
        if self.column is None and not all(isinstance(value, str) for value in self.values):
            raise ValueError("keys of stored partitions are texts: quote them")
        if self.column is None and (self.min_rows > 1 or self.or_empty):
            raise ValueError("min_rows and or_empty need a column")
        return self

    def used_columns(self) -> list[str]:
        """Columns the arguments name."""
        return [self.column] if self.column else []

    def tested_columns(self) -> list[str]:
        """Those of them that the test is about, whose types it must fit."""
        return self.used_columns()

    def values_of(self, column: str | None) -> list[tuple[str, list[Any]]]:
        """(column, values it is compared with) for every column compared with literal values."""
        return [(self.column, list(self.values))] if self.column else []

    def describe(self) -> str:
        """The test in words."""
        place = f"{self.column} has" if self.column else "stored are"
        return f"{place} {', '.join(map(str, self.values))}"


class Drift(Filtered):
    """The table is still what it was when its blocking checks last passed (`drift.py` compares, `last_good.py` keeps).

    Attributes:
        classes: columns whose values are classes (of a list column: its elements); counted by class.
        numbers: numeric columns, compared by their quantiles (population stability index).
        keys: columns, or combinations ("a+b"), whose distinct values should stay; combinations notice swapped ids.
        rows_lost, rows_gained: most that may go, or come, as a share of the rows before.
        class_lost: most that a class of at least `min_class` rows may shrink. One that vanishes is always a breach.
        keys_lost: most of the distinct keys that may go, as a share.
        missing_gained: most by which the share of missing values of a listed column may grow.
        psi: largest population stability index; 0.1 is read as a small shift, 0.25 as a large one.
    """

    on_column: ClassVar[bool] = False
    classes: list[str] = Field(default_factory=list)
    numbers: list[str] = Field(default_factory=list)
    keys: list[str] = Field(default_factory=list)
    rows_lost: Share = 0.1
    rows_gained: NonNegativeFloat = 0.5
    class_lost: Share = 0.5
    min_class: PositiveInt = 20
    keys_lost: Share = 0.1
    missing_gained: Share = 0.05
    psi: NonNegativeFloat = 0.25

    def used_columns(self) -> list[str]:
        """Columns the arguments name."""
        return list(dict.fromkeys([*self.looked_at(), *self.where]))

    def misfits(self, types: dict[str, str]) -> list[str]:
        """Numbers that are none, and keys that are lists."""
        parts = [part for key in self.keys for part in key.split("+")]
        wrong = [f"numbers: {name} is {types[name]}" for name in self.numbers if types.get(name) in ("string", "bool")]
        return wrong + [f"a list: {name}" for name in (*self.numbers, *parts) if types.get(name, "").startswith("list")]

    def looked_at(self) -> list[str]:
        """Columns that are summarised, each once."""
        parts = [name for key in self.keys for name in key.split("+")]
        return list(dict.fromkeys([*self.classes, *self.numbers, *parts]))

    def describe(self) -> str:
        """The test in words."""
        return f"as when last good: rows, {', '.join([*self.classes, *self.numbers, *self.keys]) or 'nothing more'}"
