"""Kinds of expression-table ids and of annotation columns: what must be mapped to gene symbols, and by which columns.

Looks at the form of ids and at column names and values; the mapping itself belongs to preprocessing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

IdKind = Literal[
    "symbol",
    "affymetrix",
    "illumina",
    "agilent",
    "ensembl",
    "entrez",
    "refseq",
    "mirna",
    "methylation",
    "snp",
    "number",
    "other",
]

_SYMBOL = re.compile(
    r"^(?:[A-Z][A-Z0-9]{1,9}(?:[-.@_][A-Za-z0-9]{1,8})*|C\d{1,2}orf\d{1,3}|\d{1,2}-(?:Mar|Sep|Dec)|(?:Mar|Sep|Dec)-\d{1,2})$"
)
_FORMS: tuple[tuple[IdKind, re.Pattern[str]], ...] = (
    ("mirna", re.compile(r"^(?:hsa|mmu|kshv|ebv|hcmv|rno)[-_]|^(?:miR|let)-\d|^MIMAT\d", re.IGNORECASE)),
    ("methylation", re.compile(r"^(?:cg|ch\.)\d[\d.]{4,}")),
    ("snp", re.compile(r"^(?:rs\d{3,}|SNP_A-|AFFX-SNP|\d{1,2}[pq]\()")),
    ("ensembl", re.compile(r"^ENS[A-Z]*[GTP]\d{6,}")),
    ("refseq", re.compile(r"^[NX][MR]_\d+")),
    ("illumina", re.compile(r"^ILMN_\d+|^GI_\d+")),
    ("agilent", re.compile(r"^A_\d\d_P\d+|^\(\+\)E1A|^\(-\)3xSLv1|^DarkCorner|^GE_BrightCorner")),
    ("affymetrix", re.compile(r"_(?:[a-z]+_)?(?:at|st)$|^AFFX|^TC[0-9XYM]\w*\.hg|^PSR\d|^JUC\d")),
    ("number", re.compile(r"^\d+(?:\.0)?$")),
    ("symbol", _SYMBOL),
)
_WORDY = re.compile(
    r"^(?:(?!MIR|LOC)[A-Z]{1,4}\d{5,}|NONE|NA|NULL|TRUE|FALSE|CONTROL|POS|NEG|CHR\w*|LOC\d+|PROBE\w*|SAMPLE\w*)$",
    re.IGNORECASE,
)

_GENE_COLUMNS = (  # best first, compared without signs and case
    *("genesymbol", "genesymbols", "symbol", "hgncsymbol", "genesymbolhgnc", "officialsymbol", "geneassignment"),
    *("genename", "ilmngene", "gene", "genes", "genesname", "transcriptsymbol", "associatedgenename", "orf", "spotid1"),
    *("assay", "target", "targetid", "hugo", "entrezgeneid", "entrezgene", "geneid", "locuslinkid"),
    *("ensemblid", "ensembl"),
)
_ID_COLUMNS = ("id", "probeid", "probe", "probesetid", "probeset")
_ENOUGH = 0.5


@dataclass(frozen=True)
class Columns:
    """The annotation columns chosen: probe id and gene, with the reason; None where nothing fits."""

    id_column: str | None
    gene_column: str | None
    why: str


def id_kind(identifier: str) -> IdKind:
    """Kind of one id by its form."""
    text = identifier.strip().strip('"')
    for kind, form in _FORMS:
        if form.search(text):
            return "other" if kind == "symbol" and _WORDY.match(text) else kind
    return "other"


def commonest_kind(ids: Iterable[str]) -> IdKind | None:
    """Kind of most of the ids (control probes excepted); None without ids."""
    given = [i for i in ids if i]
    counts = Counter(id_kind(i) for i in [i for i in given if not i.startswith("AFFX")] or given)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ranked[0][0] if ranked else None


def needs_mapping(ids: Sequence[str], annotation: Mapping[str, Sequence[str | None]]) -> tuple[bool | None, str]:
    """Whether ids must be mapped to symbols, and why; None where neither ids nor annotation say.

    Without ids, a platform table whose ids are symbols ("ORF" tables of sequencing and NanoString panels) decides.
    """
    kind = commonest_kind(ids)
    if kind is not None:
        if kind == "symbol":
            return False, f"the ids are gene symbols ({', '.join(ids[:3])})"
        return True, f"the ids are of kind {kind} ({', '.join(ids[:3])})"
    column = _named(annotation, _ID_COLUMNS)
    values = [v for v in annotation.get(column or "", ()) if v]
    if not values:
        return None, "neither expression ids nor an annotation table were given"
    kind = commonest_kind(values)
    return (
        kind != "symbol",
        f"no expression ids; the ids of the platform table are of kind {kind} ({', '.join(values[:3])})",
    )


def choose_columns(annotation: Mapping[str, Sequence[str | None]], ids: Sequence[str] = ()) -> Columns:
    """Id and gene column of a platform table.

    The id column is the one whose values share the form of the expression ids (normally "ID"); the gene column the
    best-named one, columns whose values are texts with symbols before columns of numeric gene ids.

    Args:
        annotation: column -> first values.
        ids: first ids of the expression table.
    """
    if not annotation:
        return Columns(None, None, "no annotation table was given")
    id_column = _id_column(annotation, ids)
    ranked = sorted(
        (rank, index, column)
        for index, column in enumerate(annotation)
        if column != id_column and (rank := _gene_rank(column, annotation[column])) is not None
    )
    if not ranked:
        return Columns(id_column, None, f"no gene column among {', '.join(annotation)}")
    gene_column = ranked[0][2]
    others = [column for _, _, column in ranked[1:3]]
    also = f"; also possible: {', '.join(others)}" if others else ""
    return Columns(id_column, gene_column, f"ids in {id_column!r}, genes in {gene_column!r} by its name{also}")


def _plain(column: str) -> str:
    return re.sub(r"[^a-z0-9]", "", column.lower())


def _named(annotation: Mapping[str, Sequence[str | None]], names: tuple[str, ...]) -> str | None:
    return next((c for name in names for c in annotation if _plain(c) == name), None)


def _id_column(annotation: Mapping[str, Sequence[str | None]], ids: Sequence[str]) -> str | None:
    standard = _named(annotation, _ID_COLUMNS)
    if standard is not None:
        return standard
    wanted = commonest_kind(ids)
    for column, values in annotation.items():
        if wanted is not None and commonest_kind([v for v in values if v]) == wanted:
            return column
    return next(iter(annotation), None)


def _gene_rank(column: str, values: Sequence[str | None]) -> int | None:
    """Place of a column among gene columns, by name; a "SPOT_ID.1" or "gene" column must also hold genes."""
    plain = _plain(column)
    if plain not in _GENE_COLUMNS:
        plain = next((name for name in _GENE_COLUMNS[:6] if plain.endswith(name)), "")
    if not plain:
        return None
    rank = _GENE_COLUMNS.index(plain)
    present = [v.strip() for v in values if v and v.strip() not in ("---", "")]
    if plain in {"gene", "genes", "geneid", "target", "targetid"} and present and _numeric_share(present) > _ENOUGH:
        rank = _GENE_COLUMNS.index("entrezgeneid")
    if plain == "spotid1" and not any("(" in v or "//" in v for v in present):
        return None
    return rank


def _numeric_share(values: Sequence[str]) -> float:
    return sum(bool(re.fullmatch(r"\d+(?:\.0)?", v)) for v in values) / len(values)
