"""What the agents ask of a language model and of a reranker. Servers, retries and caches belong to the resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class ChatRequest:
    """One deterministic chat completion (temperature 0).

    `schema` is the JSON schema the answer must have, or None for free text. `purpose` labels the call in the log.
    """

    system: str
    user: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    purpose: str = ""


@dataclass(frozen=True)
class ChatAnswer:
    """What came back. `error` is empty or names the failure (`timeout`, `connection`, `http_500`, ...); then no text.

    `parsed` holds the answer as JSON where a schema was asked for and the text satisfied it, else None.
    """

    text: str
    parsed: Any = None
    error: str = ""
    finish_reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    latency_s: float = 0.0
    cached: bool = False


class Llm(Protocol):
    """A language model. Answers come in the order of the requests; a failure is an answer with `error`, not a raise."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Server, version, model, revision; `evidence`: "science", or "plumbing" where it proves only the path."""
        ...

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatAnswer]:
        """Answer every request, with bounded concurrency."""
        ...


class Reranker(Protocol):
    """Scores (query, text) pairs; higher is more relevant."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Kind, model and revision."""
        ...

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text."""
        ...
