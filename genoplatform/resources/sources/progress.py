"""How long-running transfers tell people where they are. The terminal rendering lives with the CLI."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the course of one transfer at a time."""

    def begin(self, label: str, total: int | None) -> None:
        """A transfer starts; `total` in bytes, None where unknown."""

    def update(self, done: int) -> None:
        """`done` bytes are there, counted from the start of the file (a restart counts back)."""

    def end(self) -> None:
        """The transfer is over, well or badly."""

    def note(self, message: str) -> None:
        """Something people should know that is not an error: a retry, a corrupt cache entry set aside."""


class Silent:
    """Shows nothing."""

    def begin(self, label: str, total: int | None) -> None:
        """Ignored."""

    def update(self, done: int) -> None:
        """Ignored."""

    def end(self) -> None:
        """Ignored."""

    def note(self, message: str) -> None:
        """Ignored."""
