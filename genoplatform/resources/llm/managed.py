"""A server as a managed process: start, health, warm-up, stop, and no process left behind.

Not here: which command starts which server (llamacpp.py, vllm.py), and when one is needed (session.py).
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from genoplatform.resources.llm import records
from genoplatform.resources.llm.address import HOST, Endpoint, free_port
from genoplatform.resources.llm.errors import ServerStartError
from genoplatform.resources.llm.greeting import GreetingError, await_health, greet

LOGGER = logging.getLogger(__name__)
_WARDEN = Path(__file__).with_name("warden.py")
_GRACE_SECONDS, _PORTS = 5.0, 3
_CLEANUP_SECONDS = 65  # the warden gives a clean-up 60
_TAIL_LINES, _TAIL_BYTES = 15, 65_536
_PORT_TAKEN = ("address already in use", "couldn't bind", "errno 98", "port is already allocated")


@dataclass(frozen=True)
class Launch:
    """How to start a server.

    Attributes:
        argv: the command.
        model: name it serves the model by.
        key: API key it asks for.
        environment: added to the platform's own.
        dropped: variables of the platform's environment that the server must not see.
        cleanup: a command that ends what `argv` leaves outside its process tree (a container), or None.
        version_path: path that tells the server's version as JSON `{"version": ...}`, or "".
        facts: recorded with the start, free of secrets.
    """

    argv: list[str]
    model: str
    key: str = field(repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    dropped: tuple[str, ...] = ()
    cleanup: list[str] | None = None
    version_path: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


class ManagedServer:
    """One server process at a time.

    Args:
        launcher: makes the command for a port and an API key; may raise LlmError.
        home: the platform's home; records and logs of servers lie below it.
        start_timeout_s: seconds from the start of the process to its first answer.
        what: the server in words.
    """

    def __init__(
        self, launcher: Callable[[int, str], Launch], home: Path, start_timeout_s: float, what: str = "the server"
    ) -> None:
        self._launcher, self._timeout, self._what = launcher, start_timeout_s, what
        self._folder = home / records.FOLDER
        self._warden: subprocess.Popen[bytes] | None = None
        self._record = self._log = self._folder
        self._owner = 0
        self._patience = _GRACE_SECONDS
        self._server: records.Named = None

    def start(self) -> tuple[Endpoint, dict[str, Any]]:
        """Start the server and wait until it has answered; returns its address and facts of the start.

        Raises:
            ServerStartError: it ended, or did not answer in time; the end of its log is quoted.
            LlmError: it cannot be started with these settings.
        """
        self._end()
        self._folder.mkdir(parents=True, exist_ok=True)
        records.clear_leftovers(self._folder)
        for attempt in range(1, _PORTS + 1):
            try:
                return self._start_once()
            except ServerStartError as error:
                self._end(keep_log=True)
                taken = any(sign in error.found.lower() for sign in _PORT_TAKEN)
                if not taken or attempt == _PORTS:
                    raise
            except BaseException:
                self._end(keep_log=True)
                raise
        raise AssertionError("a loop that returns or raises")

    def alive(self) -> bool:
        """Whether the server's process runs; its warden may take a moment longer to see that it does not."""
        return self._warden is not None and self._warden.poll() is None and records.lives(self._server)

    def stop(self) -> None:
        """End the server, its process group and its descendants. Harmless if there is none."""
        self._end()

    def _end(self, *, keep_log: bool = False) -> None:
        warden, self._warden = self._warden, None
        if warden is None or os.getpid() != self._owner:  # a forked child must not stop its parent's server
            return
        atexit.unregister(self._end)
        with suppress(OSError):
            if warden.stdin is not None:
                warden.stdin.close()
        try:
            warden.wait(self._patience)
        except subprocess.TimeoutExpired:
            warden.kill()
            warden.wait()
        records.end_tree(self._server)  # the warden was killed, and its server was not
        if warden.stdout is not None:
            warden.stdout.close()
        self._record.unlink(missing_ok=True)
        if not keep_log:
            self._log.unlink(missing_ok=True)
        LOGGER.info("stopped %s", self._what)

    def tail(self) -> str:
        """The end of the server's log."""
        try:
            with self._log.open("rb") as handle:
                handle.seek(max(0, self._log.stat().st_size - _TAIL_BYTES))
                lines = handle.read().decode(errors="replace").splitlines()
        except OSError:
            return ""
        return "\n".join([line for line in lines if line.strip()][-_TAIL_LINES:])

    def _start_once(self) -> tuple[Endpoint, dict[str, Any]]:
        port, key = free_port(), uuid.uuid4().hex
        launch = self._launcher(port, key)
        started = time.monotonic()
        self._spawn(launch)
        endpoint = Endpoint(f"http://{HOST}:{port}/v1", launch.model, launch.key)
        try:
            await_health(endpoint, self.alive, started + self._timeout)
            healthy = time.monotonic()
            version = greet(endpoint, launch.version_path, self._timeout)
        except GreetingError as error:
            raise self._failed(str(error)) from error
        facts: dict[str, Any] = {
            **launch.facts,
            "start_seconds": round(healthy - started, 2),
            "warm_up_seconds": round(time.monotonic() - healthy, 2),
        }
        if version:
            facts["version"] = version
        LOGGER.info("started %s in %.1f s", self._what, facts["start_seconds"])
        return endpoint, facts

    def _spawn(self, launch: Launch) -> None:
        name = f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._record, self._log = self._folder / f"{name}.json", self._folder / f"{name}.log"
        self._owner, self._server = os.getpid(), None
        self._patience = _GRACE_SECONDS + 5 + (_CLEANUP_SECONDS if launch.cleanup else 0)
        inherited = {name: value for name, value in os.environ.items() if name not in launch.dropped}
        options = {"parent": os.getpid(), "grace": _GRACE_SECONDS, "cleanup": launch.cleanup}
        with self._log.open("wb") as log:
            self._warden = subprocess.Popen(  # noqa: S603 - an argument list, never a shell
                [sys.executable, "-I", "-S", str(_WARDEN), json.dumps(options), *launch.argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**inherited, **launch.environment},
                start_new_session=True,
            )
        atexit.register(self._end)
        first = self._warden.stdout.readline() if self._warden.stdout is not None else b""
        if not first.strip().isdigit():
            raise self._failed("it could not be started")
        self._server = records.named(int(first))
        records.write_record(self._record, self._warden.pid, self._server, launch.cleanup)

    def _failed(self, why: str) -> ServerStartError:
        hint = "`genoplatform doctor` lists what can run here"
        return ServerStartError(f"starting {self._what}", f"{why}; its log ends:\n{self.tail()}", hint)
