"""The annotation table of a platform: what each probe of an array measures. Source: expression.md B.6.

Two readers: ours, one table a platform, which stops at its end; and the benchmark's (release 2), which takes every line
of the file that is no `^`, `!` or `#` line, sample tables included, under the first header (!).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.family_soft import entities, read_platform, read_table_bytes
from genoplatform.expression.readers.lines import opened, text_of

ID = "ID"


@dataclass(frozen=True)
class Annotation:
    """Annotation of one platform.

    Attributes:
        platform: GPL accession; empty where the reader cannot tell.
        table: every column as strings, empty where missing; first column usually `ID`; rows as in the file.
        report: counts.
    """

    platform: str
    table: pd.DataFrame
    report: dict[str, int] = field(default_factory=dict)

    def preview(self, rows: int = 5) -> dict[str, tuple[str | None, ...]]:
        """First values of every column, None where missing."""
        head = self.table.head(rows)
        return {str(name): tuple(value or None for value in head[name].tolist()) for name in head.columns}


def read_annotation(path: Path, platform: str | None = None) -> Annotation | None:
    """Annotation of one platform of a family SOFT file; reading stops at the end of its table.

    Args:
        path: plain or gzip.
        platform: GPL accession; None takes the first platform that has a table.

    Returns:
        The annotation, or None where the file has no such platform table.
    """
    entity = read_platform(path, platform)
    if entity is None or not entity.table:
        return None
    table = read_table_bytes(entity.table)
    return Annotation(entity.name, table, {"rows": len(table)})


def best_annotation(path: Path, ids: Sequence[str]) -> Annotation | None:
    """Of the platforms of a family SOFT file the annotation that knows most of the measured ids; ties go to the first.

    Samples follow the platforms, so reading stops at the first of them. None where the file has no platform table.
    """
    wanted = set(ids)
    best: tuple[int, Annotation] | None = None
    with opened(path) as stream:
        for entity in entities(stream, tables=frozenset({"PLATFORM"})):
            if entity.kind == "SAMPLE":
                break
            if entity.kind == "PLATFORM" and entity.table:
                table = read_table_bytes(entity.table)
                known = len(wanted.intersection(table.iloc[:, 0]))
                if best is None or known > best[0]:
                    best = (known, Annotation(entity.name, table, {"rows": len(table)}))
    return best[1] if best is not None else None


def read_annotation_v2(path: Path) -> Annotation:
    """All lines that are no `^`, `!` or `#` line as one table under the first of them, as the benchmark does (!).

    Every sample table of the file is among them: 3 million rows for 30,000 probes and 100 samples.

    Raises:
        BadInputError: no such line.
    """
    frames = []
    with opened(path) as stream:
        try:
            parts = pd.read_csv(
                _Text(stream),  # type: ignore[call-overload]
                sep="\t", dtype=str, on_bad_lines="skip", chunksize=200_000, na_filter=False,
            )  # fmt: skip
        except pd.errors.EmptyDataError as error:
            raise BadInputError(f"reading {path.name}", "no table line", "it should be a family SOFT file") from error
        frames = [part.astype("str") for part in parts]
    table = pd.concat(frames, ignore_index=True)
    table = table.fillna("")
    return Annotation("", table, {"rows": len(table)})


class _Text:
    """The table lines of a SOFT stream as the text file that pandas wants."""

    def __init__(self, stream: BinaryIO) -> None:
        self._lines = self._table_lines(stream)
        self._rest = ""

    @staticmethod
    def _table_lines(stream: BinaryIO) -> Iterator[str]:
        for line in stream:
            if line[:1] not in b"^!#" and not line.isspace():
                yield text_of(line) + "\n"

    def read(self, size: int = -1) -> str:
        """At least one and about `size` characters, or nothing at the end."""
        parts, length = [self._rest], len(self._rest)
        self._rest = ""
        for line in self._lines:
            parts.append(line)
            length += len(line)
            if 0 <= size <= length:
                break
        text = "".join(parts)
        if 0 <= size < len(text):
            text, self._rest = text[:size], text[size:]
        return text

    def __iter__(self) -> Iterator[str]:
        return self._lines
