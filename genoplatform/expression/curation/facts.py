"""What a curator may look at: the facts of one cohort as the readers found them, before any decision.

Built by the readers (or by a test, or from a labelled record); holds no decision and no expression value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from genoplatform.errors import BadInputError


class _Facts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CharacteristicsRow(_Facts):
    """One raw row of the characteristics table of a series matrix.

    Attributes:
        row: row number, 0-based, in file order, as the benchmark counts.
        values: distinct cells as printed ("age: 54"), in order of first appearance.
        counts: samples per value, parallel to `values`; empty when they are not known.
        key: text before the first colon of most cells; empty when the cells have no such text.
    """

    row: int
    values: tuple[str, ...]
    counts: tuple[int, ...] = ()
    key: str = ""

    @classmethod
    def of(cls, row: int, cells: Iterable[str | None], *, distinct: bool = False) -> Self:
        """Row from the cells of all samples (empty ones left out), or from values already `distinct` (no counts)."""
        seen: dict[str, int] = {}
        for cell in filter(None, cells):
            seen[cell] = seen.get(cell, 0) + 1
        keys: dict[str, int] = {}
        for value, count in seen.items():
            if ":" in value:
                key = value.partition(":")[0].strip()
                keys[key] = keys.get(key, 0) + count
        best = max(keys, key=lambda k: keys[k]) if keys else ""
        return cls(row=row, values=tuple(seen), counts=() if distinct else tuple(seen.values()), key=best)


class CohortFacts(_Facts):
    """Everything known about one cohort for one trait before curation.

    Attributes:
        trait: trait name as the benchmark spells it ("Crohns_Disease").
        cohort: series accession ("GSE781").
        background: the series lines (title, summary, overall design), joined.
        characteristics: rows of the characteristics table, in file order.
        titles, source_names, descriptions: one text per sample, in sample order, or empty; `descriptions` joins all
            description lines of a sample.
        first_ids: first ids of the expression table (20 are enough).
        annotation: platform annotation, column -> first values (5 or more are enough; None = missing); empty when no
            platform table was found.
        platform: GPL accession, if known.
    """

    trait: str
    cohort: str
    background: str = ""
    characteristics: tuple[CharacteristicsRow, ...] = ()
    titles: tuple[str, ...] = ()
    source_names: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    first_ids: tuple[str, ...] = ()
    annotation: dict[str, tuple[str | None, ...]] = Field(default_factory=dict)
    platform: str | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Facts from a record of the step-decision benchmark (distinct values only; labels are not looked at).

        Raises:
            BadInputError: the record is not one of a GEO cohort.
        """
        if "characteristics" not in record:
            raise BadInputError("reading a curation record", "no characteristics", "only GEO records can be curated")
        preview = record.get("annotation_preview") or {}
        return cls(
            trait=record["trait"],
            cohort=record["cohort"],
            background=record.get("background") or "",
            characteristics=tuple(
                CharacteristicsRow.of(int(row), values, distinct=True)
                for row, values in sorted((record["characteristics"] or {}).items(), key=lambda item: int(item[0]))
            ),
            first_ids=tuple(str(i) for i in record.get("first_ids") or ()),
            annotation={
                str(column): tuple(None if v is None else str(v) for v in values) for column, values in preview.items()
            },
        )
