"""One thing looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from genoplatform.errors import GenoplatformError


@dataclass(frozen=True)
class Finding:
    """What was found of one thing.

    Attributes:
        what: the thing.
        ok: whether it is as it should be.
        found: what there is, in words.
        needed: whether the profile's work stops without it.
        fix: the command, or what to do, where it is not.
    """

    what: str
    ok: bool
    found: str
    needed: bool
    fix: str = ""

    @property
    def lacks(self) -> bool:
        """Whether the profile cannot do its work for this."""
        return self.needed and not self.ok


def explained(what: str, look: Callable[[], str], *, needed: bool) -> Finding:
    """A look that says what it found, or raises an explained error that says what is wrong and what to do."""
    try:
        return Finding(what, True, look(), needed)
    except GenoplatformError as error:
        return Finding(what, False, error.found, needed, error.hint)
