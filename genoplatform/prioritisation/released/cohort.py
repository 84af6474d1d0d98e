"""The released cohort: its JSONL records, overlap flags, dates and annotation counts as case and candidate tables.

Here: finding the files, checking that they tell one story, and the tables. Not here: building a cohort from
phenopackets (`genoplatform.cohort.store`) or drawing candidates.
Source: rare-disease specification, sections 4.7, 4.9, 5 and 13.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from genoplatform.cohort.covariates import with_overlap
from genoplatform.errors import BadInputError
from genoplatform.prioritisation.released.case_table import ELIGIBLE, complete, read_counts
from genoplatform.prioritisation.released.overlap_file import read_overlap
from genoplatform.prioritisation.released.records import candidate_table, case_records, read_records

STANDARD, HARD = "test_cases.jsonl", "test_cases_hard.jsonl"
OVERLAP, DATES, COUNTS = "annotation_overlap.json", "pmid_dates.json", "case_table.csv"
_COVARIATES = ["case_id", "exposed", "rows_total", "rows_own_pmid", "density", "log_density"]


@dataclass(frozen=True)
class ReleasedCohort:
    """The released cohort.

    Attributes:
        cases: `cohort.schema.CASE_COLUMNS`; hpo_terms as the packets state them, excluded_terms empty (the release
            does not hold them).
        standard: candidate lists against random genes, `CANDIDATE_COLUMNS`.
        hard: candidate lists against phenotype-similar genes; no rows where the release lacks them.
        report: cases, standard, hard, exposed, publications, and which source gave the annotation counts
            (counts_from_table, counts_from_knowledge).
    """

    cases: pd.DataFrame
    standard: pd.DataFrame
    hard: pd.DataFrame
    report: dict[str, int]

    @property
    def candidates(self) -> pd.DataFrame:
        """Both candidate tables in one."""
        return pd.concat([self.standard, self.hard], ignore_index=True)


def read_released_cohort(
    path: Path, *, knowledge: pd.DataFrame | None = None, eligible: Mapping[str, int] = ELIGIBLE
) -> ReleasedCohort:
    """Read a release directory.

    Args:
        path: directory with test_cases.jsonl and annotation_overlap.json, in it or below it, and where they exist
            test_cases_hard.jsonl, pmid_dates.json and case_table.csv.
        knowledge: rows of phenotype.hpoa (`HpoaRelease.raw`) to count annotations in, where there is no
            case_table.csv.
        eligible: category -> cases the sample was drawn from.

    Raises:
        BadInputError: a needed file is missing or there twice, a record is malformed, or two files contradict each
            other on a case's gene, category, publication or overlap.
    """
    records = read_records(_needed(path, STANDARD))
    hard_file = _find(path, HARD)
    hard = read_records(hard_file) if hard_file else records.iloc[:0]
    overlap = read_overlap(_needed(path, OVERLAP))
    cases = case_records(records).merge(overlap, on="case_id", how="outer", suffixes=("", "_overlap"), indicator=True)
    _agree(cases["_merge"] == "both", cases, f"in both {STANDARD} and {OVERLAP}")
    _agree(cases["category"] == cases["category_overlap"], cases, f"of one category in {STANDARD} and {OVERLAP}")
    _same_cases(records, hard)
    counts_file = _find(path, COUNTS)
    counted = _with_counts(cases.drop(columns=["_merge", "category_overlap"]), counts_file, knowledge)
    table = complete(counted, pmid_dates=_find(path, DATES), eligible=eligible)
    report = {
        "cases": len(table),
        "standard": len(records),
        "hard": len(hard),
        "exposed": int(table["exposed"].sum()),
        "publications": int(table["cluster"].nunique()),
        "counts_from_table": len(table) if counts_file else 0,
        "counts_from_knowledge": 0 if counts_file else len(table),
    }
    return ReleasedCohort(table, candidate_table(records, "standard"), candidate_table(hard, "hard"), report)


def _with_counts(cases: pd.DataFrame, counts: Path | None, knowledge: pd.DataFrame | None) -> pd.DataFrame:
    if counts is not None:
        table = read_counts(counts)
        columns = [*_COVARIATES, "category", "source_pmid"]
        joined = cases.merge(table[columns], on="case_id", how="left", suffixes=("", "_table"), validate="1:1")
        source = f"{OVERLAP} and {COUNTS}"
        _agree(joined["exposed_table"].notna(), joined, f"in {COUNTS}")
        for name in ("exposed", "category", "source_pmid"):
            _agree(joined[name] == joined[f"{name}_table"], joined, f"with one {name} in {source}")
        return joined.drop(columns=["exposed_table", "category_table", "source_pmid_table"])
    if knowledge is None:
        raise BadInputError(
            "reading the released cohort",
            f"neither {COUNTS} nor annotation rows",
            f"put {COUNTS} beside {STANDARD}, or pass the rows of the cohort's phenotype.hpoa",
        )
    joined = with_overlap(cases.rename(columns={"exposed": "stated"}), knowledge)
    _agree(joined["exposed"] == joined["stated"], joined, f"with one overlap flag in {OVERLAP} and phenotype.hpoa")
    return joined.drop(columns="stated")


def _same_cases(records: pd.DataFrame, hard: pd.DataFrame) -> None:
    if hard.empty:
        return
    keys = ["case_id", "causal_gene", "category"]
    both = records[keys].merge(hard[keys], on=keys, how="outer", indicator=True)
    _agree(both["_merge"] == "both", both, f"alike in {STANDARD} and {HARD}")


def _agree(holds: pd.Series, cases: pd.DataFrame, what: str) -> None:
    wrong = cases.loc[~holds.to_numpy(dtype=bool, na_value=False), "case_id"]
    if len(wrong):
        found = f"{len(wrong)} cases are not {what}, the first {wrong.iloc[0]}"
        raise BadInputError("reading the released cohort", found)


def _needed(path: Path, name: str) -> Path:
    file = _find(path, name)
    if file is None:
        raise BadInputError("reading the released cohort", f"no {name} in {path}", "give the directory that holds it")
    return file


def _find(path: Path, name: str) -> Path | None:
    """The file in the directory itself, else the only one of that name below it."""
    if (path / name).is_file():
        return path / name
    below = sorted(file for file in path.rglob(name) if file.is_file()) if path.is_dir() else []
    if len(below) > 1:
        shown = ", ".join(str(file.relative_to(path)) for file in below)
        raise BadInputError("reading the released cohort", f"{name} is there {len(below)} times: {shown}", "name one")
    return below[0] if below else None
