"""Case-level covariates: source publication, overlap flag, annotation density, cluster, year, design weight.

Here: joining cases to the annotation rows and to publication years. Not here: reading phenotype.hpoa
(``genoplatform.ontology.hpoa``), statistics on the covariates (``inference``).
Source: geno_agent contamination analysis. The overlap flag asks whether the knowledge base holds any row, of any
qualifier, evidence or aspect, that cites the case's own publication for one of its OMIM diseases.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from genoplatform.cohort.pmid_years import YearAnchors, publication_years

RECENCY_BOUNDARY = 2020
_PMID_SUFFIX = r"^[^:]*:PMID_(\d+)"


def source_pmid(case_ids: pd.Series) -> pd.Series:
    """ "PMID:n" of case ids whose part after the colon starts ``PMID_<digits>``, otherwise ""."""
    digits = case_ids.astype("str").str.extract(_PMID_SUFFIX, expand=False)
    return ("PMID:" + digits).fillna("")


def with_cluster(cases: pd.DataFrame) -> pd.DataFrame:
    """Add source_pmid (from case_id) and cluster: the publication, or the case itself where none is known."""
    pmid = source_pmid(cases["case_id"])
    return cases.assign(source_pmid=pmid, cluster=pmid.where(pmid != "", "case:" + cases["case_id"]))


def with_overlap(cases: pd.DataFrame, hpoa_rows: pd.DataFrame) -> pd.DataFrame:
    """Add exposed, rows_total, rows_own_pmid, density and log_density.

    Args:
        cases: columns case_id, disease_ids (list), source_pmid ("PMID:n" or "").
        hpoa_rows: the knowledge base, one row per line of phenotype.hpoa (`HpoaRelease.raw`: nothing rejected,
            duplicates kept): disease_id, hpo_id, pmids (list).

    Returns:
        The cases with: rows_total = rows of the case's OMIM diseases; rows_own_pmid = those citing its own
        publication; density = the difference; log_density = ln(1 + density), natural; exposed = 1 iff a row with
        a term cites the publication for one of its OMIM diseases.
    """
    diseases = _omim_diseases(cases)
    hpoa_rows = hpoa_rows.loc[hpoa_rows["disease_id"].isin(diseases["disease_id"]), ["disease_id", "hpo_id", "pmids"]]
    total = hpoa_rows.groupby("disease_id").size().rename("rows_total")
    cited = hpoa_rows.explode("pmids").dropna(subset=["pmids"])
    cited = cited.reset_index(names="line").drop_duplicates(["line", "pmids"])
    keys = ["disease_id", "pmids"]
    cited = cited.assign(with_term=(cited["hpo_id"] != "").astype("int64"))
    own = cited.groupby(keys).agg(rows_own_pmid=("line", "size"), with_term=("with_term", "sum"))
    joined = diseases.join(total, on="disease_id").join(own, on=["disease_id", "source_pmid"])
    counts = joined.groupby("case_id")[["rows_total", "rows_own_pmid", "with_term"]].sum()
    counts = counts.reindex(cases["case_id"]).fillna(0).astype("int64").set_index(cases.index)
    density = counts["rows_total"] - counts["rows_own_pmid"]
    return cases.assign(
        exposed=(counts["with_term"] > 0).astype("int64"),
        rows_total=counts["rows_total"],
        rows_own_pmid=counts["rows_own_pmid"],
        density=density,
        log_density=np.log1p(density.to_numpy()),
    )


def overlap_table(cases: pd.DataFrame, hpoa_rows: pd.DataFrame) -> pd.DataFrame:
    """The rows behind each overlap flag: case_id, source_pmid, matching_rows, matching_hpo_ids (sorted, unique)."""
    cited = hpoa_rows[["disease_id", "hpo_id", "pmids"]].explode("pmids").rename(columns={"pmids": "source_pmid"})
    cited = cited[cited["hpo_id"] != ""].reset_index(names="line").drop_duplicates(["line", "source_pmid"])
    hits = _omim_diseases(cases).merge(cited, on=["disease_id", "source_pmid"])
    grouped = hits.groupby("case_id")["hpo_id"]
    out = pd.DataFrame({"matching_rows": grouped.size(), "matching_hpo_ids": grouped.agg(lambda t: sorted(set(t)))})
    return cases[["case_id", "source_pmid"]].merge(out.reset_index(), on="case_id").reset_index(drop=True)


def with_years(
    cases: pd.DataFrame, *, pmid_dates: Mapping[str, str] | None = None, anchors: YearAnchors | None = None
) -> pd.DataFrame:
    """Add publication_year (Int64, NA unknown) and year_source ("file", "interpolated" or "").

    Args:
        cases: column source_pmid.
        pmid_dates: PMID digits -> ISO date; looked up first.
        anchors: first PMID of each year, for the others; None leaves them unknown.
    """
    years = publication_years(cases["source_pmid"], pmid_dates=pmid_dates, anchors=anchors)
    return cases.assign(publication_year=years["publication_year"], year_source=years["year_source"])


def recent(cases: pd.DataFrame, boundary: int = RECENCY_BOUNDARY, *, anchors: YearAnchors | None = None) -> pd.Series:
    """1 for publications of year ``boundary`` or later, 0 for earlier ones, NA where unknown (Int64).

    Args:
        cases: columns publication_year, source_pmid.
        boundary: first recent year.
        anchors: with them a publication without a year is 0 when its PMID was given out before ``boundary``:
            back files get their numbers late, never early.
    """
    year = cases["publication_year"]
    flag = (year >= boundary).astype("Int64").mask(year.isna())
    if anchors is None:
        return flag
    number = pd.to_numeric(cases["source_pmid"].str.removeprefix("PMID:"), errors="coerce")
    return flag.mask(flag.isna() & (number < anchors.first_pmid[boundary]), 0)


def design_weight(cases: pd.DataFrame) -> pd.Series:
    """Horvitz-Thompson weight of each case: 1 / inclusion_probability (eligible / analysed in its stratum)."""
    return 1.0 / cases["inclusion_probability"]


def _omim_diseases(cases: pd.DataFrame) -> pd.DataFrame:
    long = cases[["case_id", "source_pmid", "disease_ids"]].explode("disease_ids")
    long = long.rename(columns={"disease_ids": "disease_id"}).dropna(subset=["disease_id"])
    return long[long["disease_id"].str.startswith("OMIM:")].drop_duplicates(["case_id", "disease_id"])
