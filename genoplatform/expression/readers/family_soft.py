"""A GEO family SOFT file, read as a stream: series, platforms and samples, one table a platform.

Belongs here: the file's grammar (`^` opens an entity, `!` a field, `#` a column note). Not here: the benchmark's own
way of reading annotations, which is in `annotation.py`. Tables are handed on as bytes, so nothing larger than one of
them is held.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.lines import opened, text_of
from genoplatform.expression.readers.number_table import ExpressionTable
from genoplatform.expression.readers.sample_matrix import SampleMatrix

_MARKS = frozenset(b"!^")


@dataclass(frozen=True)
class Entity:
    """One section of the file.

    Attributes:
        kind: SERIES, PLATFORM, SAMPLE, DATABASE.
        name: accession.
        fields: (name without `!`, value), in file order.
        table: bytes of its table with header, without markers; None if not asked for or without one.
    """

    kind: str
    name: str
    fields: list[tuple[str, str]]
    table: bytes | None = None

    def values(self, name: str) -> list[str]:
        """Every value of one field, in file order."""
        return [value for key, value in self.fields if key == name]


@dataclass(frozen=True)
class FamilySoft:
    """Series and samples of a family file.

    Attributes:
        series: fields of the series, names without `!`.
        platforms: accession -> title, in file order.
        samples: the samples, in file order, without their tables.
        tables: platform -> measured values of its samples, if asked for.
        report: what was left out or odd, by reason.
    """

    series: list[tuple[str, str]]
    platforms: dict[str, str]
    samples: list[Entity]
    tables: dict[str, ExpressionTable] = field(default_factory=dict)
    report: dict[str, int] = field(default_factory=dict)


def entities(stream: BinaryIO, *, tables: frozenset[str] = frozenset()) -> Iterator[Entity]:
    """Sections of a SOFT stream, one at a time.

    Args:
        stream: the file.
        tables: kinds of section whose tables are kept; of others they are read over.
    """
    kind, name, fields, table = "", "", [], None
    pending: bytes | None = None
    while line := pending or stream.readline():
        pending = None
        if line.startswith(b"!"):
            mark = line[:40].lower()
            if b"_table_begin" in mark:
                table, pending = _table(stream, kind in tables)
            elif b"_table_end" not in mark:
                key, _, value = text_of(line[1:]).partition("=")
                fields.append((key.strip(), value.strip()))
        elif line.startswith(b"^"):
            if kind:
                yield Entity(kind, name, fields, table)
            key, _, value = text_of(line[1:]).partition("=")
            kind, name, fields, table = key.strip().upper(), value.strip(), [], None
    if kind:
        yield Entity(kind, name, fields, table)


def _table(stream: BinaryIO, keep: bool) -> tuple[bytes | None, bytes | None]:
    """Bytes of a table up to its end marker, and the line after it where the marker is missing."""
    kept: list[bytes] = []
    after = None
    for line in stream:  # millions of lines: as little as possible for each
        if line[0] in _MARKS:
            after = None if b"_table_end" in line[:40].lower() else line
            break
        if keep:
            kept.append(line)
    table = b"".join(kept)
    if b"\n#" in table or table.startswith(b"#"):
        table = b"".join(line for line in kept if not line.startswith(b"#"))
    return (table if keep else None), after


def read_family_soft(path: Path, *, with_values: bool = False, platform: str | None = None) -> FamilySoft:
    """Read series and samples of a family SOFT file, and with `with_values` the matrix its sample tables make up.

    Args:
        path: plain or gzip.
        with_values: assemble one table a platform from column VALUE of the sample tables.
        platform: of this platform only.

    Raises:
        BadInputError: no section at all.
    """
    series: list[tuple[str, str]] = []
    platforms: dict[str, str] = {}
    samples: list[Entity] = []
    parts: dict[str, SampleMatrix] = {}
    report: Counter[str] = Counter()
    with opened(path) as stream:
        for entity in entities(stream, tables=frozenset({"SAMPLE"}) if with_values else frozenset()):
            if entity.kind == "SERIES":
                series.extend(entity.fields)
            elif entity.kind == "PLATFORM":
                platforms[entity.name] = next(iter(entity.values("Platform_title")), "")
            elif entity.kind == "SAMPLE":
                on = platform_of(entity, platforms)
                samples.append(Entity(entity.kind, entity.name, entity.fields))
                if with_values and (platform is None or on == platform):
                    parts.setdefault(on, SampleMatrix()).add(entity.name, entity.table or b"", report)
    if not (series or platforms or samples):
        raise BadInputError(f"reading {path.name}", "no ^SERIES, ^PLATFORM or ^SAMPLE", "it should be a SOFT file")
    tables = {name: part.table() for name, part in parts.items()}
    return FamilySoft(series, platforms, samples, tables, dict(report))


def platform_of(sample: Entity, platforms: dict[str, str]) -> str:
    """Platform of a sample: the one it names, else the only one of the file, else empty."""
    named = next(iter(sample.values("Sample_platform_id")), "")
    return named or (next(iter(platforms)) if len(platforms) == 1 else "")


def read_platform(path: Path, platform: str | None) -> Entity | None:
    """The first platform with this accession (any, for None) with its table; reading stops there.

    A sample section ends the search, since platforms precede samples; None if there is no such platform.
    """
    with opened(path) as stream:
        for entity in entities(stream, tables=frozenset({"PLATFORM"})):
            if entity.kind == "PLATFORM" and entity.table is not None and platform in (None, entity.name):
                return entity
            if entity.kind == "SAMPLE":
                return None
    return None


def read_table_bytes(table: bytes) -> pd.DataFrame:
    """All columns of a SOFT table as strings, empty where missing; rows of another length are padded or cut."""
    head, _, body = table.partition(b"\n")
    names = [name.strip() for name in text_of(head).split("\t")]
    columns = [str(i) for i in range(len(names))]
    try:
        parsed = pa_csv.read_csv(
            pa.BufferReader(body) if body else io.BytesIO(b"\t" * (len(names) - 1) + b"\n"),
            read_options=pa_csv.ReadOptions(column_names=columns, block_size=max(len(body), 1) + 1, use_threads=False),
            parse_options=pa_csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()), strings_can_be_null=False
            ),
        )
        frame: pd.DataFrame = parsed.to_pandas()
    except pa.ArrowInvalid:
        rows = [text_of(line).split("\t") for line in body.split(b"\n") if line.strip()]
        width = len(names)
        frame = pd.DataFrame([(row + [""] * width)[:width] for row in rows], columns=columns)
    frame = frame.astype("str").set_axis(_unique(names), axis=1)
    return frame if body else frame.iloc[:0]


def _unique(names: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        unique.append(f"{name}.{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return unique
