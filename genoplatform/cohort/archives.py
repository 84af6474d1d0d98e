"""JSON files out of a directory, a zip or a (compressed) tar, one at a time and never extracted.

Here: opening containers, refusing unsafe or oversized members, noticing truncated archives.
Not here: what the JSON means.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from genoplatform.errors import BadInputError

MAX_MEMBER_BYTES = 16 * 1024 * 1024  # the largest packet of the store is under 1 MiB
_OPENERS: dict[bytes, Callable[..., Any]] = {b"\xfd7zXZ\x00": lzma.open, b"\x1f\x8b": gzip.open, b"BZh": bz2.open}
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, OSError)

Skipped = list[tuple[str, str, str]]


def iter_json(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    """Yield (posix path, bytes) of every ``.json`` member, in the container's order.

    Args:
        path: a directory, or a .zip, .tar, .tar.gz, .tar.xz or .tar.bz2 file (told by content, not by name).
        skipped: receives (path, reason, detail) of members not read: unsafe-path, link, hidden, too-large,
            encrypted, unreadable-file.

    Raises:
        BadInputError: the path does not exist, is no known container, or is broken or truncated.
    """
    if path.is_dir():
        yield from _from_directory(path, skipped)
        return
    if not path.is_file():
        raise BadInputError("reading phenopackets", f"{path} does not exist", "give a directory, .zip or .tar.xz")
    reader = _from_zip if zipfile.is_zipfile(path) else _from_tar
    try:
        yield from reader(path, skipped)
    except _BROKEN as error:
        raise BadInputError(
            f"reading phenopackets from {path.name}",
            f"the archive is broken, truncated or of an unknown kind ({type(error).__name__}: {error})",
            "fetch it again and verify its hash; accepted: a directory, .zip, .tar, .tar.gz, .tar.xz, .tar.bz2",
        ) from error


def _from_directory(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    root = path.resolve()
    for file in sorted(root.rglob("*")):
        if file.suffix.lower() != ".json" or not file.is_file():
            continue
        name = file.relative_to(root).as_posix()
        if file.is_symlink() and not file.resolve().is_relative_to(root):
            skipped.append((name, "link", "points outside the directory"))
        elif _wanted(name, file.stat().st_size, skipped):
            above = f"{root.parent.name}/phenopackets" if root.name == "phenopackets" else root.name
            try:
                content = file.read_bytes()
            except OSError as error:
                skipped.append((name, "unreadable-file", str(error.strerror)))
            else:
                yield _rooted(name, above), content


def _from_zip(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = _tidy(info.filename)
            if info.is_dir() or not name.lower().endswith(".json"):
                continue
            if info.flag_bits & 0x1:
                skipped.append((name, "encrypted", "needs a password"))
            elif _wanted(name, info.file_size, skipped):
                yield _rooted(name, path.name.split(".")[0]), archive.read(info)


def _from_tar(path: Path, skipped: Skipped) -> Iterator[tuple[str, bytes]]:
    with path.open("rb") as head:
        magic = head.read(6)
    opener = next((o for m, o in _OPENERS.items() if magic.startswith(m)), Path.open)
    with opener(path, "rb") as raw:
        tail = _Tail(raw)
        with tarfile.open(fileobj=cast("IO[bytes]", tail), mode="r|") as archive:
            for member in archive:
                name = _tidy(member.name)
                if member.isdir() or not name.lower().endswith(".json"):
                    continue
                if not member.isfile():
                    skipped.append((name, "link", f"a link to {member.linkname}"))
                elif _wanted(name, member.size, skipped):
                    content = archive.extractfile(member)
                    yield _rooted(name, path.name.split(".")[0]), content.read() if content else b""
        tail.require_end_marker()


class _Tail(io.RawIOBase):
    """A reader that remembers its last block.

    A tar ends in two zero blocks; Python's reader takes a cut between two members for the end.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw, self._last = raw, b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        block = self._raw.read(size)
        self._last = (self._last + block)[-1024:]
        return block

    def require_end_marker(self) -> None:
        while self.read(1 << 16):
            pass
        if len(self._last) < 1024 or self._last.strip(b"\0"):
            raise tarfile.ReadError("no end-of-archive marker")


def _tidy(name: str) -> str:
    """Archives made on Windows may hold backslashes; some begin with ./ ."""
    return re.sub(r"^(\./)+", "", name.replace("\\", "/"))


def _rooted(name: str, above: str) -> str:
    """Puts the container's own name before a path too short to name its cohort directory."""
    parent = name.rpartition("/")[0]
    return f"{above}/{name}" if parent in {"", "phenopackets"} else name


def _wanted(name: str, size: int, skipped: Skipped) -> bool:
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:/", name):
        skipped.append((name, "unsafe-path", "absolute or climbing path"))
    elif any(p.startswith(".") or p == "__MACOSX" for p in parts):
        skipped.append((name, "hidden", "hidden file or resource fork"))
    elif size > MAX_MEMBER_BYTES:
        skipped.append((name, "too-large", f"{size} bytes, limit {MAX_MEMBER_BYTES}"))
    else:
        return True
    return False
