"""What can go wrong between a pin and its bytes. `transient` tells a retry policy whether trying again can help."""

from __future__ import annotations

from typing import Any

from genoplatform.errors import GenoplatformError
from genoplatform.settings.sources import Mirror, Source


class SourceError(GenoplatformError):
    """A pinned input could not be handed out.

    Attributes:
        transient: True where the same call may succeed later (no network, a busy server).
    """

    transient = False

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), self.__dict__)


class MirrorError(SourceError):
    """One mirror could not deliver; the next may."""

    def __init__(self, tried: str, found: str, hint: str = "", *, transient: bool = False) -> None:
        super().__init__(tried, found, hint)
        self.transient = transient


class TruncatedDownloadError(MirrorError):
    """A server closed the connection before the announced end."""


class WrongBytesError(SourceError):
    """A mirror delivered another file. Permanent: nothing is kept and no other mirror is asked."""


class SizeMismatchError(WrongBytesError):
    """The size alone proves that these are not the pinned bytes."""


class HashMismatchError(WrongBytesError):
    """The bytes hash to something other than the pin.

    Attributes:
        expected: the pinned sha256.
        actual: the sha256 of what the mirror delivered.
    """

    expected = ""
    actual = ""


class CorruptCacheError(SourceError):
    """A cached file no longer hashes to its pin; it has been moved aside."""


class SourceUnavailableError(SourceError):
    """No mirror delivered.

    Attributes:
        failures: every mirror in the order it was tried, with the reason it gave.
    """

    failures: tuple[tuple[Mirror, MirrorError], ...] = ()


def hash_mismatch(source: Source, origin: str, actual: str) -> HashMismatchError:
    """The error for bytes from `origin` (a mirror, in words) that hash to `actual`."""
    error = HashMismatchError(
        f"fetching {source.id} from {origin}",
        f"sha256 expected {source.sha256}, found {actual}",
        "nothing was kept; the mirror carries another file: correct or remove it there",
    )
    error.expected, error.actual = source.sha256, actual
    return error


def unavailable(source: Source, failures: list[tuple[Mirror, MirrorError]]) -> SourceUnavailableError:
    """The one error that lists every mirror and its reason."""
    reasons = "".join(f"\n  {mirror}: {failure.found}" for mirror, failure in failures)
    hints = list(dict.fromkeys(failure.hint for _, failure in failures if failure.hint))
    name = next((mirror.name for mirror in source.mirrors if mirror.kind == "local"), source.file)
    hints.append(f"or put the file as {name} into a directory and set GENOPLATFORM_MIRROR to it")
    error = SourceUnavailableError(f"fetching {source.id}", f"no mirror delivered it{reasons}", "\n  -> ".join(hints))
    error.failures = tuple(failures)
    error.transient = any(failure.transient for _, failure in failures)
    return error
