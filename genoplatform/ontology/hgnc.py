"""The HGNC complete set: gene symbols, cross-references, protein-coding genes, aliases."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from genoplatform.errors import BadInputError, EmptyResultError

PROTEIN_CODING = "protein-coding gene"
_COLUMNS = [
    "hgnc_id", "symbol", "locus_group", "status", "entrez_id", "ensembl_gene_id", "alias_symbol", "prev_symbol",
]  # fmt: skip
_HINT = "use hgnc_complete_set.txt of the HGNC archive"


def read_hgnc(path: Path) -> pd.DataFrame:
    """Read hgnc_complete_set.txt.

    Args:
        path: the tab-separated file, multi-valued fields quoted and separated by "|".

    Returns:
        One row per gene in file order (aliases are resolved first come, first served): hgnc_id, symbol, locus_group,
        status, entrez_id, ensembl_gene_id, alias_symbols (list), prev_symbols (list).

    Raises:
        BadInputError: no file, not such a table, or columns missing.
        EmptyResultError: no gene.
    """
    try:
        frame = pd.read_csv(path, sep="\t", dtype=str, na_filter=False, usecols=lambda c: c in _COLUMNS)
    except (OSError, ValueError) as error:  # ParserError, EmptyDataError and UnicodeDecodeError are ValueErrors
        raise BadInputError(f"reading {path.name}", str(error), _HINT) from error
    if missing := [c for c in _COLUMNS if c not in frame.columns]:
        raise BadInputError(f"reading {path.name}", f"columns missing: {', '.join(missing)}", _HINT)
    if frame.empty:
        raise EmptyResultError(f"reading {path.name}", "a header but no gene", _HINT)
    unusable = ~frame["hgnc_id"].str.fullmatch(r"HGNC:\d+") | (frame["symbol"] == "")
    if unusable.any():
        lines = (frame.index[unusable] + 2)[:5].tolist()
        raise BadInputError(
            f"reading {path.name}", f"{unusable.sum()} rows without an HGNC id or symbol, lines {lines}", _HINT
        )
    frame["alias_symbols"] = _split(frame.pop("alias_symbol"))
    frame["prev_symbols"] = _split(frame.pop("prev_symbol"))
    return frame[[*_COLUMNS[:6], "alias_symbols", "prev_symbols"]]


def protein_coding(hgnc: pd.DataFrame) -> list[str]:
    """Sorted distinct symbols of the locus group "protein-coding gene"."""
    symbols = hgnc.loc[hgnc["locus_group"] == PROTEIN_CODING, "symbol"]
    return sorted(set(symbols))


def alias_map(hgnc: pd.DataFrame) -> dict[str, str]:
    """Alias or previous symbol -> current symbol, protein-coding genes only.

    The first gene of the file to claim an alias keeps it; an alias that is itself a current protein-coding symbol is
    left out, because a symbol always means its own gene.
    """
    coding = hgnc[hgnc["locus_group"] == PROTEIN_CODING]
    current = set(coding["symbol"])
    aliases: dict[str, str] = {}
    for symbol, alias, previous in zip(coding["symbol"], coding["alias_symbols"], coding["prev_symbols"], strict=True):
        for name in [*alias, *previous]:
            if name not in current:
                aliases.setdefault(name, symbol)
    return aliases


def _split(column: pd.Series) -> pd.Series:
    lists = [[part.strip() for part in text.split("|") if part.strip()] for text in column]
    return pd.Series(lists, index=column.index, dtype=object)
