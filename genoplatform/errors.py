"""The one family of errors. Each says what was tried, what was found and what to do; the CLI prints it bare."""

from __future__ import annotations


class GenoplatformError(Exception):
    """An expected failure, explained.

    Args:
        tried: what the code was doing, as a clause ("reading phenotype.hpoa").
        found: what it met instead of what it needed.
        hint: what the reader can do next.
    """

    exit_code = 1

    def __init__(self, tried: str, found: str, hint: str = "") -> None:
        self.tried, self.found, self.hint = tried, found, hint
        super().__init__(f"{tried}: {found}" + (f"\n  -> {hint}" if hint else ""))

    def __reduce__(self) -> tuple[type[GenoplatformError], tuple[str, str, str]]:
        return type(self), (self.tried, self.found, self.hint)


class SettingsError(GenoplatformError):
    """A settings file or a declared parameter is not what its schema asks for."""


class BadInputError(GenoplatformError):
    """A file or table handed in cannot be used as it is."""


class EmptyResultError(GenoplatformError):
    """A step that must yield rows yielded none (an empty cohort, an empty release)."""
