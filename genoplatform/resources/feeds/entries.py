"""Releases as a feed announces them, their order, and which come after a given one. Pure; no network here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from genoplatform.settings.feeds import Feed


@dataclass(frozen=True)
class EntryFile:
    """A file of a release; size and sha256 where the feed says them."""

    name: str
    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class FeedEntry:
    """One release that holds every file its feed asks for."""

    feed: str
    version: str
    files: tuple[EntryFile, ...]

    @property
    def id(self) -> str:
        """`<feed>@<version>`, the name of the candidate."""
        return f"{self.feed}@{self.version}"


def release_order(version: str) -> tuple[tuple[int, int | str], ...]:
    """Sort key in which numbers count as numbers: 0.1.9 before 0.1.26, dates by date."""
    parts = re.findall(r"\d+|[A-Za-z]+", version)
    return tuple((1, int(part)) if part.isdigit() else (0, part) for part in parts)


def after(entries: Sequence[FeedEntry], version: str | None, feed: Feed, limit: int) -> list[FeedEntry]:
    """Releases after `version`, oldest first, at most `limit`; of a feed whose releases replace each other, the newest.

    Args:
        entries: in any order.
        version: the last one known; None knows none.
        feed: says whether every release counts.
        limit: of one look; the next look goes on from the last one returned.
    """
    known = release_order(version) if version else ()
    fresh = sorted((e for e in entries if release_order(e.version) > known), key=lambda e: release_order(e.version))
    return fresh[:limit] if feed.every else fresh[-1:]
