"""Failures of servers and calls. Within a call they become answers with an `error`; elsewhere they are raised."""

from __future__ import annotations

from genoplatform.errors import GenoplatformError

# Kinds of `ChatAnswer.error`, beside `http_<status>`.
TIMEOUT = "timeout"
CONNECTION = "connection"
CONTEXT_OVERFLOW = "context_overflow"
BAD_RESPONSE = "bad_response"
SERVER_START = "server_start"
SERVER_DIED = "server_died"
NOT_CACHED = "not_cached"

REPEATABLE = frozenset({CONTEXT_OVERFLOW})
"""Errors that the same request meets again for certain; they are cached like answers."""


class LlmError(GenoplatformError):
    """A language model cannot be used as the profile says."""


class ServerStartError(LlmError):
    """A managed server did not come up."""


class AddressError(LlmError):
    """An address that prompts must not go to."""


class CallError(Exception):
    """One call failed.

    Args:
        kind: one of the kinds above, or `http_<status>`.
        detail: what the other side said.
        attempts: requests sent.
    """

    def __init__(self, kind: str, detail: str, attempts: int = 1) -> None:
        self.kind, self.detail, self.attempts = kind, detail, attempts
        super().__init__(f"{kind}: {detail}")
