"""Released case records (JSONL): terms, diseases, causal gene and candidate list of each case.

Here: checking one file of records and its two tables. Not here: covariates (case_table.py), writing records
(`genoplatform.cohort.records`).
Source: rare-disease specification, section 4.7.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from pydantic import BaseModel, ConfigDict, ValidationError

from genoplatform.cohort.candidates import per_case_seed
from genoplatform.cohort.records import read_jsonl
from genoplatform.cohort.schema import CANDIDATE_COLUMNS, as_candidate_table
from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.prioritisation.released.case_table import empty_lists
from genoplatform.prioritisation.released.ranking_file import LIST_SIZE


class _Disease(BaseModel):
    model_config = ConfigDict(strict=True)
    id: str


class _Record(BaseModel):
    model_config = ConfigDict(strict=True)
    case_id: str
    category: str
    hpo_terms: list[str]
    diseases: list[_Disease]
    causal_gene: str
    candidate_genes: list[str]
    causal_gene_index_in_candidates: int


def read_records(path: Path, size: int = LIST_SIZE) -> pd.DataFrame:
    """case_id, category, hpo_terms, disease_ids, causal_gene, candidate_genes, causal_index, in file order.

    Raises:
        BadInputError: a malformed record, a case twice, or a candidate list that is not `size` different genes with
            the causal gene where the record says.
        EmptyResultError: no records.
    """
    tried = f"reading {path.name}"
    try:
        records = [_Record.model_validate(entry) for entry in read_jsonl(path.read_bytes())]
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise BadInputError(tried, f"{type(error).__name__}: {error}", "give the released JSONL records") from error
    if not records:
        raise EmptyResultError(tried, "no records")
    for record in records:
        _check_list(record, size, tried)
    ids = pd.Series([record.case_id for record in records], dtype="str")
    if not ids.is_unique:
        raise BadInputError(tried, f"{int(ids.duplicated().sum())} cases are there twice")
    return pd.DataFrame(
        {
            "case_id": ids,
            "category": pd.array([record.category for record in records], dtype="str"),
            "hpo_terms": pd.Series([record.hpo_terms for record in records], dtype=object),
            "disease_ids": pd.Series([[d.id for d in record.diseases] for record in records], dtype=object),
            "causal_gene": pd.array([record.causal_gene for record in records], dtype="str"),
            "candidate_genes": pd.Series([record.candidate_genes for record in records], dtype=object),
            "causal_index": [record.causal_gene_index_in_candidates for record in records],
        }
    )


def case_records(records: pd.DataFrame) -> pd.DataFrame:
    """case_id, category, hpo_terms, excluded_terms (empty), disease_ids, causal_gene."""
    columns = ["case_id", "category", "hpo_terms", "disease_ids", "causal_gene"]
    return records[columns].assign(excluded_terms=empty_lists(records))


def candidate_table(records: pd.DataFrame, difficulty: str) -> pd.DataFrame:
    """The candidate lists as `cohort.schema.CANDIDATE_COLUMNS`."""
    seeds = pd.array([str(per_case_seed(case_id)) for case_id in records["case_id"]], dtype="str")
    return as_candidate_table(records.assign(difficulty=difficulty, seed=seeds)[list(CANDIDATE_COLUMNS)])


def _check_list(record: _Record, size: int, tried: str) -> None:
    genes, at = record.candidate_genes, record.causal_gene_index_in_candidates
    if len(genes) != size or len(set(genes)) != size:
        found = f"{record.case_id}: {len(genes)} candidates, {len(set(genes))} different, not {size}"
    elif not 0 <= at < size or genes[at] != record.causal_gene:
        found = f"{record.case_id}: the causal gene {record.causal_gene} is not candidate {at}"
    else:
        return
    raise BadInputError(tried, found, "give the released file, unchanged")
