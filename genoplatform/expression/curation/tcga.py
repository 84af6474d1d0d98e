"""Decisions on a TCGA cohort from its clinical matrix: tumour or normal by barcode, and the age and gender columns.

Source: expression.md B.12. Which folder belongs to a trait is the cohort sources' concern.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from genoplatform.expression.curation.demographics import age_code, gender_code, gender_key
from genoplatform.expression.curation.identifiers import Columns
from genoplatform.expression.curation.text import as_number
from genoplatform.expression.decisions import CohortDecisions, Variable

SAMPLE_COLUMN = "sample"
CURATOR = "rules"
_BARCODE = re.compile(r"^TCGA-\w{2}-\w{4}-(\d{2})")
_AGE_NAMES = (
    r"^age_at_initial_pathologic_diagnosis$",
    r"^age_at_(?:initial_)?diagnosis$",
    r"^age_at_initial_pathologic_diagnosis_?\w*",
    r"^(?:patient_)?age$|^age_in_years$",
    r"^days_to_birth$",
    r"\bage_at\w*|_age_\w+|^age_\w*",
)
_NOT_PERSON = re.compile(
    r"onset|menarche|menopause|smok|began|quit|stage|image|percent|average|lineage|dosage|relative|family"
)
_GENDER_NAMES = (r"^gender$", r"^sex$", r"^gender_?\w*", r"\bsex\b|_gender$|_sex$")
_FEW = 2
_NORMAL = range(10, 20)
_TUMOR = range(1, 10)
_DAYS = 365.25


def barcode_code(barcode: str) -> float | None:
    """1 for a tumour sample (type 01-09), 0 for a normal one (10-19), None for other types and no barcode."""
    match = _BARCODE.match(barcode)
    if not match:
        return None
    kind = int(match.group(1))
    return 1.0 if kind in _TUMOR else 0.0 if kind in _NORMAL else None


def days_to_birth_code(value: str) -> float | None:
    """Age in years from days to birth (negative), None for anything else."""
    days = as_number(value)
    return round(-days / _DAYS, 4) if days is not None and days < 0 else None


def curate_clinical_columns(
    trait: str, columns: Mapping[str, Sequence[str | None]], cohort: str = "TCGA"
) -> CohortDecisions:
    """Decisions from a clinical matrix.

    Args:
        trait: trait name.
        columns: column -> values of all samples; the barcodes stand in column `sample`.
        cohort: cohort id.
    """
    trait_variable, why_trait = _trait(columns.get(SAMPLE_COLUMN, ()))
    age, why_age = _column(columns, _AGE_NAMES, "age")
    gender, why_gender = _column(columns, _GENDER_NAMES, "gender")
    ids = Columns(None, None, "TCGA expression files carry gene symbols")
    return CohortDecisions(
        trait=trait,
        cohort=cohort,
        is_gene_available=True,
        trait_variable=trait_variable,
        age_variable=age,
        gender_variable=gender,
        needs_mapping=False,
        curator=CURATOR,
        why={
            "gene": "TCGA expression file",
            "trait": why_trait,
            "age": why_age,
            "gender": why_gender,
            "mapping": ids.why,
        },
    )


def _trait(barcodes: Sequence[str | None]) -> tuple[Variable | None, str]:
    codes = {b: barcode_code(b) for b in barcodes if b}
    classes = sorted({c for c in codes.values() if c is not None})
    if len(classes) < _FEW:
        said = "only tumour samples" if classes == [1.0] else "only normal samples" if classes else "no TCGA barcodes"
        return None, f"{said}: the trait is constant" if classes else said
    why = "sample type of the barcode: 01-09 tumour, 10-19 normal, other types unknown"
    return Variable(source="clinical", key=SAMPLE_COLUMN, kind="binary", codes=codes, rule="tcga-barcode", why=why), why


def _column(
    columns: Mapping[str, Sequence[str | None]], names: tuple[str, ...], what: str
) -> tuple[Variable | None, str]:
    refused = []
    for pattern in names:
        for column in columns:
            if not re.search(pattern, column.lower()) or _NOT_PERSON.search(column.lower()):
                continue
            if what == "gender" and not gender_key(column):
                continue
            variable = _coded(column, columns[column], what)
            if variable is not None:
                return variable, variable.why
            refused.append(column)
    if refused:
        return None, f"{', '.join(dict.fromkeys(refused))}: constant or empty"
    return None, f"no column is named like {what}"


def _coded(column: str, values: Sequence[str | None], what: str) -> Variable | None:
    """The column as a variable; None where fewer than two codes differ."""
    days = column.lower() == "days_to_birth"
    rule = "gender" if what == "gender" else "days-to-birth" if days else "age"
    codes: dict[str, float | None] = {}
    for value in values:
        if value:
            codes[value] = (
                days_to_birth_code(value) if days else (age_code if what == "age" else gender_code)(column, value)
            )
    if len({c for c in codes.values() if c is not None}) < _FEW:
        return None
    why = f"column {column!r} gives the {what}" + (" as days to birth" if days else "")
    return Variable(
        source="clinical", key=column, kind="continuous" if what == "age" else "binary", codes=codes, rule=rule, why=why
    )
