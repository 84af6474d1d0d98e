"""Tab-separated tables whose header spelling changes between releases, read by column name with every bad row counted.

Holds the one reader that `hpoa` and `genes` share. What a column means belongs to those modules, not here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from genoplatform.errors import BadInputError

SHORT_ROW = "short row"
LONG_ROW = "long row"
_DETAIL_CHARS = 120


@dataclass(frozen=True)
class Layout:
    """The columns a table may have.

    Attributes:
        what: the table's name in messages ("phenotype.hpoa").
        spellings: column name -> its historic spellings, lower case, letters and digits only.
        required: columns without which the layout counts as unknown.
    """

    what: str
    spellings: Mapping[str, frozenset[str]]
    required: tuple[str, ...]

    def match(self, header: list[str]) -> dict[str, int]:
        """Column name -> position in `header`; the first of several equal names wins."""
        keys = [re.sub(r"[^a-z0-9]", "", name.lower()) for name in header]
        found = {}
        for column, spellings in self.spellings.items():
            positions = [i for i, key in enumerate(keys) if key in spellings]
            if positions:
                found[column] = positions[0]
        return found


@dataclass(frozen=True)
class Table:
    """A table as read.

    Attributes:
        frame: `row` (1-based line of the file) and the layout's columns found, stripped strings, in file order.
        comments: the "#" lines before the header.
        columns: the layout's columns that the file has.
        lines: number of data lines, good and bad.
        bad: line, reason, detail of the lines whose number of fields is not the header's.
    """

    frame: pd.DataFrame
    comments: list[str]
    columns: tuple[str, ...]
    lines: int
    bad: pd.DataFrame


def read_table(path: Path, layout: Layout) -> Table:
    """Read a tab-separated file by column name.

    Args:
        path: the file; UTF-8, any line ending, leading "#" lines allowed, header with or without "#".
        layout: the columns to look for.

    Raises:
        BadInputError: missing or empty file, not UTF-8, or no line that names all required columns.
    """
    data = _read_bytes(path, layout.what)
    header, comments, body_start, header_lines = _find_header(data, path, layout)
    body = data[body_start:]
    positions = layout.match(header)
    starts, ends, good, counts = _line_shapes(body, len(header))
    line_numbers = np.arange(len(starts)) + header_lines + 1
    is_data = good | (counts >= 0)
    bad = _bad_lines(body, starts, ends, counts, line_numbers, ~good & is_data, len(header))
    frame = _parse(_keep_lines(body, starts, ends, good), header, positions, path, layout.what)
    frame.insert(0, "row", line_numbers[good])
    return Table(frame, comments, tuple(positions), int(is_data.sum()), bad)


def _read_bytes(path: Path, what: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"reading {what}", f"{path}: {error.strerror}", "fetch the source again") from error
    if not data.strip():
        raise BadInputError(f"reading {what}", f"{path} is empty", "fetch the source again")
    data = data.removeprefix(b"\xef\xbb\xbf")
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _find_header(data: bytes, path: Path, layout: Layout) -> tuple[list[str], list[str], int, int]:
    """The header's names, the comments before it, the offset after it, and the lines up to and with it.

    Releases of 2020 write the separator as the literal text "<tab>" after "#Format: "; others hash the header or not.
    """
    comments: list[str] = []
    offset, first_row = 0, ""
    while offset < len(data):
        end = data.find(b"\n", offset)
        end = len(data) if end < 0 else end
        line = data[offset:end].decode("utf-8", errors="replace")
        offset = end + 1
        names = re.sub(r"^#\s*(Format:)?\s*", "", line).replace("<tab>", "\t").split("\t")
        if set(layout.required) <= set(layout.match(names)):
            return [name.strip() for name in names], comments, offset, len(comments) + 1
        if line.strip() and not line.startswith("#"):
            first_row = line
            break
        comments.append(line)
    shown = first_row.replace("\t", ", ") or "no line that is not a comment"
    raise BadInputError(
        f"reading {layout.what} ({path.name})",
        f"no header with the expected columns; found: {shown[:300]}",
        f"expected columns: {', '.join(layout.required)}",
    )


def _line_shapes(body: bytes, fields: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Start, end, goodness and number of tabs of every line; blank and comment lines have -1 tabs."""
    raw = np.frombuffer(body, dtype=np.uint8)
    ends = np.flatnonzero(raw == ord("\n"))
    if len(raw) and (not len(ends) or ends[-1] != len(raw) - 1):
        ends = np.append(ends, len(raw))
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64) if len(ends) else ends
    tabs = np.flatnonzero(raw == ord("\t"))
    counts = np.searchsorted(tabs, ends) - np.searchsorted(tabs, starts)
    nothing = starts == ends
    comment = np.zeros(len(starts), dtype=bool)
    comment[~nothing] = raw[starts[~nothing]] == ord("#")
    counts[nothing | comment] = -1
    return starts, ends, counts == fields - 1, counts


def _keep_lines(body: bytes, starts: np.ndarray, ends: np.ndarray, good: np.ndarray) -> bytes:
    if good.all():
        return body
    return b"".join(body[s:e] + b"\n" for s, e in zip(starts[good], ends[good], strict=True))


def _bad_lines(
    body: bytes,
    starts: np.ndarray,
    ends: np.ndarray,
    counts: np.ndarray,
    lines: np.ndarray,
    bad: np.ndarray,
    fields: int,
) -> pd.DataFrame:
    records = []
    for i in np.flatnonzero(bad):
        text = body[starts[i] : ends[i]].decode("utf-8", errors="replace")[:_DETAIL_CHARS]
        reason = SHORT_ROW if counts[i] < fields - 1 else LONG_ROW
        records.append((int(lines[i]), reason, f"{counts[i] + 1} of {fields} fields: {text}"))
    return rejected_frame(records)


def rejected_frame(records: list[tuple[int, str, str]]) -> pd.DataFrame:
    """The common form of rejected rows: line (int), reason, detail."""
    frame = pd.DataFrame(records, columns=["line", "reason", "detail"])
    return frame.astype({"line": "int64", "reason": "str", "detail": "str"})


def _parse(body: bytes, header: list[str], positions: Mapping[str, int], path: Path, what: str) -> pd.DataFrame:
    if not body:
        return pd.DataFrame({name: pd.Series(dtype="str") for name in positions})
    columns = [f"c{i}" for i in range(len(header))]
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(body),
            read_options=pa_csv.ReadOptions(column_names=columns),
            parse_options=pa_csv.ParseOptions(delimiter="\t", quote_char=False, ignore_empty_lines=False),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()),
                include_columns=[f"c{i}" for i in positions.values()],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        raise BadInputError(f"reading {what}", f"{path.name}: {error}", "the file must be UTF-8 text") from error
    return pd.DataFrame(
        {name: pc.utf8_trim_whitespace(table[f"c{i}"]).to_pandas().astype("str") for name, i in positions.items()}
    )
