"""Curation decisions of one cohort, as data: what a curator (rules, a person, agents) decides.

No decision holds code. How decisions are reached is the curators' concern; applying them is preprocessing's.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Variable(_Strict):
    """Where a clinical variable is found and how its values are coded.

    Attributes:
        source: characteristics rows, or a free-text field of the sample, or a clinical column (TCGA).
        key: text before the first colon of a characteristics cell, the clinical column, or empty for free text.
        row: raw row number of the characteristics table (0-based, file order), as the benchmark counts; None elsewhere.
        kind: binary (0 = control / female, 1 = case / male) or continuous.
        codes: raw value (as printed, whole cell) -> number; None = unknown. Values not listed are coded by `rule`.
        rule: name of the general coding rule that made `codes` and codes unlisted values.
        why: one sentence for people.
    """

    source: Literal["characteristics", "title", "source_name", "description", "clinical"]
    key: str = ""
    row: int | None = None
    kind: Literal["binary", "continuous"]
    codes: dict[str, float | None]
    rule: str = ""
    why: str = ""


class CohortDecisions(_Strict):
    """All decisions on one cohort for one trait; a variable that is not available is None, and `why` says so."""

    trait: str
    cohort: str
    is_gene_available: bool
    trait_variable: Variable | None
    age_variable: Variable | None = None
    gender_variable: Variable | None = None
    needs_mapping: bool | None = None
    id_column: str | None = None
    gene_column: str | None = None
    platform: str | None = None
    curator: str
    why: dict[str, str] = {}
