"""Writing cases in order, and stopping when the model is gone instead of filling a run with fallbacks.

Belongs here: telling a missing model from a bad answer, and what is held back. Does not belong here: what is written.
A case that found no model is written as the fallback it is once a later case found one (a single timeout is a property
of the case); several in a row are a property of the model: none of them is written, and the run stops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from genoplatform.agents.state import AgentState
from genoplatform.errors import GenoplatformError

_GONE = ("timeout", "connection", "server_start", "server_died", "not_cached", "http_5")
FAILED = "llm_call_failed:"
MAX_FAILURES = 3
"""Cases in a row without a model, after which a run stops and keeps what it has."""


class ModelUnavailableError(GenoplatformError):
    """Case after case the model did not answer; what was finished stays, and the next run goes on from there."""


def reasons(states: Iterable[AgentState]) -> list[str]:
    """Why answers of the model were not used."""
    return [log.fallback_reason for state in states for log in state.get("logs", []) if log.fallback_reason]


def model_gone(found: Sequence[str]) -> bool:
    """Whether one of the reasons is that there was no model to answer."""
    return any(reason.startswith(FAILED) and reason.removeprefix(FAILED).startswith(_GONE) for reason in found)


class HeldBack:
    """Takes cases in their order.

    Attributes:
        written: cases written.
        fallbacks: those of them where an answer was not used.

    Args:
        what: named in the error, "cell S".
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._held: list[tuple[Sequence[str], Callable[[], None]]] = []
        self.written = self.fallbacks = 0

    def add(self, found: Sequence[str], write: Callable[[], None]) -> bool:
        """Take a case: why answers were not used, and how it is written. Returns whether everything is written.

        Raises:
            ModelUnavailableError: the `MAX_FAILURES`-th case in a row without a model.
        """
        self._held.append((found, write))
        if not model_gone(found):
            self.close()
            return True
        if len(self._held) >= MAX_FAILURES:
            raise ModelUnavailableError(
                f"running {self._what}",
                f"{len(self._held)} cases in a row without an answer of the model ({found[0]})",
                "see the model's log, then run again: finished cases are kept",
            )
        return False

    def close(self) -> None:
        """Write what is held back."""
        for found, write in self._held:
            write()
            self.written += 1
            self.fallbacks += bool(found)
        self._held.clear()
