"""The OpenAI-compatible client: a `ChatRequest` in, what the server said out. No server is started here."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from genoplatform.agents.llm import ChatRequest
from genoplatform.provenance import canonical_json
from genoplatform.resources.llm import structured
from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.errors import BAD_RESPONSE, CONTEXT_OVERFLOW, CallError
from genoplatform.resources.llm.transport import Reply, Transport
from genoplatform.settings.llm import ModelSettings

_REFUSED_FORMAT = frozenset({400, 422, 501})
_OVERFLOW = re.compile(
    r"exceed_context_size|context_length_exceeded|context (size|length|window)|max_model_len|maximum model length", re.I
)
_SHOWN = 500


@dataclass(frozen=True)
class Said:
    """What came of one call. `error` and `detail` are empty where the server answered."""

    text: str = ""
    error: str = ""
    detail: str = ""
    finish_reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    latency_s: float = 0.0
    structured: str = ""
    attempts: int = 0


class ChatClient:
    """Asks one server. Safe to use from several threads.

    Args:
        endpoint: the server.
        transport: the connections to it.
        settings: the model's.
    """

    def __init__(self, endpoint: Endpoint, transport: Transport, settings: ModelSettings) -> None:
        self._endpoint, self._transport, self._settings = endpoint, transport, settings
        # By schema, not by server: a schema that one mode cannot take says nothing about another schema.
        self._accepted: dict[bytes, structured.Mode] = {}

    def ask(self, request: ChatRequest) -> Said:
        """Send a request; whatever goes wrong is in the result."""
        started = time.monotonic()
        try:
            said = self._negotiate(request)
        except CallError as fault:
            said = Said(error=fault.kind, detail=fault.detail[:_SHOWN], attempts=fault.attempts)
        return Said(**{**vars(said), "latency_s": round(time.monotonic() - started, 4)})

    def body(self, request: ChatRequest, mode: structured.Mode) -> dict[str, Any]:
        """The JSON that is sent."""
        system = [{"role": "system", "content": request.system}] if request.system else []
        whole = {
            "model": self._endpoint.model,
            "messages": [*system, {"role": "user", "content": request.user}],
            "temperature": 0,
            "top_p": 1,
            "seed": self._settings.seed,
            "max_tokens": request.max_tokens,
            "stream": False,
            **structured.response_format(mode, request.schema),
            **self._settings.extra_body,
        }
        return {name: value for name, value in whole.items() if value is not None}

    def _negotiate(self, request: ChatRequest) -> Said:
        known = canonical_json(request.schema)
        ways = structured.modes(self._settings.structured, request.schema)
        if known in self._accepted:
            ways = [self._accepted[known]]
        attempts = 0
        for mode in ways:
            reply = self._transport.post("/chat/completions", self.body(request, mode))
            attempts += reply.attempts
            if reply.status == 200:
                self._accepted[known] = mode
                return _read(reply, mode, attempts)
            fault = _fault(reply, attempts)
            if fault.kind == CONTEXT_OVERFLOW or reply.status not in _REFUSED_FORMAT or mode == ways[-1]:
                raise fault
        raise AssertionError("there is always a way to ask")


def _read(reply: Reply, mode: structured.Mode, attempts: int) -> Said:
    try:
        whole = json.loads(reply.body)
        choice = whole["choices"][0]
        text = choice["message"].get("content")
        usage = whole.get("usage") or {}
        counted = int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0)
        if not isinstance(text, str | None):
            raise TypeError(f"content is a {type(text).__name__}")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        shown = reply.body[:_SHOWN].decode(errors="replace")
        raise CallError(BAD_RESPONSE, f"not a chat completion ({error}): {shown}", attempts) from error
    return Said(
        text=text or "",
        finish_reason=str(choice.get("finish_reason") or ""),
        tokens_in=counted[0],
        tokens_out=counted[1],
        structured=mode,
        attempts=attempts,
    )


def _fault(reply: Reply, attempts: int) -> CallError:
    shown = _message(reply.body)
    refused = reply.status in {400, 413, 422, 500}
    kind = CONTEXT_OVERFLOW if refused and _OVERFLOW.search(shown) else f"http_{reply.status}"
    return CallError(kind, shown[:_SHOWN], attempts)


def _message(body: bytes) -> str:
    """The server's own words: `error.message` with its type, or the body as it is."""
    text = body.decode(errors="replace")
    try:
        error = json.loads(text).get("error", {})
    except (ValueError, AttributeError, RecursionError):
        return text
    if not isinstance(error, Mapping):
        return str(error) or text
    return " ".join(str(error[part]) for part in ("type", "code", "message") if error.get(part)) or text
