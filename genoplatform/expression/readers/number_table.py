"""One table of numbers, rows by id and columns by sample: parsed in blocks, with odd rows and cells counted.

Belongs here: what GEO's matrix tables and Xena's expression files share. Not here: finding the table in a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from genoplatform.expression.readers.lines import cells_of, text_of

Floats = npt.NDArray[np.float64]
BLOCK = 1 << 22
"""Bytes parsed at a time: bounds the memory beside the result."""
NULLS = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip
LONG, SHORT, UNREADABLE, HEADERS = (
    "rows too long, left out",
    "rows too short, padded",
    "unreadable cells",
    "headers repeated",
)


@dataclass(frozen=True)
class ExpressionTable:
    """Measured values.

    Attributes:
        ids: probe ids or gene symbols as written, length p.
        samples: sample ids as written, length n.
        values: float64, shape (p, n); NaN = missing.
        report: what was left out, repaired or odd, by reason.
    """

    ids: list[str]
    samples: list[str]
    values: Floats
    report: dict[str, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to analyse: no row, no column, or no number."""
        return self.values.size == 0 or bool(np.isnan(self.values).all())

    def of_samples(self, keep: list[int]) -> ExpressionTable:
        """The columns at these positions."""
        return ExpressionTable(self.ids, [self.samples[i] for i in keep], self.values[:, keep], self.report)


def empty_table(samples: list[str] | None = None) -> ExpressionTable:
    """A table without rows."""
    return ExpressionTable([], list(samples or []), np.empty((0, len(samples or []))))


def parse_number_table(lines: Iterable[bytes]) -> ExpressionTable:
    """Parse a header line and its rows.

    Rows longer than the header are left out, shorter ones padded, as the benchmark reads them; a header that stands
    there again is skipped; a cell that is no number is missing. Each is counted.

    Args:
        lines: tab-separated lines with their ends, header first; may be empty.
    """
    rows = iter(lines)
    header = next((line for line in rows if line.strip()), b"")
    samples = cells_of(text_of(header))[1:]
    report: Counter[str] = Counter()
    blocks = [_parse(block, len(samples), report) for block in _blocks(rows, header, report)]
    if not blocks:
        return ExpressionTable([], samples, np.empty((0, len(samples))), dict(report))
    ids = [name for block, _ in blocks for name in block]
    values = np.concatenate([block for _, block in blocks])
    if repeated := len(ids) - len(set(ids)):
        report["ids repeated"] = repeated
    return ExpressionTable(ids, samples, values, dict(report))


def _blocks(rows: Iterator[bytes], header: bytes, report: Counter[str]) -> Iterator[bytes]:
    block, size = [], 0
    again = header.rstrip()
    for line in rows:
        if line.rstrip() == again:
            report[HEADERS] += 1
            continue
        block.append(line)
        size += len(line)
        if size >= BLOCK:
            yield b"".join(block)
            block, size = [], 0
    if size:
        yield b"".join(block)


def _parse(block: bytes, n: int, report: Counter[str]) -> tuple[list[str], Floats]:
    names = [str(i) for i in range(n + 1)]
    types = {name: pa.float64() for name in names[1:]} | {"0": pa.string()}
    try:
        table = pa_csv.read_csv(
            pa.BufferReader(block),
            read_options=pa_csv.ReadOptions(column_names=names, block_size=len(block) + 1, use_threads=False),
            parse_options=pa_csv.ParseOptions(delimiter="\t"),
            convert_options=pa_csv.ConvertOptions(
                column_types=types, null_values=list(NULLS), strings_can_be_null=False, quoted_strings_can_be_null=True
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return _parse_oddly(block, n, report)
    values = np.empty((table.num_rows, n))
    for i in range(n):
        values[:, i] = table.column(i + 1).to_numpy()
    return [name.strip() for name in table.column(0).to_pylist()], values


def _parse_oddly(block: bytes, n: int, report: Counter[str]) -> tuple[list[str], Floats]:
    """The same for a block with rows of another length or cells that are no numbers; slow, and rare."""
    ids, kept = [], []
    for line in block.split(b"\n"):
        cells = [cell.strip().strip('"') for cell in text_of(line).split("\t")]
        if cells == [""]:
            continue
        if len(cells) > n + 1:
            report[LONG] += 1
            continue
        report[SHORT] += len(cells) < n + 1
        ids.append(cells[0])
        kept.append(cells[1:] + [""] * (n + 1 - len(cells)))
    if not kept:
        return [], np.empty((0, n))
    flat = pd.Series(np.array(kept, dtype=object).ravel(), dtype=object)
    numbers = pd.to_numeric(flat, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    report[UNREADABLE] += int((np.isnan(numbers) & ~flat.isin(NULLS).to_numpy()).sum())
    return ids, numbers.reshape(len(ids), n)
