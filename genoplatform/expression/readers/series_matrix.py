"""A GEO series matrix file: its header fields and its table. Source: expression.md B.2, B.5.

Header cells may hold line breaks (GSE781 itself has them) and the table markers may repeat; both are read through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.lines import cells_of, opened, text_of
from genoplatform.expression.readers.number_table import ExpressionTable, empty_table, parse_number_table

BEGIN, END = b"!series_matrix_table_begin", b"!series_matrix_table_end"
ACCESSION = "!Sample_geo_accession"
CHARACTERISTICS = "!Sample_characteristics_ch1"


@dataclass(frozen=True)
class SeriesMatrix:
    """One series matrix file.

    Attributes:
        series: (field with its `!`, value) of the series lines, in file order.
        samples: accessions, in file order.
        fields: (field with its `!`, one cell per sample) of the sample lines, in file order.
        table: the measured values; empty if not asked for, or if the file has none.
        report: what was odd about the header, by reason.
    """

    series: list[tuple[str, str]]
    samples: list[str]
    fields: list[tuple[str, list[str]]]
    table: ExpressionTable
    report: dict[str, int] = field(default_factory=dict)

    def cells(self, name: str) -> list[list[str]]:
        """Rows of one sample field, each with one cell per sample."""
        return [cells for key, cells in self.fields if key == name]

    @property
    def platform(self) -> str | None:
        """GPL accession that the header names, if it names one alone."""
        named = {cell for cells in self.cells("!Sample_platform_id") for cell in cells if cell}
        named = named or {value for key, value in self.series if key == "!Series_platform_id"}
        return named.pop() if len(named) == 1 else None


def read_series_matrix(path: Path, *, with_table: bool = True) -> SeriesMatrix:
    """Read a series matrix file, plain or gzip.

    Args:
        path: the file.
        with_table: False stops where the table begins.

    Raises:
        BadInputError: not such a file: neither sample accessions nor a table.
    """
    with opened(path) as stream:
        series, fields, found = _header(stream)
        table = empty_table()
        if found and with_table:
            table = parse_number_table(_table_lines(stream))
    accessions = next((cells for key, cells in fields if key == ACCESSION), None)
    if accessions is None and not found:
        raise BadInputError(
            f"reading {path.name}", f"no {ACCESSION} line and no table", "it should be a GEO series matrix file"
        )
    samples = accessions if accessions is not None else table.samples
    report: dict[str, int] = {}
    kept = []
    for key, cells in fields:
        if len(cells) > len(samples):
            report["header rows too long, left out"] = report.get("header rows too long, left out", 0) + 1
        else:
            kept.append((key, cells + [""] * (len(samples) - len(cells))))
    return SeriesMatrix(series, list(samples), kept, table, report)


def _header(stream: BinaryIO) -> tuple[list[tuple[str, str]], list[tuple[str, list[str]]], bool]:
    """Series and sample lines before the table, and whether the table's begin marker came."""
    series: list[tuple[str, str]] = []
    fields: list[tuple[str, list[str]]] = []
    found = False
    for text in _records(stream):
        if text.startswith(BEGIN.decode()):
            found = True
            break
        key, _, rest = text.partition("\t")
        key = key.strip().strip('"')
        if key.startswith("!Series_"):
            series.append((key, " ".join(cell for cell in cells_of(rest) if cell)))
        elif key.startswith("!Sample_"):
            fields.append((key, cells_of(rest)))
    return series, fields, found


def _records(stream: BinaryIO) -> Iterator[str]:
    """Header records: a line that does not begin with `!` continues the quoted cell of the one before it."""
    record: list[str] = []
    for line in stream:
        if line.startswith(BEGIN):
            break
        text = text_of(line)
        if text.startswith("!"):
            if record:
                yield "\n".join(record)
            record = [text.strip()]
        elif record and text.strip():
            record.append(text)
    else:
        if record:
            yield "\n".join(record)
        return
    if record:
        yield "\n".join(record)
    yield BEGIN.decode()


def _table_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of the table up to its end, without markers that stand in between."""
    seen = False
    for line in stream:
        if line.startswith(END):
            if seen:
                return
        elif not line.startswith(b"!") and line.strip():
            seen = True
            yield line
