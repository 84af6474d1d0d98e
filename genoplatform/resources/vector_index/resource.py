"""The vector-index resource: machine settings of the engine. Which engine it is, the profile says."""

import os
from pathlib import Path

import dagster as dg

from genoplatform.provenance import atomic
from genoplatform.retrieval.index import VectorIndex
from genoplatform.settings.retrieval import IndexSettings

URL_VARIABLE, KEY_VARIABLE = "GENOPLATFORM_QDRANT_URL", "GENOPLATFORM_QDRANT_API_KEY"
DEFAULT_URL = "http://localhost:6533"
_TIMEOUT_S = 120


class VectorIndexResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Opens collections.

    Attributes:
        url: of the Qdrant server; empty takes `GENOPLATFORM_QDRANT_URL`, else the paper's port on this machine.
        api_key: of the server; empty takes `GENOPLATFORM_QDRANT_API_KEY`.
        wait_s: how long an asset waits for the embedded engine to be free, s: assets of two pools may want it at once.
    """

    url: str = ""
    api_key: str = ""
    wait_s: float = 0.0

    def open(self, settings: IndexSettings, home: Path, name: str, dimension: int) -> VectorIndex:
        """The collection `name`, created if it is not there.

        Args:
            settings: engine, and how the collection is built.
            home: the platform's home; the embedded engine keeps its data below it.
            name: full name of the collection.
            dimension: of its dense vectors.

        Raises:
            IndexInUseError: the embedded index is open elsewhere.
            IndexUnavailableError: the server does not answer.
            CollectionMismatchError: the server has another collection of this name.
        """
        if settings.engine == "edge":
            from genoplatform.resources.vector_index.edge import EdgeIndex

            return EdgeIndex(index_folder(home) / name, settings, dimension, self.wait_s)
        from qdrant_client import QdrantClient

        from genoplatform.resources.vector_index.qdrant import QdrantIndex

        url = self.url or os.environ.get(URL_VARIABLE) or DEFAULT_URL
        key = self.api_key or os.environ.get(KEY_VARIABLE) or None
        client = QdrantClient(url=url, api_key=key, timeout=_TIMEOUT_S)
        return QdrantIndex(client, name, settings, dimension, engine="qdrant server")


def index_folder(home: Path) -> Path:
    """Where embedded collections, and the progress of building any, lie."""
    return home / "index"


def progress_file(home: Path, name: str) -> Path:
    """Names the shards a collection holds so far."""
    return index_folder(home) / f"{name}.shards.json"


def remove_older(home: Path, settings: IndexSettings, name: str) -> list[str]:
    """Remove embedded collections of the profile that a newer one has replaced; their names, sorted."""
    removed = []
    for path in sorted(index_folder(home).glob(f"{settings.collection}_*")):
        other = path.name.split(".")[0]
        if settings.engine == "edge" and other != name:
            atomic.remove(path)
            removed.append(other)
    return sorted(set(removed))
