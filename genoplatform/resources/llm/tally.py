"""What a session's calls came to: counts for an asset's metadata, so that no fallback goes unseen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from genoplatform.resources.llm.call_log import Call


@dataclass
class Tally:
    """Running counts.

    Attributes:
        errors: calls by kind of error.
        first_details: what was said the first time a kind of error was met.
        starts: facts of each start of a managed server.
    """

    calls: int = 0
    replayed: int = 0
    truncated: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    model_seconds: float = 0.0
    errors: Counter[str] = field(default_factory=Counter)
    first_details: dict[str, str] = field(default_factory=dict)
    starts: list[dict[str, Any]] = field(default_factory=list)

    def add(self, calls: Iterable[Call]) -> None:
        """Count calls."""
        for call in calls:
            said = call.said
            self.calls += 1
            self.replayed += call.cached
            self.truncated += said.finish_reason == "length"
            self.tokens_in += said.tokens_in
            self.tokens_out += said.tokens_out
            self.model_seconds += 0.0 if call.cached else said.latency_s
            if said.error:
                self.errors[said.error] += 1
                self.first_details.setdefault(said.error, said.detail)

    def facts(self) -> dict[str, Any]:
        """Plain values, for metadata and reports; seconds are this machine's, not data."""
        return {
            "calls": self.calls,
            "replayed": self.replayed,
            "truncated": self.truncated,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "model_seconds": round(self.model_seconds, 3),
            "errors": dict(sorted(self.errors.items())),
            "first_details": dict(sorted(self.first_details.items())),
            "starts": list(self.starts),
        }
