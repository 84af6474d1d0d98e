"""The content-addressed cache: `<home>/cache/sha256/ab/<sha256>/<file name>`.

Belongs here: publishing bytes atomically, handing them out only after re-hashing, setting corrupt entries aside.
Does not belong here: where bytes come from (`mirrors`) and the order of trying (`fetch`).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from genoplatform.resources.sources.errors import CorruptCacheError, hash_mismatch
from genoplatform.settings.sources import Source


def sha256_of(path: Path) -> str:
    """Lower-case hex sha256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


@dataclass(frozen=True)
class PinnedFile:
    """A pinned input in the cache. Its bytes are only reachable through a check against the pin.

    Attributes:
        source: the pin.
        cache: the cache that holds it.
    """

    source: Source
    cache: ContentCache

    @property
    def path(self) -> Path:
        """Where the file is, re-hashed on every access.

        Raises:
            CorruptCacheError: the bytes changed since they were published; the entry is set aside.
        """
        return self.cache.verified_path(self.source)

    @contextmanager
    def open_verified(self) -> Iterator[BinaryIO]:
        """Open for reading the very bytes that were hashed: one handle, hashed and then rewound.

        Raises:
            CorruptCacheError: as `path`.
        """
        path = self.cache.location(self.source)
        try:
            handle = path.open("rb")
        except FileNotFoundError as error:
            raise _gone(self.source, path) from error
        with handle:
            actual = hashlib.file_digest(handle, "sha256").hexdigest()
            if actual != self.source.sha256:
                raise self.cache.set_aside(self.source, actual)
            handle.seek(0)
            yield handle


class ContentCache:
    """Verified files under a platform home, addressed by their sha256.

    Args:
        home: the platform's home directory; made on first use.
    """

    def __init__(self, home: Path) -> None:
        self.root = Path(home).expanduser().absolute() / "cache"

    def location(self, source: Source) -> Path:
        """Where the file of `source` is, or would be."""
        return self.root / "sha256" / source.sha256[:2] / source.sha256 / source.file

    def holds(self, source: Source) -> bool:
        """Whether an entry of the declared size is there. A cheap look, not a verification."""
        path = self.location(source)
        return path.is_file() and source.bytes in (None, path.stat().st_size)

    def verified_path(self, source: Source) -> Path:
        """The entry's path, after re-hashing its bytes.

        Raises:
            CorruptCacheError: the bytes are not the pinned ones (the entry is set aside, never used), or gone.
        """
        path = self.location(source)
        try:
            actual = sha256_of(path)
        except FileNotFoundError as error:
            raise _gone(source, path) from error
        if actual != source.sha256:
            raise self.set_aside(source, actual)
        return path

    def set_aside(self, source: Source, actual: str) -> CorruptCacheError:
        """Move a corrupt entry out of the way (`cache/corrupt/`) and return the error that names it."""
        corrupt = self.directory("corrupt") / f"{actual[:16]}-{source.file}"
        with suppress(FileNotFoundError):  # another process met it first
            self.location(source).replace(corrupt)
        return CorruptCacheError(
            f"reading {source.id} from the cache",
            f"sha256 expected {source.sha256}, found {actual}; moved aside to {corrupt}",
            f"`genoplatform sources fetch {source.id}` obtains it again",
        )

    def publish(self, candidate: Path, source: Source, origin: str) -> Path:
        """Move a candidate file into the cache if, and only if, it is the pinned one.

        Args:
            candidate: a file below `root` (same file system); gone afterwards either way.
            source: the pin it must match.
            origin: the mirror in words, for the error.

        Raises:
            HashMismatchError: the candidate is something else; it is deleted.
        """
        actual = sha256_of(candidate)
        if actual != source.sha256:
            candidate.unlink()
            raise hash_mismatch(source, origin, actual)
        target = self.location(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        candidate.chmod(0o444)
        with candidate.open("rb") as handle:
            os.fsync(handle.fileno())
        return candidate.replace(target)

    def directory(self, name: str) -> Path:
        """A working directory of the cache (`tmp`, `partial`, `wheels`, `locks`, `corrupt`), made if missing."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A temporary directory on the cache's file system, removed afterwards."""
        with tempfile.TemporaryDirectory(dir=self.directory("tmp")) as name:
            yield Path(name)

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Hold `name` exclusively among all processes that share this cache; waits. Released if the process dies."""
        with (self.directory("locks") / f"{name}.lock").open("w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def prune(self) -> int:
        """Delete wheels, partial downloads, leftovers of killed runs and corrupt entries; return the bytes freed.

        Verified entries stay. Do not call it while another process fetches.
        """
        freed = 0
        for name in ("corrupt", "partial", "tmp", "wheels"):
            folder = self.root / name
            freed += sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
            shutil.rmtree(folder, ignore_errors=True)
        return freed


def _gone(source: Source, path: Path) -> CorruptCacheError:
    return CorruptCacheError(
        f"reading {source.id} from the cache",
        f"{path} is gone",
        f"`genoplatform sources fetch {source.id}` obtains it again",
    )
