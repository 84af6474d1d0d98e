"""A TCGA cohort coded as the benchmark codes it, for comparison only. Source: expression.md B.12.

Kept on purpose (!): sample types that are neither tumour nor normal become -1, which makes the trait three-valued and
so "continuous"; an age is the first digits of its cell, which loses the minus sign of days to birth and all decimals.
Sound decisions are curation's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from genoplatform.expression.decisions import CohortDecisions, Variable

SAMPLE_COLUMN = "sample"


def compat_codes(decisions: CohortDecisions, barcodes: Sequence[str]) -> CohortDecisions:
    """The decisions with trait and age coded the benchmark's way; columns and gender stay.

    Args:
        decisions: on a TCGA cohort.
        barcodes: of all its samples; the trait counts as available whatever they are.
    """
    why = "last two characters of the barcode: 01-09 tumour, 10-19 normal, else -1"
    codes: dict[str, float | None] = {barcode: compat_tumour_code(barcode) for barcode in barcodes}
    trait = Variable(
        source="clinical", key=SAMPLE_COLUMN, kind="binary", codes=codes, rule="compat-tcga-barcode", why=why
    )
    age = decisions.age_variable
    if age is not None:
        codes = {cell: compat_age_code(cell) for cell in age.codes}
        age = age.model_copy(update={"codes": codes, "rule": "compat-first-digits"})
    changes = {"trait_variable": trait, "age_variable": age, "why": decisions.why | {"trait": why}}
    return decisions.model_copy(update=changes)


def compat_tumour_code(barcode: str) -> float:
    """1 tumour, 0 normal, -1 anything else."""
    last = barcode[-2:]
    kind = int(last) if last.isdigit() else 0
    return 1.0 if 1 <= kind <= 9 else 0.0 if 10 <= kind <= 19 else -1.0


def compat_age_code(cell: str) -> float | None:
    """The first run of digits."""
    found = re.search(r"\d+", cell)
    return float(found.group()) if found else None
