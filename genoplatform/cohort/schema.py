"""The two tables every cohort yields: cases and candidate lists. Column names, order and the checks on them.

Here: what a case row and a candidate row look like, whichever source they come from.
Not here: how the values are derived.
"""

from __future__ import annotations

import pandas as pd

from genoplatform.errors import BadInputError

CASE_COLUMNS = (
    "case_id",
    "cohort",
    "category",
    "stratum",
    "disease_ids",
    "hpo_terms",
    "excluded_terms",
    "causal_gene",
    "source_pmid",
    "cluster",
    "inclusion_probability",
    "exposed",
    "rows_total",
    "rows_own_pmid",
    "density",
    "log_density",
    "publication_year",
    "year_source",
)
CASE_INTEGERS = ("exposed", "rows_total", "rows_own_pmid", "density")
CASE_LISTS = ("disease_ids", "hpo_terms", "excluded_terms")
CANDIDATE_COLUMNS = ("case_id", "difficulty", "candidate_genes", "causal_index", "seed")
COHORTS = ("publication_profiles", "phenopacket_store")


def as_case_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Order, sort and type a frame of finished cases.

    Args:
        frame: one row per case with at least ``CASE_COLUMNS``; other columns are left behind.

    Returns:
        ``CASE_COLUMNS`` only, sorted by case_id, RangeIndex; counts int64, publication_year Int64,
        list columns object.

    Raises:
        BadInputError: a column is missing or a case_id occurs twice.
    """
    _require(frame, CASE_COLUMNS, "case table")
    out = _sorted_unique(frame[list(CASE_COLUMNS)], ["case_id"], "case table")
    for column in CASE_INTEGERS:
        out[column] = out[column].astype("int64")
    for column in CASE_LISTS:
        out[column] = out[column].astype(object)
    out["inclusion_probability"] = out["inclusion_probability"].astype("float64")
    out["log_density"] = out["log_density"].astype("float64")
    out["publication_year"] = out["publication_year"].astype("Int64")
    return out


def as_candidate_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Order, sort and type a frame of candidate lists (``CANDIDATE_COLUMNS``); same errors as `as_case_table`."""
    _require(frame, CANDIDATE_COLUMNS, "candidate table")
    out = _sorted_unique(frame[list(CANDIDATE_COLUMNS)], ["case_id", "difficulty"], "candidate table")
    out["causal_index"] = out["causal_index"].astype("int64")
    out["candidate_genes"] = out["candidate_genes"].astype(object)
    return out


def _require(frame: pd.DataFrame, columns: tuple[str, ...], what: str) -> None:
    missing = [c for c in columns if c not in frame.columns]
    if missing:
        raise BadInputError(f"building the {what}", f"no column {missing} among {list(frame.columns)}")


def _sorted_unique(frame: pd.DataFrame, keys: list[str], what: str) -> pd.DataFrame:
    twice = frame[frame.duplicated(keys)]
    if len(twice):
        raise BadInputError(f"building the {what}", f"{len(twice)} repeated key(s), first {twice.iloc[0][keys[0]]}")
    return frame.sort_values(keys, kind="stable").reset_index(drop=True)
