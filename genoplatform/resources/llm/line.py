"""The line to a server over its life: started when first needed, started again at most once, then given up.

Not here: caching, logging, order (session.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

from genoplatform.agents.llm import ChatRequest
from genoplatform.errors import GenoplatformError
from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.client import ChatClient, Said
from genoplatform.resources.llm.errors import CONNECTION, SERVER_DIED, SERVER_START, TIMEOUT
from genoplatform.resources.llm.greeting import healthy
from genoplatform.resources.llm.server import Server
from genoplatform.resources.llm.tally import Tally
from genoplatform.resources.llm.transport import Transport
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.llm import ModelSettings

RESTARTS = 1
_SUSPICIOUS_TIMEOUTS = 3


@dataclass(frozen=True)
class _Open:
    """A server that was up, and the client that speaks to it."""

    endpoint: Endpoint
    transport: Transport
    client: ChatClient


class Line:
    """Asks a server, whatever becomes of it. Safe to use from several threads.

    Args:
        settings: the model's.
        server: the server.
        tally: told of starts.
        before_start: called before a start.
    """

    def __init__(
        self, settings: ModelSettings, server: Server, tally: Tally, before_start: Callable[[], None] = lambda: None
    ) -> None:
        self._settings, self._server, self._tally, self._before_start = settings, server, tally, before_start
        self._open: _Open | None = None
        self._failure: Said | None = None
        self._error: GenoplatformError | None = None
        self._restarts = 0
        self._timeouts = 0
        self._lock = Lock()

    def ask(self, request: ChatRequest) -> Said:
        """Send a request; starts the server if there is none."""
        line = self._ready()
        if isinstance(line, Said):
            return line
        said = line.client.ask(request)
        return self._judge(line, said)

    def require(self) -> None:
        """Start the server, if there is none.

        Raises:
            GenoplatformError: why it cannot be started.
        """
        if isinstance(self._ready(), Said) and self._error is not None:
            raise self._error

    def close(self) -> None:
        """Stop the server. A later call starts it again, and that is no restart after a failure."""
        with self._lock:
            self._drop()

    def _ready(self) -> _Open | Said:
        with self._lock:
            if self._failure is not None:
                return self._failure
            if self._open is None:
                self._start()
            return self._open or self._failure or Said(error=SERVER_START)

    def _start(self) -> None:
        self._before_start()
        try:
            endpoint, facts = self._server.start()
        except GenoplatformError as error:
            self._error, self._failure = error, Said(error=SERVER_START, detail=str(error))
            return
        if facts:
            self._tally.starts.append(facts)
        retry = RetryPlan(attempts=self._settings.attempts, longest_delay=8.0)
        transport = Transport(endpoint, self._settings.timeout_s, retry, self._server.alive)
        self._open = _Open(endpoint, transport, ChatClient(endpoint, transport, self._settings))

    def _judge(self, line: _Open, said: Said) -> Said:
        """Note what an answer says of the server; one that is dead or hangs is dropped, and is so only once."""
        with self._lock:
            self._timeouts = self._timeouts + 1 if said.error == TIMEOUT else 0
            dead = said.error in {SERVER_DIED, CONNECTION} and not self._server.alive()
            if self._timeouts >= _SUSPICIOUS_TIMEOUTS and not line.endpoint.remote:
                dead, self._timeouts = not healthy(line.endpoint), 0
            if dead and self._open is line:
                self._drop()
                self._count_death(said)
        return replace(said, error=SERVER_DIED) if dead and said.error == CONNECTION else said

    def _count_death(self, said: Said) -> None:
        if self._restarts >= RESTARTS:
            detail = f"the server was started again once and died again: {said.detail}"
            self._failure = Said(error=SERVER_DIED, detail=detail)
        self._restarts += 1

    def _drop(self) -> None:
        line, self._open = self._open, None
        if line is not None:
            line.transport.close()
            self._server.stop()
