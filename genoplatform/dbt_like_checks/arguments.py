"""What the arguments of every declared test share: severity, thresholds, the filter `where`, the share `mostly`.

The tests themselves are in `vocabulary_columns.py` and `vocabulary_tables.py`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Scalar = bool | int | float | str
Severity = Literal["warn", "error"]
SCALARS = ("string", "int", "float", "bool")
Bound = Annotated[float, Field(allow_inf_nan=False)]
_THRESHOLD = re.compile(r"(>=|>|==|=|!=) *(\d+(?:\.\d+)?) *(%?)")
# Written for two engines: the one of large tables has neither look-around nor back references.
_ONE_ENGINE_ONLY = re.compile(r"\(\?(?:[=!]|<[=!])|\\[1-9]")


def anchored(pattern: str) -> str:
    """The pattern, if both engines can match it."""
    try:
        re.compile(whole(pattern))
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    if _ONE_ENGINE_ONLY.search(pattern):
        raise ValueError(f"{pattern!r} looks around or back; large tables are matched by an engine that cannot")
    return pattern


def whole(pattern: str) -> str:
    r"""The expression that matches what `pattern` matches as a whole (`$` alone lets a last line feed through)."""
    return rf"\A(?:{pattern})\Z"


def is_of(value: Any, kind: str) -> bool:
    """Whether a YAML value can be a value of a column (or list element) of this declared type."""
    allowed: dict[str, tuple[type, ...]] = {"string": (str,), "int": (int,), "float": (int, float), "bool": (bool,)}
    return isinstance(value, allowed[kind]) and (kind == "bool" or not isinstance(value, bool))


def _threshold(text: str) -> str:
    if _THRESHOLD.fullmatch(text.strip()) is None:
        raise ValueError(f"{text!r} is no threshold: write '> 10', '>= 0.5 %' or '!= 0'")
    return " ".join(part for part in _THRESHOLD.fullmatch(text.strip()).groups() if part)  # type: ignore[union-attr]


Threshold = Annotated[str, AfterValidator(_threshold)]


def met(threshold: str, failing: int, tested: int) -> bool:
    """Whether a number of failing rows, or with % their share of the tested ones, meets a threshold."""
    sign, number, *percent = threshold.split(" ")
    found = (100 * failing / tested if tested else 0.0) if percent else float(failing)
    limit = float(number)
    return {">": found > limit, ">=": found >= limit, "!=": found != limit}.get(sign, found == limit)


class TestArguments(BaseModel):
    """Arguments every test knows.

    Attributes:
        on_column: whether the test belongs to a column or to the table.
        fits: declared types of the columns it can be put on, lists by their elements' type.
        on_lists: whether it can be put on scalar columns, lists, or both.
    """

    __test__ = False  # not a pytest class
    model_config = ConfigDict(extra="forbid", frozen=True)
    on_column: ClassVar[bool] = True
    fits: ClassVar[tuple[str, ...]] = SCALARS
    on_lists: ClassVar[Literal["too", "only", "never"]] = "too"
    severity: Severity = "error"

    def used_columns(self) -> list[str]:
        """Columns the arguments name (beside the tested one)."""
        return []

    def tested_columns(self) -> list[str]:
        """Those of them that the test is about, whose types it must fit."""
        return []

    def values_of(self, column: str | None) -> list[tuple[str, list[Any]]]:
        """(column, values it is compared with) for every column compared with literal values."""
        return []

    def misfits(self, types: dict[str, str]) -> list[str]:
        """What is wrong with the arguments, given the declared types of all columns."""
        return []

    def describe(self) -> str:
        """The test in words."""
        raise NotImplementedError


class Filtered(TestArguments):
    """A test of the rows whose columns equal the values of `where`."""

    where: dict[str, Scalar] = {}

    def used_columns(self) -> list[str]:
        """Columns the arguments name (beside the tested one)."""
        return list(self.where)

    def values_of(self, column: str | None) -> list[tuple[str, list[Any]]]:
        """(column, values it is compared with) for every column compared with literal values."""
        return [(name, [value]) for name, value in self.where.items()]


class RowTest(Filtered):
    """A test each row passes or fails.

    The table passes if the share `mostly` of the rows does. Thresholds say it finer, as dbt has them: `error_if` and
    `warn_if` on the number of failing rows ("> 10") or their share ("> 0.5 %"). With one of them given, failing rows
    count as an error where `error_if` is met, else as a warning where `warn_if` is, else not.
    """

    mostly: float = Field(default=1.0, gt=0, le=1)
    warn_if: Threshold | None = None
    error_if: Threshold | None = None

    @model_validator(mode="after")
    def _one_way_of_counting(self) -> RowTest:
        if self.has_thresholds and self.mostly < 1:
            raise ValueError("give mostly, or warn_if and error_if")
        if self.error_if and self.severity == "warn":
            raise ValueError("error_if needs severity error")
        if self.warn_if and not self.error_if and self.severity == "error":
            raise ValueError("warn_if needs error_if beside it, or severity warn")
        return self

    @property
    def has_thresholds(self) -> bool:
        """Whether failing rows are judged by thresholds."""
        return bool(self.warn_if or self.error_if)

    def verdict(self, failing: int, tested: int) -> Severity | None:
        """What so many failing rows of the tested ones amount to; None if the test passes."""
        if not self.has_thresholds:
            return self.severity if failing > (1 - self.mostly + 1e-12) * tested else None
        if self.error_if and met(self.error_if, failing, tested):
            return "error"
        return "warn" if self.warn_if and met(self.warn_if, failing, tested) else None
