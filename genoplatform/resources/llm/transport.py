"""One POST over HTTP: bounded in time and size, tried again only where nothing of an answer has come.

Not here: what is sent and what comes back means (client.py).
"""

from __future__ import annotations

import functools
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.errors import BAD_RESPONSE, CONNECTION, SERVER_DIED, TIMEOUT, CallError
from genoplatform.resources.sources.retry import RetryPlan

if TYPE_CHECKING:
    pass

RETRIED = frozenset({408, 429, 500, 502, 503, 504})
LARGEST_BODY = 16 << 20
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Reply:
    """A whole HTTP answer, and how many requests it took."""

    status: int
    body: bytes
    attempts: int


@functools.lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Reading the certificates costs more than a request, and a server that starts is asked many times."""
    import httpx

    return httpx.create_ssl_context()


class Transport:
    """Keeps connections to one server. Safe to use from several threads.

    Args:
        endpoint: the server.
        timeout_s: seconds one request may take altogether, however slowly its body trickles in.
        retry: attempts and waits; a request that timed out is not repeated, the answer would not come sooner.
        alive: tells whether the server still runs; a dead one is not asked again.
    """

    def __init__(
        self, endpoint: Endpoint, timeout_s: float, retry: RetryPlan, alive: Callable[[], bool] = lambda: True
    ) -> None:
        import httpx

        self._endpoint, self._timeout, self._retry, self._alive = endpoint, timeout_s, retry, alive
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        # A proxy from the environment would carry local prompts off the machine, and so would a redirect.
        self._client = httpx.Client(
            headers=headers,
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_SECONDS)),
            trust_env=endpoint.remote,
            follow_redirects=False,
            verify=_tls(),
            limits=httpx.Limits(max_connections=None),
        )

    def post(self, path: str, body: Mapping[str, Any]) -> Reply:
        """Send JSON to `path` below the server's base address.

        Raises:
            CallError: timeout, connection, server_died or bad_response (a body beyond all reason).
        """
        return self._persist(lambda: self._send("POST", path, body))

    def get(self, path: str) -> Reply:
        """Fetch `path`. Raises as `post`."""
        return self._persist(lambda: self._send("GET", path, None))

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _persist(self, send: Callable[[], tuple[int, bytes]]) -> Reply:
        import httpx

        for attempt in range(1, self._retry.attempts + 1):
            last = attempt == self._retry.attempts
            try:
                status, content = send()
            except httpx.TimeoutException as error:
                raise CallError(TIMEOUT, f"no whole answer in {self._timeout:g} s", attempt) from error
            except httpx.TransportError as error:
                if not self._alive():
                    raise CallError(SERVER_DIED, str(error), attempt) from error
                if last:
                    raise CallError(CONNECTION, f"{type(error).__name__}: {error}", attempt) from error
            else:
                if status not in RETRIED or last:
                    return Reply(status, content, attempt)
            self._retry.wait(attempt)
        raise AssertionError("a retry plan has at least one attempt")

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, bytes]:
        import httpx

        deadline = time.monotonic() + self._timeout
        content = bytearray()
        with self._client.stream(method, f"{self._endpoint.url}{path}", json=body) as response:
            for block in response.iter_bytes():
                content += block
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("body too slow")
                if len(content) > LARGEST_BODY:
                    raise CallError(BAD_RESPONSE, f"more than {LARGEST_BODY} bytes")
            return response.status_code, bytes(content)
