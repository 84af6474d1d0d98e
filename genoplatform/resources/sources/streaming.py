"""Copying a byte stream to a file under a size cap, so that no archive or server can fill a disk."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from genoplatform.resources.sources.errors import SizeMismatchError
from genoplatform.resources.sources.progress import Progress
from genoplatform.settings.sources import Source

CHUNK = 1 << 18
UNDECLARED_CAP = 8 << 30
"""Most bytes taken for a source whose size the catalogue does not state."""


class Readable(Protocol):
    """The part of a binary file that copying needs."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; empty at the end."""


def size_cap(source: Source) -> int:
    """The most bytes that `source` can have."""
    return source.bytes if source.bytes is not None else UNDECLARED_CAP


def check_size(source: Source, origin: str, announced: int | None) -> None:
    """Refuse, before reading, what announces another size than the pin's.

    Raises:
        SizeMismatchError: `announced` (None = unknown) cannot be the pinned file.
    """
    if announced is None or announced == source.bytes:
        return
    if source.bytes is not None or announced > UNDECLARED_CAP:
        raise _size_mismatch(source, origin, f"{announced:,} bytes")


def copy_capped(stream: Readable, target: Path, source: Source, origin: str, progress: Progress, done: int = 0) -> int:
    """Write `stream` to `target`, at most as many bytes as `source` declares.

    Args:
        stream: where the bytes come from.
        target: where they go; overwritten if `done` is 0, else appended to.
        source: the pin that sets the cap.
        origin: the mirror in words, for the error.
        progress: told after each chunk.
        done: bytes of the file that `target` already has.

    Returns:
        Size of `target` afterwards, in bytes.

    Raises:
        SizeMismatchError: the stream goes on beyond the cap.
    """
    cap = size_cap(source)
    with target.open("ab" if done else "wb") as out:
        while chunk := stream.read(min(CHUNK, cap - done + 1)):
            done += len(chunk)
            if done > cap:
                raise _size_mismatch(source, origin, f"more than {cap:,} bytes")
            out.write(chunk)
            progress.update(done)
    return done


def _size_mismatch(source: Source, origin: str, found: str) -> SizeMismatchError:
    expected = f"{source.bytes:,} bytes" if source.bytes is not None else f"at most {UNDECLARED_CAP:,} bytes"
    return SizeMismatchError(
        f"fetching {source.id} from {origin}",
        f"expected {expected}, found {found}",
        "nothing was kept; the mirror carries another file: correct or remove it there",
    )
