"""Records of running servers, so that what a killed platform could not stop is stopped by the next one.

The warden leaves nothing to do here in all but one case: it was killed together with its parent. Not here: the
warden, and starting servers (managed.py).
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from genoplatform.provenance.atomic import write_bytes

FOLDER = Path("llm") / "servers"


Named = list[float] | None
"""A process id with the time it started, since ids are used again; None for one that is gone."""


def write_record(path: Path, warden: int, server: Named, cleanup: list[str] | None) -> None:
    """Note who runs what."""
    record = {
        "host": socket.gethostname(),
        "owner": named(os.getpid()),
        "processes": [named(warden), server],
        "cleanup": cleanup,
    }
    write_bytes(path, json.dumps(record).encode())


def clear_leftovers(folder: Path) -> list[Path]:
    """End servers whose owner is gone and remove their records and logs; returns those records.

    Records of another host are left alone: whether their owner lives cannot be seen from here.
    """
    cleared = []
    for path in sorted(folder.glob("*.json")):
        record = _read(path)
        if record is None or record["host"] != socket.gethostname() or lives(record["owner"]):
            continue
        for process in record["processes"]:
            end_tree(process)
        if record["cleanup"]:
            with suppress(OSError, subprocess.TimeoutExpired):
                subprocess.run(record["cleanup"], check=False, capture_output=True, timeout=60)  # noqa: S603 - our own
        path.unlink(missing_ok=True)
        cleared.append(path)
    for log in folder.glob("*.log"):
        owner = log.name.partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            log.unlink(missing_ok=True)
    return cleared


def end_tree(process: Named) -> None:
    """Kill a process and its descendants, process groups included, if it still runs."""
    if process is None or not lives(process):
        return
    with suppress(psutil.Error):
        top = psutil.Process(int(process[0]))
        for each in [*top.children(recursive=True), top]:
            with suppress(psutil.Error, ProcessLookupError, PermissionError):
                if os.getpgid(each.pid) == each.pid:
                    os.killpg(each.pid, signal.SIGKILL)
                each.kill()


def named(pid: int) -> Named:
    """The process of that id now."""
    try:
        return [pid, psutil.Process(pid).create_time()]
    except psutil.Error:
        return None


def lives(process: Named) -> bool:
    """Whether that very process still runs."""
    if process is None:
        return False
    try:
        found = psutil.Process(int(process[0]))
        return abs(found.create_time() - process[1]) < 1 and found.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _read(path: Path) -> dict[str, Any] | None:
    try:
        record: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return record if {"host", "owner", "processes", "cleanup"} <= record.keys() else None
