"""Tests of one column: one argument model a test. What a test means is here; how it is run is in `run_*.py`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, NonNegativeInt, model_validator

from genoplatform.dbt_like_checks.arguments import Bound, RowTest, Scalar, anchored


class NotNull(RowTest):
    """No value is missing; for lists, none is missing or empty, and no element is missing."""

    def describe(self) -> str:
        """The test in words."""
        return "every value is there"


class Unique(RowTest):
    """No value occurs twice."""

    on_lists: ClassVar[Literal["too", "only", "never"]] = "never"

    def describe(self) -> str:
        """The test in words."""
        return "no value occurs twice"


class AcceptedValues(RowTest):
    """Every value (of a list: every element) is one of a list."""

    values: Annotated[list[Scalar], Field(min_length=1)]

    def values_of(self, column: str | None) -> list[tuple[str, list[Any]]]:
        """(column, values it is compared with) for every column compared with literal values."""
        return [*super().values_of(column), (column or "", self.values)]

    def describe(self) -> str:
        """The test in words."""
        return f"one of {', '.join(map(str, self.values))}"


class AcceptedRange(RowTest):
    """Every value (of a list: every element) lies between bounds; `min`, `max` are inclusive, `above`, `below` not."""

    fits: ClassVar[tuple[str, ...]] = ("int", "float")
    min: Bound | None = None
    max: Bound | None = None
    above: Bound | None = None
    below: Bound | None = None

    @property
    def lower(self) -> float | None:
        """The lower bound, inclusive unless it is `above`."""
        return self.min if self.above is None else self.above

    @property
    def upper(self) -> float | None:
        """The upper bound, inclusive unless it is `below`."""
        return self.max if self.below is None else self.below

    @model_validator(mode="after")
    def _bounded(self) -> AcceptedRange:
        if (self.min is not None and self.above is not None) or (self.max is not None and self.below is not None):
            raise ValueError("give min or above, max or below")
        if self.lower is None and self.upper is None:
            raise ValueError("give a lower bound, an upper one or both")
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"{self.lower} is more than {self.upper}")
        return self

    def describe(self) -> str:
        """The test in words."""
        bounds = (("at least", self.min), ("above", self.above), ("at most", self.max), ("below", self.below))
        return ", ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)


class MatchesRegex(RowTest):
    """Every value (of a list: every element) matches a regular expression as a whole (classes such as d are ASCII)."""

    fits: ClassVar[tuple[str, ...]] = ("string",)
    pattern: Annotated[str, AfterValidator(anchored)]

    def describe(self) -> str:
        """The test in words."""
        return f"matches {self.pattern}"


class Relationships(RowTest):
    """Every value (of a list: every element) occurs in a column of another table, any of its partitions.

    `to_where` keeps the other table's rows whose columns equal the given values.
    """

    to: str
    field: str
    to_where: dict[str, Scalar] = Field(default_factory=dict)

    def describe(self) -> str:
        """The test in words."""
        kept = ", ".join(f"{name} = {value}" for name, value in self.to_where.items())
        return f"occurs in {self.to}.{self.field}" + (f" where {kept}" if kept else "")


class ListLength(RowTest):
    """The number of elements of every list lies between bounds, inclusive; a missing list has none."""

    on_lists: ClassVar[Literal["too", "only", "never"]] = "only"
    min: NonNegativeInt = 1
    max: NonNegativeInt | None = None

    @model_validator(mode="after")
    def _ordered(self) -> ListLength:
        if self.max is not None and self.min > self.max:
            raise ValueError(f"{self.min} is more than {self.max}")
        return self

    def describe(self) -> str:
        """The test in words."""
        return f"at least {self.min} elements" + (f", at most {self.max}" if self.max is not None else "")


class ListUnique(RowTest):
    """No element occurs twice in its list."""

    on_lists: ClassVar[Literal["too", "only", "never"]] = "only"

    def describe(self) -> str:
        """The test in words."""
        return "no element occurs twice in its list"
