"""Digests of files, directory trees and JSON. Light: no table library is imported here."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from genoplatform.errors import GenoplatformError

_READ_BYTES = 1 << 20


class UnsupportedTypeError(GenoplatformError):
    """A value has no canonical form here; nothing falls back to pickle."""


def file_sha256(path: Path) -> str:
    """Sha256 of a file's bytes, or of a directory's manifest (see `tree_sha256`), in hex."""
    if path.is_dir():
        return tree_sha256(path)
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def tree_sha256(root: Path) -> str:
    """Sha256 over the sorted lines `<relative path> TAB <file sha256>` of every file under `root`."""
    lines = [
        f"{path.relative_to(root).as_posix()}\t{file_sha256(path)}\n"
        for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).as_posix())
        if path.is_file()
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def tree_bytes(path: Path) -> int:
    """Size in bytes of a file, or of all files under a directory."""
    if path.is_dir():
        return sum(item.stat().st_size for item in path.rglob("*") if item.is_file())
    return path.stat().st_size


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys, no insignificant blanks, UTF-8; NaN and infinities are refused."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise UnsupportedTypeError(
            "writing a value as JSON",
            str(error),
            "hand over plain dicts, lists, strings, finite numbers, None",
        ) from error
