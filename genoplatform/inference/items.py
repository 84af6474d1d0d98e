"""Anyone's item table, checked: which item, from which publication, exposed or not, and how each system did.

Belongs here: what cells may hold and what must agree between rows. Does not belong here: column names and layout
(item_columns), statistics (evaluate). A table that passes can be evaluated; one that does not is refused with the
lines at fault, because a silently dropped row is a wrong score.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.inference.item_cells import parse_flag, parse_number, parse_text, refuse, where
from genoplatform.inference.item_columns import to_long
from genoplatform.inference.subsets import recent_from_year


@dataclass(frozen=True)
class ItemTable:
    """A checked item table.

    `rows`: item, cluster, system (strings), rank (float, NaN = not ranked), hit (1.0/0.0, 1 if rank <= 1), ranked
    (bool: the system gives ranks), and exposed, recent (1.0, 0.0 or NaN) where the input has them; in the order of
    the input, RangeIndex. `notes`: what was left out or assumed, in words.
    """

    rows: pd.DataFrame
    notes: list[str]


def read_items(path: Path) -> ItemTable:
    """Read a CSV (or tab- or semicolon-separated) item table and check it.

    Raises:
        BadInputError: the file cannot be read as a table, or the table cannot be evaluated.
    """
    tried = f"reading {path}"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInputError(tried, error.strerror or str(error), "give the path of a CSV file") from error
    except UnicodeDecodeError as error:
        raise BadInputError(tried, f"not UTF-8 text (byte {error.start})", "export the table as UTF-8 CSV") from error
    return validate_items(_parse_csv(text, tried), tried=tried)


def _parse_csv(text: str, tried: str) -> pd.DataFrame:
    """All cells as strings, blank lines skipped; the index holds line numbers."""
    separator = max(",\t;", key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        records = [(reader.line_num, record) for record in reader if any(cell.strip() for cell in record)]
    except csv.Error as error:
        raise BadInputError(tried, f"line {reader.line_num}: {error}", "give a plain CSV table") from error
    if not records:
        raise BadInputError(tried, "the file is empty", "give a table with a header and one line per item")
    header = records.pop(0)[1]
    for line, record in records:
        if len(record) != len(header):
            found = f"line {line} has {len(record)} fields, the header {len(header)}"
            raise BadInputError(tried, found, "quote fields that hold the separator")
    index = pd.Index([line for line, _ in records], name="line", dtype="int64")
    return pd.DataFrame([record for _, record in records], columns=header, index=index, dtype="str")


def validate_items(frame: pd.DataFrame, *, tried: str = "checking the item table") -> ItemTable:
    """Check an item table, long or wide (see `item_columns.to_long`).

    Args:
        frame: its index labels are what messages name; a blank or NaN rank means not ranked, a miss.
        tried: what the caller is doing, for the error.

    Raises:
        BadInputError: missing columns; no rows; blank item, cluster or system; the same item and system twice; ranks
            that are not numbers from 1 up; hits or flags that are not 0 or 1; a hit that is blank or contradicts
            its rank; an item with two clusters or flags; a single cluster.
    """
    long, ignored = to_long(frame, tried)
    if long.empty:
        raise BadInputError(tried, "the table has no rows", "give one line per item and system")
    notes = [f"columns not used: {', '.join(ignored)}"] if ignored else []
    columns = {c: parse_text(long[c], tried) for c in ("item", "cluster", "system")}
    columns |= _outcomes(long, columns["system"], tried) | _flags(long, tried)
    rows = pd.DataFrame(columns, index=long.index)
    _check_agreement(rows, tried)
    return ItemTable(rows.reset_index(drop=True), notes + _notes(rows))


def _outcomes(long: pd.DataFrame, system: pd.Series, tried: str) -> dict[str, pd.Series]:
    """rank, hit, ranked; a system with hits and no rank at all is one that gives hits only."""
    blank = pd.Series(np.nan, index=long.index)
    rank = parse_number(long["rank"], tried) if "rank" in long else blank
    hit = parse_flag(long["hit"], tried) if "hit" in long else blank
    impossible = (rank < 1) | (rank == np.inf)
    hint = "ranks start at 1; leave the cell of an unranked item empty"
    refuse(impossible, tried, "column rank: below 1 or infinite", hint, rank)
    gives_hits = hit.notna().groupby(system.to_numpy()).transform("any").set_axis(rank.index)
    gives_ranks = rank.notna().groupby(system.to_numpy()).transform("any").set_axis(rank.index)
    ranked = gives_ranks | ~gives_hits
    if "rank" not in long:
        refuse(hit.isna(), tried, "column hit: blank cells", "say 0 for a miss")
    refuse(~ranked & hit.isna(), tried, "column hit: blank cells", "say 0 for a miss")
    first = (rank <= 1).astype(float)
    contradiction = ranked & hit.notna() & (hit != first)
    refuse(contradiction, tried, "hit contradicts rank", "hit is 1 exactly where rank is 1; drop one of the columns")
    return {"rank": rank, "hit": first.where(ranked, hit), "ranked": ranked}


def _flags(long: pd.DataFrame, tried: str) -> dict[str, pd.Series]:
    flags = {c: parse_flag(long[c], tried) for c in ("exposed", "recent") if c in long}
    if "recent" not in flags and "publication_year" in long:
        year = parse_number(long["publication_year"], tried)
        flags["recent"] = pd.Series(recent_from_year(year), index=long.index)
    return flags


def _check_agreement(rows: pd.DataFrame, tried: str) -> None:
    refuse(
        pd.Series(rows.duplicated(["item", "system"], keep=False).to_numpy(), index=rows.index),
        tried,
        "the same item and system more than once",
        "keep one row each; evaluate tables of several cohorts or difficulties one by one",
    )
    for column in rows.columns.intersection(["cluster", "exposed", "recent"]):
        kinds = rows.groupby("item", sort=False)[column].nunique(dropna=False)
        if (kinds > 1).any():
            item = kinds.index[kinds > 1][0]
            found = f"item {item!r} has more than one {column} ({where(rows.index[rows['item'] == item])})"
            raise BadInputError(tried, found, f"{column} belongs to the item: the same in all of its rows")
    if rows["cluster"].nunique() == 1:
        found = f"one cluster only ({rows['cluster'].iloc[0]!r})"
        raise BadInputError(tried, found, "clustered inference needs two publications or more")


def _notes(rows: pd.DataFrame) -> list[str]:
    notes = []
    unranked = rows.loc[rows["ranked"] & rows["rank"].isna()].groupby("system", sort=False).size()
    notes += [f"{system}: {count} items without a rank count as misses" for system, count in unranked.items()]
    if "exposed" not in rows:
        notes.append("no column exposed: no overlap shift and no subsets by exposure")
    items = rows.drop_duplicates("item")
    for column in rows.columns.intersection(["exposed", "recent"]):
        if unknown := int(items[column].isna().sum()):
            notes.append(f"{unknown} of {len(items)} items have no {column} flag: they count in 'full' only")
    return notes
