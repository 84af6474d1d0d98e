"""annotation_overlap.json: does the knowledge base cite a case's own publication?

Here: reading and checking that file. Not here: finding the flag out anew (`genoplatform.cohort.covariates`).
Source: rare-disease specification, sections 5 and 13.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel, ConfigDict, ValidationError

from genoplatform.errors import BadInputError


class _Record(BaseModel):
    model_config = ConfigDict(strict=True)
    case_id: str
    source_pmid: str | None
    category: str
    overlap: int
    matching_rows: int


def read_overlap(path: Path) -> pd.DataFrame:
    """case_id, category, source_pmid ("PMID:n" or ""), exposed (0/1), one row per record.

    Raises:
        BadInputError: no such records, a case twice, a flag that its matching rows contradict, or a total that the
            file's own meta block contradicts.
    """
    tried = f"reading {path.name}"
    try:
        document: dict[str, Any] = json.loads(path.read_bytes())
        records = [_Record.model_validate(entry) for entry in document["records"]]
    except (OSError, ValidationError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(tried, f"{type(error).__name__}: {error}", 'need {"meta", "records"}') from error
    for record in records:
        if record.overlap not in (0, 1) or (record.overlap == 1) != (record.matching_rows > 0):
            found = f"{record.case_id}: overlap {record.overlap} with {record.matching_rows} matching rows"
            raise BadInputError(tried, found)
    table = pd.DataFrame(
        {
            "case_id": pd.array([record.case_id for record in records], dtype="str"),
            "category": pd.array([record.category for record in records], dtype="str"),
            "source_pmid": pd.array([record.source_pmid or "" for record in records], dtype="str"),
            "exposed": pd.array([record.overlap for record in records], dtype="int64"),
        }
    )
    if not table["case_id"].is_unique:
        raise BadInputError(tried, f"{int(table['case_id'].duplicated().sum())} cases are there twice")
    _check_totals(document.get("meta"), {"n": len(table), "n_overlap": int(table["exposed"].sum())}, tried)
    return table


def _check_totals(meta: object, totals: dict[str, int], tried: str) -> None:
    stated = meta if isinstance(meta, dict) else {}
    for name, total in totals.items():
        if stated.get(name, total) != total:
            raise BadInputError(tried, f"meta says {name} is {stated[name]}, the records say {total}")
