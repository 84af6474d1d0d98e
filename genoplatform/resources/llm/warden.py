"""Stands between the platform and a server, and lets no server outlive the platform. Standard library only.

Run as a program: `python -I -S warden.py OPTIONS COMMAND...`, OPTIONS being JSON with `parent` (process id), `grace`
(seconds between the polite signal and the final one) and `cleanup` (a command to run at the end, or null). It prints
the server's process id on its first line of output, then waits until standard input closes, its parent is gone, it is
told to terminate, or the server ends; then it ends the server and all that the server started, and exits with the
server's status.

A pipe that closes is what a process killed outright still does. That it may be held open by a child forked without
our knowledge is why the parent is watched too, and that the warden itself may be killed is why the server is told to
die with it.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36  # prctl(2)
_LOOK_SECONDS = 0.3


class StopError(Exception):
    """The warden was told to terminate."""


def main(arguments: Sequence[str]) -> int:
    """Run a server until it ends or has to."""
    options, command = json.loads(arguments[0]), arguments[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    signal.signal(signal.SIGTERM, _stop)
    prctl(_SET_SUBREAPER, 1)
    warden = os.getpid()
    server = subprocess.Popen(  # noqa: S603 - an argument list, never a shell
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        start_new_session=True,
        preexec_fn=lambda: _die_with(warden),  # noqa: PLW1509 - this program has one thread
    )
    try:
        print(server.pid, flush=True)  # noqa: T201
        _watch(server, options["parent"])
    except (StopError, BrokenPipeError):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        code = end(server, options["grace"])
        if options["cleanup"]:
            _run(options["cleanup"])
    return code if code >= 0 else 128 - code


def prctl(option: int, value: int) -> None:
    """Linux's prctl(2); elsewhere nothing."""
    function = getattr(ctypes.CDLL(None), "prctl", None)
    if function is not None:
        function(option, value, 0, 0, 0)


def end(server: subprocess.Popen[bytes], grace: float) -> int:
    """End a server, its process group, and whatever of its descendants left the group; returns its status."""
    if server.poll() is None:
        _signal_group(server.pid, signal.SIGTERM)
        deadline = time.monotonic() + grace
        while server.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
    _signal_group(server.pid, signal.SIGKILL)
    code = server.wait()
    while children := _children():
        for pid in children:
            _reap(pid)
    return code


def _watch(server: subprocess.Popen[bytes], parent: int) -> None:
    while server.poll() is None and os.getppid() == parent:
        readable, _, _ = select.select([sys.stdin], [], [], _LOOK_SECONDS)
        if readable and not os.read(sys.stdin.fileno(), 1):
            return


def _die_with(warden: int) -> None:
    prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != warden:  # it died before the line above
        os._exit(1)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise StopError


def _run(command: Sequence[str]) -> None:
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr, timeout=60)  # noqa: S603


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _children() -> list[int]:
    """Processes that this one is the parent of now: orphaned descendants come to a subreaper."""
    found = []
    for path in Path("/proc/self/task").glob("*/children"):
        try:
            found += [int(pid) for pid in path.read_text().split()]
        except OSError:
            continue
    return found


def _reap(pid: int) -> None:
    with suppress(ProcessLookupError, ChildProcessError, PermissionError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
