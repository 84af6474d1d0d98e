"""phenotype.hpoa: disease-phenotype annotations of the HPO, of any release since 2018, as facts with nothing lost.

Reads and checks the file. Pooling is in `pooling`, comparing releases in `releases`; likelihoods are the rankers' own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology.frequency import IMPOSSIBLE, UNREADABLE, parse_frequency
from genoplatform.ontology.tsv import LONG_ROW, SHORT_ROW, Layout, read_table

MALFORMED_ID = "malformed id"
UNKNOWN_QUALIFIER = "unknown qualifier"
DUPLICATE = "exact duplicate"
REASONS = (SHORT_ROW, LONG_ROW, MALFORMED_ID, UNKNOWN_QUALIFIER, IMPOSSIBLE, UNREADABLE, DUPLICATE)

_LAYOUT = Layout(
    what="phenotype.hpoa",
    spellings={
        "database_id": frozenset({"databaseid", "diseaseid"}),
        "disease_name": frozenset({"diseasename"}),
        "qualifier": frozenset({"qualifier"}),
        "hpo_id": frozenset({"hpoid"}),
        "reference": frozenset({"reference"}),
        "evidence": frozenset({"evidence"}),
        "onset": frozenset({"onset"}),
        "frequency": frozenset({"frequency"}),
        "sex": frozenset({"sex"}),
        "modifier": frozenset({"modifier"}),
        "aspect": frozenset({"aspect"}),
        "biocuration": frozenset({"biocuration"}),
    },
    required=(
        "database_id", "disease_name", "qualifier", "hpo_id", "reference", "evidence", "onset", "frequency",
        "aspect", "biocuration",
    ),
)  # fmt: skip
_ROW_COLUMNS = [
    "row", "disease_id", "disease_name", "negated", "hpo_id", "reference", "pmids", "evidence", "onset", "frequency",
    "numerator", "denominator", "frequency_value", "present", "aspect", "biocuration",
]  # fmt: skip
# Titles of older releases carry OMIM's own heading: "#615763 CORTICAL DYSPLASIA ...;; CDCBM5".
_OMIM_HEADING = re.compile(r"^[#%+*^]?\d{6}\s+")


@dataclass(frozen=True)
class HpoaRelease:
    """One release of phenotype.hpoa.

    Attributes:
        version: the release date, "2025-01-16".
        rows: one row per usable annotation in file order: row (1-based line), disease_id, disease_name (one per
            disease_id), negated, hpo_id, reference, pmids (list of "PMID:n"; shared between rows, do not change),
            evidence, onset, frequency (as written), numerator, denominator (Int64, NA unless k/n), frequency_value
            (share in [0, 1], NaN when not stated), present (neither NOT, 0/n, 0 % nor Excluded), aspect, biocuration.
        report: "lines" (data lines), "rows" (kept), every reason of `REASONS` with its count, and "diseases with
            several names".
        rejected: line, reason, detail of every row left out of `rows`.
        raw: row, disease_id, hpo_id, pmids of every row with all its fields, before rejection and de-duplication:
            the basis of citation counts.
    """

    version: str
    rows: pd.DataFrame
    report: dict[str, int]
    rejected: pd.DataFrame
    raw: pd.DataFrame


def read_hpoa(path: Path) -> HpoaRelease:
    """Read a phenotype.hpoa file.

    Args:
        path: the file, any header spelling since 2018.

    Raises:
        BadInputError: no file, unknown layout, no version or date line.
        EmptyResultError: no usable row.
    """
    table = read_table(path, _LAYOUT)
    version = _version(table.comments, path)
    frame = table.frame.rename(columns={"database_id": "disease_id"})
    frame["pmids"] = pmid_lists(frame["reference"])
    frame["negated"] = frame["qualifier"].str.upper() == "NOT"
    frequency = parse_frequency(frame["frequency"])
    reasons = _reasons(frame, frequency["problem"])
    keep = (reasons == "").to_numpy()
    rows = _rows(frame[keep], frequency[keep])
    rejected = _rejected(frame[~keep], reasons[~keep], table.bad)
    report = {"lines": table.lines, "rows": len(rows)}
    report |= {reason: int((rejected["reason"] == reason).sum()) for reason in REASONS}
    names = frame.groupby("disease_id")["disease_name"].nunique()
    report["diseases with several names"] = int((names > 1).sum())
    if rows.empty:
        raise EmptyResultError(f"reading {path.name}", f"no usable row of {table.lines}: {report}", "check the file")
    raw = frame[["row", "disease_id", "hpo_id", "pmids"]]
    return HpoaRelease(version, rows, report, rejected, raw)


def pmid_lists(references: pd.Series) -> pd.Series:
    """PubMed ids of ";"-separated reference fields, as lists of "PMID:n" in their order.

    Equal fields share one list object: read it, do not change it.
    """
    codes, uniques = pd.factorize(references)
    lists = np.empty(len(uniques), dtype=object)
    for i, text in enumerate(uniques):
        items = (item.strip() for item in text.split(";"))
        lists[i] = list(dict.fromkeys(item for item in items if item.startswith("PMID:")))
    return pd.Series(lists[codes], index=references.index, dtype=object)


def _version(comments: list[str], path: Path) -> str:
    """The release date from "#version:" (since 2023) or "#date:" (before)."""
    for key in ("version", "date"):
        for line in comments:
            if match := re.match(rf"#\s*{key}\s*:.*?(\d{{4}}-\d{{2}}-\d{{2}})", line, re.IGNORECASE):
                return match[1]
    raise BadInputError(
        f"reading {path.name}", "no '#version:' or '#date:' line with a date", "use an official release file"
    )


def _reasons(frame: pd.DataFrame, problem: pd.Series) -> pd.Series:
    """Why each row is left out ("" = kept); the first reason that applies.

    An exact duplicate agrees in every column but the curation stamp: it is the same statement, so it counts once.
    """
    ids_fine = frame["hpo_id"].str.fullmatch(r"HP:\d{7}") & frame["disease_id"].str.fullmatch(r"[A-Za-z]+:\S+")
    qualifier_fine = frame["qualifier"].isin(["", "NOT"]) | frame["negated"]
    facts = [c for c in frame.columns if c not in {"row", "biocuration", "pmids", "negated"}]
    reasons = np.select(
        [~ids_fine, ~qualifier_fine, problem != "", frame.duplicated(facts)],
        [MALFORMED_ID, UNKNOWN_QUALIFIER, problem.to_numpy(dtype=object), DUPLICATE],
        default="",
    )
    return pd.Series(reasons, index=frame.index, dtype="str")


def _rows(frame: pd.DataFrame, frequency: pd.DataFrame) -> pd.DataFrame:
    value = frequency["value"]
    rows = frame.assign(
        disease_name=_one_name_per_disease(frame),
        numerator=frequency["numerator"],
        denominator=frequency["denominator"],
        frequency_value=value,
        present=~frame["negated"] & (value.isna() | (value > 0)),
    )
    return rows[_ROW_COLUMNS].reset_index(drop=True)


def _one_name_per_disease(frame: pd.DataFrame) -> pd.Series:
    """The most frequent name of each disease id, ties by first appearance, without OMIM's heading number."""
    counts = frame.groupby(["disease_id", "disease_name"], sort=False).size().rename("n").reset_index()
    best = counts.sort_values("n", ascending=False, kind="stable").drop_duplicates("disease_id")
    clean = [_OMIM_HEADING.sub("", name).split(";;")[0].strip() for name in best["disease_name"]]
    return frame["disease_id"].map(pd.Series(clean, index=best["disease_id"], dtype="str"))


def _rejected(frame: pd.DataFrame, reasons: pd.Series, bad: pd.DataFrame) -> pd.DataFrame:
    detail = (
        frame["disease_id"] + " " + frame["qualifier"] + " " + frame["hpo_id"] + " " + frame["frequency"]
    ).str.replace(r" +", " ", regex=True)
    own = pd.DataFrame({"line": frame["row"], "reason": reasons, "detail": detail})
    return pd.concat([bad, own], ignore_index=True).sort_values("line", ignore_index=True)
