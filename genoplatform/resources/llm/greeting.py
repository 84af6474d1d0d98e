"""The first words with a server that has just been started: is it up, is it ours, has it the model, which version."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.errors import CallError
from genoplatform.resources.llm.transport import Reply, Transport
from genoplatform.resources.sources.retry import RetryPlan

_ONCE = RetryPlan(attempts=1)
_OK, _POLL_SECONDS, _PROBE_SECONDS = 200, 0.1, 5.0


class GreetingError(Exception):
    """The server is not what was started, or not up."""


def await_health(endpoint: Endpoint, alive: Callable[[], bool], deadline: float) -> None:
    """Wait until the server says that it is up.

    Args:
        endpoint: the server.
        alive: whether its process runs.
        deadline: on the monotonic clock.

    Raises:
        GreetingError: the process ended, or the deadline passed.
    """
    while time.monotonic() < deadline:
        if not alive():
            raise GreetingError("it ended before it answered")
        if healthy(endpoint):
            return
        time.sleep(_POLL_SECONDS)
    raise GreetingError("it did not answer in the time it has to start")


def healthy(endpoint: Endpoint) -> bool:
    """Whether the server answers its health path now."""
    with suppress(CallError):
        return _get(_root(endpoint), "/health").status == _OK
    return False


def greet(endpoint: Endpoint, version_path: str, timeout_s: float) -> str:
    """See that our model is there, answer one token to warm up, and return the version (empty without a path to it).

    Raises:
        GreetingError: another server took the port, or this one cannot answer.
    """
    try:
        served = [model["id"] for model in json.loads(_get(endpoint, "/models").body)["data"]]
        if endpoint.model not in served:
            raise GreetingError(f"another server answers on its port: it serves {served}")
        _warm_up(endpoint, timeout_s)
        return str(json.loads(_get(_root(endpoint), version_path).body)["version"]) if version_path else ""
    except (CallError, ValueError, LookupError, TypeError) as error:
        raise GreetingError(f"it does not speak as expected: {type(error).__name__}: {error}") from error


def _warm_up(endpoint: Endpoint, timeout_s: float) -> None:
    words: dict[str, Any] = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1, "temperature": 0}
    transport = Transport(endpoint, timeout_s, _ONCE)
    try:
        reply = transport.post("/chat/completions", {"model": endpoint.model, **words})
    finally:
        transport.close()
    if reply.status != _OK:
        raise GreetingError(f"the warm-up was answered by status {reply.status}: {reply.body[:300]!r}")


def _get(endpoint: Endpoint, path: str) -> Reply:
    transport = Transport(endpoint, _PROBE_SECONDS, _ONCE)
    try:
        return transport.get(path)
    finally:
        transport.close()


def _root(endpoint: Endpoint) -> Endpoint:
    return Endpoint(endpoint.url.removesuffix("/v1"), endpoint.model, endpoint.key)
