"""`SourceStore`: the one way to a pinned input. Cache first, then the mirrors in order; the hash decides.

Belongs here: the order of trying, locking between processes, the status of the cache. Does not belong here: how a
mirror delivers (`mirrors`) and how bytes are kept (`cache`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from genoplatform.resources.sources.cache import ContentCache, PinnedFile, sha256_of
from genoplatform.resources.sources.errors import CorruptCacheError, MirrorError, SourceError, unavailable
from genoplatform.resources.sources.mirrors import Workbench, obtain
from genoplatform.resources.sources.progress import Progress, Silent
from genoplatform.resources.sources.retry import RetryPlan
from genoplatform.settings.sources import Mirror, Source, SourceCatalogue, load_catalogue

MIRROR_VARIABLE = "GENOPLATFORM_MIRROR"


def mirror_from_environment() -> Path | None:
    """The local mirror directory that the environment names now, if any."""
    name = os.environ.get(MIRROR_VARIABLE, "")
    return Path(name).expanduser() if name else None


@dataclass(frozen=True)
class SourceStatus:
    """One line of the catalogue beside what the cache holds; `cached` is a cheap look, not a verification."""

    id: str
    title: str
    version: str
    licence: str
    bytes: int | None
    cached: bool


@dataclass(frozen=True)
class Verification:
    """Outcome of re-hashing one cache entry; `actual` is empty where nothing is cached."""

    id: str
    state: Literal["ok", "missing", "corrupt"]
    expected: str
    actual: str
    path: Path


class SourceStore:
    """Pinned inputs under a platform home.

    Args:
        home: the platform's home directory.
        catalogue: the pins; None loads the package's own.
        mirror_dir: local mirror directory; None = no local mirror.
        offline: ask only the cache and the local mirror.
        progress: told about transfers; None shows nothing.
        retry: plan for transient network faults.
    """

    def __init__(
        self,
        home: Path,
        catalogue: SourceCatalogue | None = None,
        *,
        mirror_dir: Path | None = None,
        offline: bool = False,
        progress: Progress | None = None,
        retry: RetryPlan | None = None,
    ) -> None:
        self.catalogue = catalogue if catalogue is not None else load_catalogue()
        self.cache = ContentCache(home)
        self.offline = offline
        self._progress = progress if progress is not None else Silent()
        self._bench = Workbench(self.cache, mirror_dir, self._progress, retry or RetryPlan())

    def fetch(self, source_id: str) -> PinnedFile:
        """Return the pinned file, from the cache or from the first mirror that delivers it.

        Safe to call from several processes at once: one obtains, the others wait for it.

        Raises:
            SettingsError: no such source.
            WrongBytesError: a mirror carries another file; nothing is kept and no further mirror is asked.
            SourceUnavailableError: no mirror delivered; every mirror and its reason is listed.
            SourceError: the disk refused.
        """
        source = self.catalogue.get(source_id)
        try:
            with self.cache.lock(source.sha256):
                if not self._usable(source):
                    self._obtain(source)
        except OSError as error:
            hint = f"check free space and permissions of {self.cache.root}"
            raise SourceError(f"fetching {source.id}", str(error), hint) from error
        return PinnedFile(source, self.cache)

    def verify(self, source_ids: Sequence[str] | None = None) -> list[Verification]:
        """Re-hash cache entries without changing anything.

        Args:
            source_ids: which ones; None takes the whole catalogue.
        """
        ids = self.catalogue.ids if source_ids is None else source_ids
        return [self._verification(self.catalogue.get(i)) for i in ids]

    def status(self) -> list[SourceStatus]:
        """The catalogue beside the cache, in catalogue order."""
        return [
            SourceStatus(s.id, s.title, s.version, s.licence.id, s.bytes, self.cache.holds(s)) for s in self.catalogue
        ]

    def _verification(self, source: Source) -> Verification:
        path = self.cache.location(source)
        if not path.is_file():
            return Verification(source.id, "missing", source.sha256, "", path)
        actual = sha256_of(path)
        state: Literal["ok", "corrupt"] = "ok" if actual == source.sha256 else "corrupt"
        return Verification(source.id, state, source.sha256, actual, path)

    def _usable(self, source: Source) -> bool:
        if not self.cache.location(source).is_file():
            return False
        try:
            self.cache.verified_path(source)
        except CorruptCacheError as error:
            self._progress.note(f"{error.tried}: {error.found}; obtaining it again")
            return False
        return True

    def _obtain(self, source: Source) -> None:
        failures: list[tuple[Mirror, MirrorError]] = []
        for mirror in source.mirrors:
            if self.offline and mirror.kind != "local":
                failures.append((mirror, MirrorError(f"fetching {source.id}", "not asked (offline)")))
                continue
            self._progress.begin(f"{source.id} ({mirror.kind})", source.bytes)
            try:
                with self.cache.scratch() as scratch:
                    self.cache.publish(obtain(mirror, source, self._bench, scratch), source, str(mirror))
                return
            except MirrorError as error:
                failures.append((mirror, error))
            finally:
                self._progress.end()
        raise unavailable(source, failures)
