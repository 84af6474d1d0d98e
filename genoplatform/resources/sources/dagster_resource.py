"""The pinned sources as a Dagster resource. The only module of this package that imports Dagster."""

from pathlib import Path

import dagster as dg

from genoplatform.resources.sources.cache import PinnedFile
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment


class SourcesResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Hands assets the pinned files they read.

    Attributes:
        home: the platform's home directory, which holds the cache.
        offline: ask only the cache and the local mirror.
        mirror: local mirror directory; empty takes what `GENOPLATFORM_MIRROR` names when a file is fetched.
    """

    home: str
    offline: bool = False
    mirror: str = ""

    def store(self) -> SourceStore:
        """The store behind this resource, on the package's own catalogue."""
        mirror_dir = Path(self.mirror) if self.mirror else mirror_from_environment()
        return SourceStore(Path(self.home), mirror_dir=mirror_dir, offline=self.offline)

    def fetch(self, source_id: str) -> PinnedFile:
        """The pinned file of `source_id`; see `SourceStore.fetch` for what can go wrong."""
        return self.store().fetch(source_id)
