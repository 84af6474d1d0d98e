"""Cells of a characteristics row grouped by key, and the choice of the age and gender rows (not of the trait row)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from genoplatform.expression.curation.demographics import (
    age_code,
    age_key_rank,
    gender_code,
    gender_key,
    iso_gender_code,
)
from genoplatform.expression.curation.facts import CharacteristicsRow, CohortFacts
from genoplatform.expression.curation.text import is_missing, split_cell


@dataclass(frozen=True)
class Group:
    """The cells of one raw row that share a key.

    Attributes:
        row: raw row number.
        key: the key as first printed.
        cells: distinct whole cells with this key.
        values: their values, parallel.
        weight: samples with a known value where counts are given, else distinct known values.
        others: distinct cells of the same row under other keys.
    """

    row: int
    key: str
    cells: tuple[str, ...]
    values: tuple[str, ...]
    weight: int
    others: tuple[str, ...]

    @property
    def known(self) -> tuple[str, ...]:
        """Values that are not missing words."""
        return tuple(value for value in self.values if not is_missing(value))


def same_key(one: str, other: str) -> bool:
    """Whether two keys are one characteristic: equal but for case and surrounding space."""
    return one.strip().casefold() == other.strip().casefold()


def groups(row: CharacteristicsRow) -> Iterator[Group]:
    """Groups of a row by key, in order of first appearance (shifted cells make several)."""
    counts = row.counts or (1,) * len(row.values)
    keyed: dict[str, list[tuple[str, str, int]]] = {}
    for cell, count in zip(row.values, counts, strict=True):
        key, value = split_cell(cell)
        home = next((k for k in keyed if same_key(k, key)), key)
        keyed.setdefault(home, []).append((cell, value, count))
    for key, members in keyed.items():
        inside = {cell for cell, _, _ in members}
        yield Group(
            row=row.row,
            key=key,
            cells=tuple(cell for cell, _, _ in members),
            values=tuple(value for _, value, _ in members),
            weight=sum(count for _, value, count in members if not is_missing(value)),
            others=tuple(cell for cell in row.values if cell not in inside),
        )


@dataclass(frozen=True)
class RowChoice:
    """A row taken for age or gender, its codes by whole cell, and why; `row` None with the reason where none fits."""

    row: int | None
    key: str
    codes: dict[str, float | None]
    why: str


def cells_elsewhere(facts: CohortFacts, row: int, key: str) -> list[str]:
    """Cells under the key in other rows: where samples lack an earlier characteristic, theirs are shifted there."""
    return [
        cell
        for other in facts.characteristics
        if other.row != row
        for cell in other.values
        if key and same_key(split_cell(cell)[0], key)
    ]


def _coded(row: CharacteristicsRow, code: Callable[[str, str], float | None]) -> dict[str, float | None]:
    return {cell: code(*split_cell(cell)) for cell in row.values}


def _weight(row: CharacteristicsRow, codes: dict[str, float | None]) -> int:
    counts = row.counts or (1,) * len(row.values)
    return sum(count for cell, count in zip(row.values, counts, strict=True) if codes[cell] is not None)


def choose_gender(facts: CohortFacts) -> RowChoice:
    """The row with most cells that say female or male; not available where all say the same."""
    best: tuple[int, int, int] | None = None
    choice, refused = None, ""
    for row in facts.characteristics:
        codes = _gender_codes(row)
        values = {c for c in codes.values() if c is not None}
        if len(values) < 2:
            refused = refused or _refusal(row, values)
            continue
        keyed = any(gender_key(split_cell(cell)[0]) for cell in row.values)
        if not keyed and _weight(row, codes) < len(row.values):
            continue
        rank = (int(keyed), _weight(row, codes), -row.row)
        if best is None or rank > best:
            best, choice = (
                rank,
                RowChoice(row.row, row.key, codes, f"{row.key!r} of row {row.row} says female or male"),
            )
    return choice or RowChoice(None, "", {}, refused or "no characteristic says female or male")


def _gender_codes(row: CharacteristicsRow) -> dict[str, float | None]:
    """Codes by words or legend; where a gender row holds the bare digits 1 and 2, by ISO/IEC 5218."""
    codes = _coded(row, gender_code)
    if any(code is not None for code in codes.values()):
        return codes
    keyed = [cell for cell in row.values if gender_key(split_cell(cell)[0])]
    known = {value for cell in keyed if not is_missing(value := split_cell(cell)[1])}
    if {value.removesuffix(".0") for value in known} == {"1", "2"}:
        return {cell: iso_gender_code(split_cell(cell)[1]) if cell in keyed else None for cell in row.values}
    return codes


def _refusal(row: CharacteristicsRow, values: set[float]) -> str:
    if not any(gender_key(split_cell(cell)[0]) for cell in row.values):
        return ""
    if values:
        return f"all samples of row {row.row} ({row.key}) are {'male' if values == {1.0} else 'female'}: constant"
    return f"row {row.row} ({row.key}) gives codes without a legend: nothing could be coded"


def choose_age(facts: CohortFacts) -> RowChoice:
    """The row whose key names age best and that codes most cells; not available where fewer than two ages differ."""
    best: tuple[int, int, int] | None = None
    choice, refused = None, ""
    for row in facts.characteristics:
        ranks = [r for cell in row.values if (r := age_key_rank(split_cell(cell)[0])) is not None]
        if not ranks:
            continue
        codes = _coded(row, lambda key, value: age_code(key, value) if age_key_rank(key) is not None else None)
        values = {c for c in codes.values() if c is not None}
        if len(values) < 2:
            refused = refused or f"row {row.row} ({row.key}) gives {'one age only' if values else 'no readable age'}"
            continue
        rank = (-min(ranks), _weight(row, codes), -row.row)
        if best is None or rank > best:
            key = next(k for cell in row.values if age_key_rank(k := split_cell(cell)[0]) == min(ranks))
            best, choice = rank, RowChoice(row.row, key, codes, f"{key!r} of row {row.row} gives the age")
    return choice or RowChoice(None, "", {}, refused or "no characteristic gives the age")
