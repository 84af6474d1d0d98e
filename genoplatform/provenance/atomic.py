"""Atomic writes: a reader sees the old file or the whole new one, never half. Nothing here knows what is written."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL_SUFFIX = ".partial"
_OLD_SUFFIX = f".old{PARTIAL_SUFFIX}"
_TEMPORARY = re.compile(r"\.(?P<target>.+)\.pid(?P<pid>\d+)-[0-9a-f]{12}(\.old)?\.partial")
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a temporary sibling of `target`; on success make it `target` in one step, on error remove it.

    The yielded path does not exist yet: the caller may create a file or a directory there. Content is flushed to
    disk before the rename, so that a crash right after it cannot leave an empty file under the final name.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.pid{os.getpid()}-{uuid.uuid4().hex[:12]}{PARTIAL_SUFFIX}")
    try:
        yield temporary
        _sync_tree(temporary)
        _put_in_place(temporary, target)
        _sync(target.parent)
    finally:
        remove(temporary)


def write_bytes(target: Path, content: bytes) -> None:
    """Write `content` to `target` atomically."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(content)


def write_text(target: Path, content: str) -> None:
    """Write UTF-8 `content` to `target` atomically."""
    write_bytes(target, content.encode())


def remove(path: Path) -> None:
    """Remove a file or a directory tree; no error if it is not there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def sweep_partials(root: Path) -> list[Path]:
    """Clear away what killed writers left under `root`, and return those paths, sorted.

    The name of a temporary carries its writer's process id: while that process lives (on this machine, or in this
    container), its temporaries stay. A directory that was caught half-way through a replacement is put back.
    """
    leftovers = []
    for folder, folders, files in os.walk(root):
        found = [name for name in (*folders, *files) if _writer_is_gone(name)]
        leftovers += [Path(folder, name) for name in found]
        folders[:] = [name for name in folders if _TEMPORARY.fullmatch(name) is None]
    for path in leftovers:
        target = path.with_name(_TEMPORARY.fullmatch(path.name)["target"])  # type: ignore[index]
        if path.name.endswith(_OLD_SUFFIX) and not target.exists():
            path.rename(target)
        else:
            remove(path)
    return sorted(leftovers)


def _writer_is_gone(name: str) -> bool:
    match = _TEMPORARY.fullmatch(name)
    if match is None:
        return False
    try:
        os.kill(int(match["pid"]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _put_in_place(source: Path, target: Path) -> None:
    # rename(2) replaces files, but no directory that holds something: those two swap places in one system call.
    if not (source.is_dir() or target.is_dir()) or not target.exists():
        source.replace(target)
    elif not _exchange(source, target):
        _step_aside(source, target)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two paths atomically; False where the system or the file system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0)


def _step_aside(source: Path, target: Path) -> None:
    # Not one step: a kill in between leaves the old one aside, whole, and `sweep_partials` puts it back.
    aside = source.with_name(source.name.removesuffix(PARTIAL_SUFFIX) + _OLD_SUFFIX)
    try:
        target.rename(aside)
        source.rename(target)
    except BaseException:
        if aside.exists() and not target.exists():
            aside.rename(target)
        raise
    remove(aside)


def _sync_tree(path: Path) -> None:
    for folder, _, files in os.walk(path):
        for name in files:
            _sync(Path(folder, name))
        _sync(Path(folder))
    if not path.is_dir():
        _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
