"""One opener of an embedded collection at a time, on this machine: a lock beside it; the error says who has it."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import TextIO

from genoplatform.errors import GenoplatformError


class IndexInUseError(GenoplatformError):
    """Another process, or another part of this one, has the embedded index open."""

    exit_code = 3


class OneOpener:
    """Holds the lock of a collection directory until released; the file's content is the holder's process id.

    The lock is the system's, so it ends with the process that holds it, however that ends.

    Args:
        directory: of the collection.
        wait_s: how long to wait for another holder to finish, s.
    """

    def __init__(self, directory: Path, wait_s: float = 0.0) -> None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        self._path = directory.with_name(f"{directory.name}.lock")
        self._handle: TextIO | None = self._path.open("a+", encoding="utf-8")
        until = time.monotonic() + wait_s
        while not _taken(self._handle) and time.monotonic() < until:
            time.sleep(min(0.5, wait_s))
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._handle.seek(0)
            holder = self._handle.read().strip() or "unknown"
            self._handle.close()
            raise IndexInUseError(
                f"opening the index {directory.name}",
                f"process {holder} has it open, and the embedded engine allows one at a time",
                "wait for it to end, or use a Qdrant server (`engine: server`)",
            ) from error
        self._handle.seek(0)
        self._handle.truncate()
        self._handle.write(str(os.getpid()))
        self._handle.flush()

    def release(self) -> None:
        """Let go; again does nothing."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


def _taken(handle: TextIO) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
