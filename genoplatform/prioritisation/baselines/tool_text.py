"""Output files of a tool as text or JSON, plain or gzipped; whatever cannot be read is the tool's failure.

Not here: what the text says.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from genoplatform.prioritisation.baselines.tool import EmptyOutputError, MissingOutputError, ToolOutputError


def find_output(folder: Path, pattern: str) -> Path | None:
    """First file in name order that matches `pattern`, or `pattern` with ".gz"; None without one."""
    found = sorted(path for end in ("", ".gz") for path in folder.glob(pattern + end) if path.is_file())
    return found[0] if found else None


def require_output(folder: Path, pattern: str) -> Path:
    """As `find_output`. Raises MissingOutputError without a match."""
    path = find_output(folder, pattern)
    if path is None:
        raise MissingOutputError("reading a tool's result", f"no file {pattern}", "see the case's logs")
    return path


def read_output(path: Path) -> str:
    """Text of an output file.

    Raises:
        EmptyOutputError: nothing but white space in it.
        ToolOutputError: not UTF-8, or a broken gzip file.
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ToolOutputError(f"reading {path.name}", str(error), "see the case's logs") from error
    if not text.strip():
        raise EmptyOutputError(f"reading {path.name}", "an empty file", "see the case's logs")
    return text


def read_lines(path: Path) -> list[str]:
    r"""Lines of an output file, split at "\n" and nothing else: free text may hold other separators.

    Raises:
        EmptyOutputError: nothing in it.
        ToolOutputError: unreadable, or the last line has no end: the writer was cut off.
    """
    text = read_output(path)
    if not text.endswith("\n"):
        raise ToolOutputError(f"reading {path.name}", "cut off: the last line has no end", "see the case's logs")
    return text[:-1].replace("\r\n", "\n").split("\n")


def read_json(path: Path) -> Any:
    """Content of a JSON output file. Raises as `read_output`, and ToolOutputError where it is no whole JSON."""
    try:
        return json.loads(read_output(path))
    except (ValueError, RecursionError) as error:
        raise ToolOutputError(f"reading {path.name}", f"not JSON: {error}", "see the case's logs") from error
