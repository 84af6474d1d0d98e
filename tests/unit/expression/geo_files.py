"""Small GEO and Xena files of our own invention, for the readers and what builds on them. Nothing in them is true."""

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path

SAMPLES = ["GSM1", "GSM2", "GSM3", "GSM4"]


def matrix_text(
    rows: Mapping[str, Sequence[object]] | None = None,
    *,
    samples: Sequence[str] = SAMPLES,
    characteristics: Sequence[Sequence[str]] = (),
    fields: Mapping[str, Sequence[str]] | None = None,
    series: Sequence[tuple[str, str]] = (("!Series_title", "A series"),),
    platform: str = "",
) -> str:
    """A series matrix file; `rows` maps ids to their cells."""
    lines = [f'{key}\t"{value}"' for key, value in series] + [""]
    lines.append(line("!Sample_title", [f"title of {sample}" for sample in samples]))
    lines.append(line("!Sample_geo_accession", samples))
    lines += [line(name, cells) for name, cells in (fields or {}).items()]
    lines += [line("!Sample_characteristics_ch1", cells) for cells in characteristics]
    lines += [line("!Sample_platform_id", [platform] * len(samples))] if platform else []
    lines += ["!series_matrix_table_begin", "\t".join(f'"{name}"' for name in ["ID_REF", *samples])]
    lines += ["\t".join([f'"{name}"', *map(str, cells)]) for name, cells in (rows or {}).items()]
    return "\n".join([*lines, "!series_matrix_table_end", ""])


def line(name: str, cells: Sequence[str]) -> str:
    """A header line of a matrix file."""
    return "\t".join([name, *(f'"{cell}"' for cell in cells)])


def soft_text(
    platforms: Mapping[str, str],
    samples: Sequence[tuple[str, str, Sequence[tuple[str, str]], str | None]] = (),
    series: Sequence[tuple[str, str]] = (("Series_title", "A series"),),
) -> str:
    """A family SOFT file: platform -> table text; samples as (accession, platform, fields, table text or None)."""
    lines = ["^DATABASE = GeoMiame", "^SERIES = GSE1", *(f"!{key} = {value}" for key, value in series)]
    for name, table in platforms.items():
        lines += [f"^PLATFORM = {name}", f"!Platform_title = array {name}", "#ID = probe"]
        lines += ["!platform_table_begin", *([table] if table else []), "!platform_table_end"]
    for name, platform, fields, table in samples:
        lines += [f"^SAMPLE = {name}", f"!Sample_title = title of {name}", f"!Sample_platform_id = {platform}"]
        lines += [f"!{key} = {value}" for key, value in fields]
        if table is not None:
            lines += ["#ID_REF =", "!sample_table_begin", *([table] if table else []), "!sample_table_end"]
    return "\n".join([*lines, ""])


def tsv(*rows: str) -> str:
    """Rows written with blanks for tabs."""
    return "\n".join(row.replace(" ", "\t") for row in rows)


def put(path: Path, text: str, *, zipped: bool = False) -> Path:
    """Write text, gzip if asked for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    return path
