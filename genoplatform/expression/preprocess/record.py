"""The record of one cohort in the benchmark's form, and what is noted beside it. Source: expression.md A.4"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict

from genoplatform.settings.expression import Rules

BENCHMARK_FIELDS = (
    "is_usable", "is_gene_available", "is_trait_available", "is_available", "is_biased", "has_age", "has_gender",
    "sample_size", "note",
)  # fmt: skip
_NULLABLE = ("is_biased", "has_age", "has_gender")


class CohortRecord(BaseModel):
    """How preprocessing of a cohort ended.

    Attributes:
        trait, cohort: which one.
        is_usable: available and not biased.
        is_gene_available, is_trait_available, is_available: gene data; trait; both.
        is_biased, has_age, has_gender, sample_size, note: None where the cohort is not available.
        rules: which family of rules made it.
        platform: the platform read; empty where unknown.
        genes: genes of the linked table.
        curator: who decided.
        reason: why it is not usable; empty if it is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    trait: str
    cohort: str
    is_usable: bool
    is_gene_available: bool
    is_trait_available: bool
    is_available: bool
    is_biased: bool | None = None
    has_age: bool | None = None
    has_gender: bool | None = None
    sample_size: int | None = None
    note: str | None = None
    rules: Rules
    platform: str = ""
    genes: int = 0
    curator: str = ""
    reason: str = ""

    def benchmark(self) -> dict[str, Any]:
        """The fields of the benchmark's `cohort_info.json`, in its order."""
        values = self.model_dump()
        return {name: values[name] for name in BENCHMARK_FIELDS}


def record_of(table: pd.DataFrame) -> CohortRecord:
    """The record of a table of one."""
    (row,) = table.astype(object).where(table.notna(), None).to_dict("records")
    return CohortRecord.model_validate({str(name): value for name, value in row.items()})


def record_table(records: Iterable[CohortRecord]) -> pd.DataFrame:
    """Records as one table, by trait and cohort."""
    rows = [record.model_dump() for record in records]
    frame = pd.DataFrame(rows, columns=list(CohortRecord.model_fields))
    frame = frame.astype(dict.fromkeys(_NULLABLE, "boolean") | {"sample_size": "Int64", "genes": "int64"})
    flags = ("is_usable", "is_gene_available", "is_trait_available", "is_available")
    texts = ("trait", "cohort", "note", "rules", "platform", "curator", "reason")
    frame = frame.astype(dict.fromkeys(flags, "bool") | dict.fromkeys(texts, "str"))
    return frame.sort_values(["trait", "cohort"], ignore_index=True)
