"""The released case table: category, publication, overlap flag and annotation counts of every case, from its CSV.

Here: reading and checking it, and the covariates that complete a released case (cluster, year, weight). Not here:
terms, genes and candidate lists (cohort.py), or counting annotations anew (`genoplatform.cohort.covariates`).
Source: rare-disease specification, sections 4.3 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.cohort.covariates import source_pmid, with_years
from genoplatform.cohort.pmid_years import read_year_anchors
from genoplatform.cohort.sampling import with_inclusion_probability
from genoplatform.cohort.schema import as_case_table
from genoplatform.cohort.tables import read_pmid_dates
from genoplatform.errors import BadInputError

COHORT = "phenopacket_store"
ELIGIBLE: Mapping[str, int] = {"developmental": 464, "immunological": 390, "metabolic": 672, "neurological": 3144}
"""Cases of each category the released sample was drawn from."""

_COLUMNS = (
    "case_id",
    "category",
    "source_pmid",
    "overlap",
    "rows_total",
    "rows_own_pmid",
    "annotation_density",
    "log_density",
)
_COUNTS = ("overlap", "rows_total", "rows_own_pmid", "annotation_density")


def read_case_table(
    path: Path, *, pmid_dates: Path | None = None, eligible: Mapping[str, int] = ELIGIBLE
) -> pd.DataFrame:
    """The case table from the released CSV alone.

    Args:
        path: CSV with the columns case_id, category, source_pmid (digits), overlap, rows_total, rows_own_pmid,
            annotation_density, log_density.
        pmid_dates: released dates; without them years are interpolated from the PMIDs.
        eligible: category -> cases the sample was drawn from.

    Returns:
        `cohort.schema.CASE_COLUMNS`. What the CSV does not hold is empty: no terms, no diseases, no causal gene.

    Raises:
        BadInputError: columns, counts or flags that are not there or contradict each other.
    """
    counts = read_counts(path)
    empty = {name: empty_lists(counts) for name in ("hpo_terms", "excluded_terms", "disease_ids")}
    return complete(counts.assign(**empty, causal_gene=""), pmid_dates=pmid_dates, eligible=eligible)


def read_counts(path: Path) -> pd.DataFrame:
    """The CSV as case_id, category, source_pmid ("PMID:n"), exposed, rows_total, rows_own_pmid, density, log_density.

    Raises:
        BadInputError: a missing column, a count that is no whole number, or a row that contradicts itself.
    """
    tried = f"reading {path.name}"
    try:
        table = pd.read_csv(path, dtype="str", keep_default_na=False)
    except (OSError, ValueError) as error:
        raise BadInputError(tried, str(error), "give the released case table as UTF-8 CSV") from error
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise BadInputError(tried, f"no column {missing} among {list(table.columns)}")
    try:
        numbers = {name: table[name].astype("int64") for name in _COUNTS}
        log_density = table["log_density"].astype("float64")
    except ValueError as error:
        raise BadInputError(tried, f"a count that is no number: {error}") from error
    counts = pd.DataFrame(
        {
            "case_id": table["case_id"],
            "category": table["category"],
            "source_pmid": "PMID:" + table["source_pmid"].str.removeprefix("PMID:"),
            "exposed": numbers["overlap"],
            "rows_total": numbers["rows_total"],
            "rows_own_pmid": numbers["rows_own_pmid"],
            "density": numbers["annotation_density"],
            "log_density": log_density,
        }
    )
    _check(counts, tried)
    return counts


def complete(cases: pd.DataFrame, *, pmid_dates: Path | None, eligible: Mapping[str, int] = ELIGIBLE) -> pd.DataFrame:
    """Add cohort, stratum, cluster, inclusion probability and publication year, and bring into the case schema.

    Args:
        cases: the remaining `CASE_COLUMNS`; source_pmid "PMID:n" or "".
        pmid_dates: released dates; a publication they lack gets its year interpolated.
        eligible: category -> cases the sample was drawn from.

    Raises:
        BadInputError: a category without a pool, or one with more cases than its pool.
    """
    sizes = cases["category"].value_counts()
    if odd := sorted(name for name in sizes.index if sizes[name] > eligible.get(name, 0)):
        raise BadInputError(
            "weighting released cases", f"categories {odd} have no pool of that size", f"pools: {dict(eligible)}"
        )
    weighted = with_inclusion_probability(cases, eligible)
    pmid = weighted["source_pmid"]
    placed = weighted.assign(
        cohort=COHORT,
        stratum=weighted["category"],
        cluster=pmid.where(pmid != "", "case:" + weighted["case_id"]),
    )
    dates = read_pmid_dates(pmid_dates) if pmid_dates is not None else None
    return as_case_table(with_years(placed, pmid_dates=dates, anchors=read_year_anchors()))


def empty_lists(cases: pd.DataFrame) -> pd.Series:
    """A column of empty lists for `cases`."""
    lists: list[list[str]] = [[] for _ in range(len(cases))]
    return pd.Series(lists, index=cases.index, dtype=object)


def _check(counts: pd.DataFrame, tried: str) -> None:
    """Refuse rows that contradict themselves (checked on all 1,047 released rows, section 5)."""
    named = source_pmid(counts["case_id"])
    rules = {
        "an overlap flag that is not 0 or 1": ~counts["exposed"].isin([0, 1]),
        "a negative count": (counts[["rows_total", "rows_own_pmid", "density"]] < 0).any(axis=1),
        "a density that is not rows_total - rows_own_pmid": counts["density"]
        != counts["rows_total"] - counts["rows_own_pmid"],
        "an overlap flag that is not rows_own_pmid > 0": counts["exposed"] != (counts["rows_own_pmid"] > 0),
        # Not exactly: log1p differs in the last digit between CPUs (section 14, point 10).
        "a log_density that is not ln(1 + density)": ~np.isclose(
            counts["log_density"], np.log1p(counts["density"]), rtol=1e-12, atol=0
        ),
        "a source_pmid without digits": ~counts["source_pmid"].str.fullmatch(r"PMID:\d+"),
        "a source_pmid that its case id contradicts": (named != "") & (named != counts["source_pmid"]),
    }
    for what, wrong in rules.items():
        if len(bad := counts.loc[np.asarray(wrong, dtype=bool), "case_id"]):
            raise BadInputError(tried, f"{len(bad)} cases with {what}, the first {bad.iloc[0]}")
