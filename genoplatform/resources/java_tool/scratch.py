"""Scratch directories that say whose they are, so that the next run can clear up after a killed one.

A killed platform process cannot stop its Java children. Each scratch directory therefore names its owner and its
child; whoever starts later ends children and removes directories whose owner is gone, and nobody else's.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from genoplatform.resources.java_tool.process import signal_group

OWNER = "owner.json"
_PREFIX = "scratch-"


@contextmanager
def scratch(root: Path) -> Iterator[Path]:
    """A directory below `root` that is removed afterwards, marked as this process's."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
    try:
        _write(folder, child=None)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def note_child(folder: Path, pid: int) -> None:
    """Record the process that works in a scratch directory."""
    _write(folder, child=pid)


def clear_leftovers(root: Path) -> list[Path]:
    """End the children and remove the scratch directories of owners that are gone; returns those directories.

    Args:
        root: directory of a tool's results; the scratch directories lie one level below.

    Directories of another host are left alone: whether their owner lives cannot be seen from here.
    """
    cleared = []
    for folder in sorted(root.glob(f"*/{_PREFIX}*")):
        try:
            record = json.loads((folder / OWNER).read_text(encoding="utf-8"))
            host, owner, child = record["host"], record["owner"], record["child"]
        except (OSError, ValueError, KeyError):
            continue  # being made or removed at this moment
        if host != socket.gethostname() or _lives(owner):
            continue
        if child is not None and _lives(child):
            signal_group(child[0], signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
        cleared.append(folder)
    return cleared


def _write(folder: Path, child: int | None) -> None:
    record = {
        "host": socket.gethostname(),
        "owner": _named(os.getpid()),
        "child": None if child is None else _named(child),
    }
    partial = folder / f"{OWNER}.partial"
    partial.write_text(json.dumps(record), encoding="utf-8")
    partial.replace(folder / OWNER)


def _named(pid: int) -> list[float] | None:
    """A process id with the time it started, since ids are used again; None if it is gone already."""
    try:
        return [pid, psutil.Process(pid).create_time()]
    except psutil.Error:
        return None


def _lives(named: list[float] | None) -> bool:
    if named is None:
        return False
    pid, started = named
    try:
        process = psutil.Process(int(pid))
        return abs(process.create_time() - started) < 1 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
