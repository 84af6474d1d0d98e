"""One external command from start to end: bounded in time and in logs, its whole process group gone afterwards.

Not here: what is run (tool.py), what its output means.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Literal

from genoplatform.errors import SettingsError

STDOUT, STDERR = "stdout.log", "stderr.log"
Ending = Literal["exited", "timed out", "log too large", "stopped"]
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Limits:
    """How long and how much.

    Attributes:
        timeout: seconds without a sign of life (see `run_command`) before a command is killed.
        grace: seconds between the polite signal and the final one.
        log_bytes: size at which either log ends the command.
    """

    timeout: float
    grace: float = 5.0
    log_bytes: int = 256 << 20


@dataclass(frozen=True)
class Exit:
    """How a command ended: by itself with `code` (negative = signal), or killed for the reason given."""

    ending: Ending
    code: int

    @property
    def good(self) -> bool:
        """Whether it ended by itself and well."""
        return self.ending == "exited" and self.code == 0


def run_command(
    argv: Sequence[str],
    *,
    cwd: Path,
    logs: Path,
    limits: Limits,
    stop: Event,
    started: Callable[[int], None] = lambda pid: None,
    progress: Callable[[], int] = lambda: 0,
) -> Exit:
    """Run a command without a shell, its output going to STDOUT and STDERR below `logs`.

    Args:
        argv: the program and its arguments.
        cwd: working directory.
        logs: an existing directory.
        limits: time and size.
        stop: ends the command when set.
        started: told the process id, which is the process group's too.
        progress: a number that grows while the command gets on; each change restarts the clock.

    Raises:
        SettingsError: the program cannot be started.
    """
    with (logs / STDOUT).open("wb") as out, (logs / STDERR).open("wb") as err:
        try:
            process = subprocess.Popen(  # noqa: S603 - an argument list, never a shell
                list(argv),
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                # The C locale fixes how numbers are printed; its UTF-8 form, how `∞` is.
                env=os.environ | {"LC_ALL": "C.UTF-8"},
                start_new_session=True,
            )
        except OSError as error:
            hint = "name an existing program in the tool's `java` setting"
            raise SettingsError(f"starting {argv[0]}", str(error.strerror), hint) from error
    try:
        started(process.pid)
        ending = _watch(process, logs, limits, stop, progress)
    finally:
        code = end_group(process, limits.grace)
    return Exit(ending, code)


def end_group(process: subprocess.Popen[bytes], grace: float) -> int:
    """End a process and everything it started in its group; returns its exit status."""
    if process.poll() is None:
        signal_group(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(grace)
    # Also after a normal exit: what it left behind must not write into results that are being read.
    signal_group(process.pid, signal.SIGKILL)
    return process.wait()


def signal_group(group: int, number: signal.Signals) -> None:
    """Send a signal to a process group, if any member of it is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _watch(
    process: subprocess.Popen[bytes], logs: Path, limits: Limits, stop: Event, progress: Callable[[], int]
) -> Ending:
    reached, deadline = progress(), time.monotonic() + limits.timeout
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_SECONDS)
            return "exited"
        if stop.is_set():
            return "stopped"
        if max((logs / name).stat().st_size for name in (STDOUT, STDERR)) > limits.log_bytes:
            return "log too large"
        now = progress()
        if now != reached:
            reached, deadline = now, time.monotonic() + limits.timeout
        if time.monotonic() > deadline:
            return "timed out"
