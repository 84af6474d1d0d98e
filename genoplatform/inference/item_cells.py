"""Cells of an item table: text, numbers and 0/1 flags, each refused with the lines at fault.

Belongs here: reading one column. Does not belong here: what columns must agree on (items).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError

# A missing publication written as one of these by another program would pool unrelated cases into one big cluster.
BLANK = frozenset({"", "nan", "na", "n/a", "<na>", "null", "none"})
_FLAGS = {"true": "1", "false": "0"}


def parse_text(column: pd.Series, tried: str) -> pd.Series:
    """Labels as stripped strings; blank ones are refused."""
    text = _stripped(column)
    missing = text.isna() | text.str.casefold().isin(BLANK)
    hint = "every row needs an item, a cluster and a system; a case without a publication is its own cluster"
    refuse(missing, tried, f"column {column.name}: blank or missing", hint)
    return text.astype("str")


def parse_number(column: pd.Series, tried: str) -> pd.Series:
    """Numbers as float64; blank is NaN, anything else is refused."""
    text = _stripped(column)
    blank = text.isna() | text.str.casefold().isin(BLANK)
    number = pd.to_numeric(text.where(~blank), errors="coerce").astype(np.float64)
    refuse(number.isna() & ~blank, tried, f"column {column.name}: not a number", "write 12, not twelve or 1,200", text)
    return number


def parse_flag(column: pd.Series, tried: str) -> pd.Series:
    """0/1 (or true/false) as float64; blank is NaN, anything else is refused."""
    text = _stripped(column)
    number = parse_number(text.str.casefold().replace(_FLAGS), tried)
    refuse(~(number.isna() | number.isin([0.0, 1.0])), tried, f"column {column.name}: not 0 or 1", "", text)
    return number


def refuse(faulty: pd.Series, tried: str, found: str, hint: str, shown: pd.Series | None = None) -> None:
    """Raise BadInputError naming the first lines where `faulty` is true, with what `shown` holds there."""
    if not faulty.any():
        return
    mask = faulty.to_numpy()
    sample = "" if shown is None else f" {shown.to_numpy()[mask][:3].tolist()}"
    raise BadInputError(tried, f"{found}{sample} ({int(mask.sum())} rows: {where(faulty.index[mask])})", hint)


def where(index: pd.Index) -> str:
    """The first labels of an index, as "line 3, 7, 9, ..." (its name, else "row")."""
    labels = [str(label) for label in index.unique()[:5]]
    return f"{index.name or 'row'} {', '.join(labels)}{', ...' if index.nunique() > 5 else ''}"


def _stripped(column: pd.Series) -> pd.Series:
    """As strings without surrounding blanks; whole floats as integers, so that 36189931.0 is the PMID 36189931."""
    if pd.api.types.is_float_dtype(column.dtype):
        whole = column.notna() & (column % 1 == 0)
        text = column.astype("str").where(~whole, column.where(whole, 0).astype("int64").astype("str"))
        return text.where(column.notna())
    return column.astype("str").str.strip()
