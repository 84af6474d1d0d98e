"""Sample characteristics as a long table, each cell with its key and the raw row it came from. Source: B.2, B.3.

A raw row is an attribute only if every sample lists the attributes in the same order (GEOquery issue 25), so cells are
found by their key; the row number stays for what counts by rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

COLUMNS = ("row", "sample", "cell", "key", "value")


def characteristics_table(samples: Sequence[str], rows: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Long table of characteristics.

    Args:
        samples: accessions, length n.
        rows: cells of each raw row, n each; empty where the sample has none.

    Returns:
        Columns row (int), sample, cell (as printed), key (text before the first colon, empty without one), value; by
        row, then in sample order; empty cells left out.
    """
    records = [
        (number, sample, cell, *key_and_value(cell))
        for number, cells in enumerate(rows)
        for sample, cell in zip(samples, cells, strict=True)
        if cell
    ]
    frame = pd.DataFrame.from_records(records, columns=list(COLUMNS))
    return frame.astype({"row": "int64"} | dict.fromkeys(COLUMNS[1:], "str"))


def key_and_value(cell: str) -> tuple[str, str]:
    """Key and value of a cell `key: value`; the key is empty where there is no colon."""
    key, colon, value = cell.partition(":")
    return (key.strip(), value.strip()) if colon else ("", cell.strip())


def cells_of_row(table: pd.DataFrame, row: int, samples: Sequence[str]) -> list[str]:
    """The cells of one raw row, one per sample, empty where there is none."""
    found = table.loc[table["row"] == row].drop_duplicates("sample").set_index("sample")["cell"]
    return [str(cell) for cell in found.reindex(list(samples), fill_value="")]


def cells_of_key(table: pd.DataFrame, key: str, samples: Sequence[str]) -> list[str]:
    """The first cell of every sample under a key (case and surrounding space ignored), whatever row it stands in."""
    wanted = key.strip().casefold()
    rows = table.loc[table["key"].str.casefold() == wanted]
    found = rows.drop_duplicates("sample").set_index("sample")["cell"]
    return [str(cell) for cell in found.reindex(list(samples), fill_value="")]


def shifted_rows(table: pd.DataFrame) -> list[int]:
    """Raw rows whose cells carry more than one key: reading them by position would mix attributes."""
    keyed = table.loc[table["key"] != ""]
    counts = keyed.groupby("row")["key"].nunique()
    return [int(row) for row in counts.index[counts > 1]]
