"""Lines of plain or gzip text, and the cells of a tab-separated line. Not here: what a line means."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from genoplatform.errors import BadInputError

_GZIP = b"\x1f\x8b"
_BUFFER = 1 << 18


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open plain or gzip text for reading bytes; the content decides, not the name.

    Raises:
        BadInputError: no such file, or damaged compression (also while the block reads).
    """
    try:
        with path.open("rb") as raw:
            start = raw.peek(2)[:2] if isinstance(raw, io.BufferedReader) else b""
            if start == _GZIP:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    # GzipFile is an IOBase; its own line loop is in Python, that of BufferedReader is not.
                    yield io.BufferedReader(unpacked, _BUFFER)
            else:
                yield raw
    except (OSError, EOFError, zlib.error) as error:
        raise BadInputError(f"reading {path.name}", str(error) or "it ends early", "obtain the file again") from error


def text_of(line: bytes) -> str:
    """Decode a line without its end; bytes that are not UTF-8 are read as Latin-1, as old submissions have them."""
    line = line.rstrip(b"\r\n")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("latin-1")


def cells_of(text: str) -> list[str]:
    """Cells of a tab-separated line, double quotes removed and white space trimmed."""
    if '"' not in text:
        return [cell.strip() for cell in text.split("\t")]
    return [cell.strip() for cell in next(csv.reader([text.replace("\n", " ")], delimiter="\t"), [])]
