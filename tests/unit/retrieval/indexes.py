"""Indexes to run the same tests on: the embedded engine, qdrant-client's memory, and a server where one is named."""

import os
import uuid
import warnings
from pathlib import Path

import numpy as np
import qdrant_edge
from qdrant_client import QdrantClient

from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.resources.vector_index.qdrant import QdrantIndex
from genoplatform.resources.vector_index.resource import URL_VARIABLE
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.index import Point
from genoplatform.settings.retrieval import IndexSettings

SETTINGS = IndexSettings(engine="edge", collection="test")
URL = os.environ.get(URL_VARIABLE)
NO_SERVER = f"{URL_VARIABLE} names no Qdrant server: tested on the embedded engine and in qdrant-client's memory only"
DIMENSION = 8


def open_engine(engine: str, folder: Path, settings: IndexSettings = SETTINGS):
    """An empty index of an engine."""
    if engine == "edge":
        return EdgeIndex(folder / "collection", settings, DIMENSION)
    client = QdrantClient(url=URL, timeout=60) if engine == "server" else QdrantClient(":memory:")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Payload indexes have no effect")  # the memory has none
        return QdrantIndex(client, f"test_{uuid.uuid4().hex}", settings, DIMENSION, engine)


def drop(index) -> None:
    """Close an index; what lies on a server is removed."""
    if isinstance(index, QdrantIndex):
        index._client.delete_collection(index._name)
    index.close()


def remove(index, chunk: str) -> None:
    """Take a point out behind the interface's back."""
    if isinstance(index, QdrantIndex):
        index._client.delete(index._name, [chunk])
    else:
        index._shard.update(qdrant_edge.UpdateOperation.delete_points([chunk]))


def chunk_id(number: int) -> str:
    return str(uuid.UUID(int=number))


def point(number: int, text: str, *, year: int | None = 2010, dense=None, pmcid: str = "") -> Point:
    """A chunk whose dense vector points along axis `number`, unless another is given."""
    axis = np.eye(DIMENSION, dtype=np.float32)[number % DIMENSION]
    payload = {
        "chunk_id": chunk_id(number),
        "pmcid": pmcid or f"PMC{number}",
        "pmid": str(number),
        "title": f"Title {number}",
        "section_type": "results",
        "section_heading": None,
        "pub_year": year,
        "text": text,
        "authors": ["One, A"],
    }
    vector = axis if dense is None else np.asarray(dense, dtype=np.float32)
    return Point(chunk_id(number), vector, Bm25().document(text), payload)


class AxisEmbedder:
    """Embeds "axis 3" along axis 3, and any other text evenly."""

    def __init__(self):
        self.identity = {"backend": "test", "dimension": DIMENSION}
        self.usage = {}
        self.dimension = DIMENSION

    def embed(self, texts):
        rows = np.full((len(texts), DIMENSION), 1 / np.sqrt(DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            if text.startswith("axis "):
                rows[row] = np.eye(DIMENSION, dtype=np.float32)[int(text.split()[1])]
        return rows
