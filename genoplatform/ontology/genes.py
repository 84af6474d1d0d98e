"""genes_to_phenotype.txt and phenotype_to_genes.txt of any release: gene-phenotype annotations by gene.

Symbols are as written. Gene profiles for ranking are built from phenotype.hpoa; these files give the links.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError
from genoplatform.ontology.frequency import IMPOSSIBLE, UNREADABLE, parse_frequency
from genoplatform.ontology.tsv import LONG_ROW, SHORT_ROW, Layout, Table, read_table

NO_SYMBOL = "no gene symbol"
MALFORMED_ID = "malformed id"
DUPLICATE = "exact duplicate"
REASONS = (SHORT_ROW, LONG_ROW, NO_SYMBOL, MALFORMED_ID, IMPOSSIBLE, UNREADABLE, DUPLICATE)
#: A release with more gene symbols "-" than this share is broken (2026-06-06: all of them; a sound one: 0.1 %).
MAX_MISSING_SYMBOLS = 0.01

_LAYOUT = Layout(
    what="gene annotations",
    spellings={
        "gene_id": frozenset({"ncbigeneid", "entrezgeneid", "geneid", "entrezid"}),
        "gene_symbol": frozenset({"genesymbol", "entrezgenesymbol"}),
        "hpo_id": frozenset({"hpoid", "hpotermid"}),
        "hpo_name": frozenset({"hponame", "hpotermname", "hpolabel"}),
        "frequency": frozenset({"frequency", "frequencyraw"}),
        "frequency_hpo": frozenset({"frequencyhpo"}),
        "disease_id": frozenset({"diseaseid", "diseaseidforlink"}),
    },
    required=("gene_id", "gene_symbol", "hpo_id"),
)
_HINT = "pin another release (obophenotype/human-phenotype-ontology#11613)"
_ROW_COLUMNS = ["gene_id", "gene_symbol", "hpo_id", "frequency", "present", "disease_id"]


@dataclass(frozen=True)
class GeneAnnotations:
    """One release of a gene annotation file.

    Attributes:
        rows: gene_id ("NCBIGene:n"), gene_symbol, hpo_id, frequency (as written, "" when not stated), present (False
            for 0/n, 0 % and Excluded), disease_id ("" in layouts that have none); file order.
        report: "lines", "rows", every reason of `REASONS`, and "rows without a frequency column" (their absence
            cannot be told, as in phenotype_to_genes.txt).
        rejected: line, reason, detail.
    """

    rows: pd.DataFrame
    report: dict[str, int]
    rejected: pd.DataFrame


def read_gene_annotations(path: Path) -> GeneAnnotations:
    """Read genes_to_phenotype.txt (9, 4 or 6 columns) or phenotype_to_genes.txt (7, 4 or 5 columns).

    Raises:
        BadInputError: no file, unknown layout, or more than 1 % of the rows without a gene symbol.
        EmptyResultError: a header but no row.
    """
    table = read_table(path, _LAYOUT)
    frame = _with_all_columns(table)
    _refuse_broken(path, table, frame)
    frequency = parse_frequency(frame["frequency"])
    reasons = _reasons(frame, frequency["problem"])
    keep = (reasons == "").to_numpy()
    value = frequency["value"]
    frame["present"] = value.isna() | (value > 0)
    rows = frame.loc[keep, _ROW_COLUMNS].reset_index(drop=True)
    detail = frame["gene_id"] + " " + frame["gene_symbol"] + " " + frame["hpo_id"] + " " + frame["frequency"]
    own = pd.DataFrame({"line": frame["row"], "reason": reasons, "detail": detail})[~keep]
    rejected = pd.concat([table.bad, own], ignore_index=True).sort_values("line", ignore_index=True)
    report = {"lines": table.lines, "rows": len(rows)}
    report |= {reason: int((rejected["reason"] == reason).sum()) for reason in REASONS}
    report["rows without a frequency column"] = 0 if "frequency" in table.columns else len(rows)
    if rows.empty:
        raise EmptyResultError(f"reading {path.name}", f"no usable row: {report}", _HINT)
    return GeneAnnotations(rows, report, rejected)


def disease_genes(rows: pd.DataFrame) -> pd.DataFrame:
    """Distinct disease_id, gene_symbol pairs of rows that name a disease, sorted."""
    pairs = rows.loc[rows["disease_id"] != "", ["disease_id", "gene_symbol"]].drop_duplicates()
    return pairs.sort_values(["disease_id", "gene_symbol"], ignore_index=True)


def _with_all_columns(table: Table) -> pd.DataFrame:
    frame = table.frame.copy()
    if "hpo_name" in frame and not _is_hpo_id(frame["hpo_id"]).any() and _is_hpo_id(frame["hpo_name"]).any():
        # Some files with the "#Format:" header name the two columns the wrong way round.
        frame["hpo_id"] = frame["hpo_name"]
    for column in ("frequency", "frequency_hpo", "disease_id"):
        if column not in frame:
            frame[column] = pd.Series("", index=frame.index, dtype="str")
    # The 9-column layout states the frequency twice; its second column holds the HPO term where the first is empty.
    stated = ~frame["frequency"].isin(["", "-"])
    frame["frequency"] = frame["frequency"].where(stated, frame["frequency_hpo"]).replace("-", "")
    frame["gene_id"] = "NCBIGene:" + frame["gene_id"].str.removeprefix("NCBIGene:")
    return frame.drop(columns=["frequency_hpo", "hpo_name"], errors="ignore")


def _is_hpo_id(column: pd.Series) -> pd.Series:
    return column.str.fullmatch(r"HP:\d{7}")


def _refuse_broken(path: Path, table: Table, frame: pd.DataFrame) -> None:
    if frame.empty:
        found = f"a header and {table.lines} data lines, none of them usable"
        raise EmptyResultError(f"reading {path.name}", found, _HINT)
    share = float(frame["gene_symbol"].isin(["-", ""]).mean())
    if share > MAX_MISSING_SYMBOLS:
        found = f"{share:.1%} of {len(frame)} rows have no gene symbol, {MAX_MISSING_SYMBOLS:.0%} allowed"
        raise BadInputError(f"reading {path.name}", found, _HINT)


def _reasons(frame: pd.DataFrame, problem: pd.Series) -> pd.Series:
    ids_fine = _is_hpo_id(frame["hpo_id"]) & frame["gene_id"].str.fullmatch(r"NCBIGene:\d+")
    reasons = np.select(
        [frame["gene_symbol"].isin(["-", ""]), ~ids_fine, problem != "", frame.duplicated(frame.columns.drop("row"))],
        [NO_SYMBOL, MALFORMED_ID, problem.to_numpy(dtype=object), DUPLICATE],
        default="",
    )
    return pd.Series(reasons, index=frame.index, dtype="str")
