"""The engines `vector_index.py` compares, each built from the same texts and vectors; nothing here measures."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import pyarrow as pa

from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.fusion import reciprocal_ranks
from genoplatform.retrieval.index import Point
from genoplatform.retrieval.searcher import IndexSearcher
from genoplatform.retrieval.vectors import SparseVector
from genoplatform.settings.retrieval import IndexSettings

TOP, PREFETCH, BATCH = 10, 40, 1000


@dataclass(frozen=True)
class Data:
    """Texts and vectors to index, and words and vectors to ask for."""

    texts: list[str]
    vectors: np.ndarray
    asked: list[str]
    towards: np.ndarray


class Peer(Protocol):
    """An engine: `build` once, then `search` one query at a time, giving the numbers of ten texts."""

    name: ClassVar[str]
    slow: ClassVar[bool]

    def build(self, data: Data, folder: Path) -> None:
        """Index everything."""

    def search(self, mode: str, words: str, vector: np.ndarray) -> list[int]:
        """Numbers of the ten best texts."""


class Given:
    """An embedder that has been told the vector."""

    identity: ClassVar[dict[str, str]] = {}
    usage: ClassVar[dict[str, str]] = {}
    dimension = 384
    vector = np.zeros(384, dtype=np.float32)

    def embed(self, texts: Any) -> np.ndarray:
        """The vector."""
        return self.vector[None, :]


class Ours:
    """The embedded engine behind `VectorIndex`, through `IndexSearcher`."""

    name = "ours (qdrant-edge)"
    slow = False

    def __init__(self, sparse: list[SparseVector]) -> None:
        self.sparse, self.given = sparse, Given()

    def build(self, data: Data, folder: Path) -> None:
        """Index everything."""
        index = EdgeIndex(folder / "index", IndexSettings(engine="edge", collection="bench"), data.vectors.shape[1])
        for start in range(0, len(data.texts), BATCH):
            index.upsert([self.point(data, number) for number in range(start, min(start + BATCH, len(data.texts)))])
        index.finish()
        self.searcher = IndexSearcher(index, self.given, Bm25())

    def point(self, data: Data, number: int) -> Point:
        """One text as a point."""
        key = str(uuid.UUID(int=number))
        payload = {"chunk_id": key, "pmcid": f"PMC{number % 2000}", "text": data.texts[number], "pub_year": 2010}
        return Point(key, data.vectors[number], self.sparse[number], payload)

    def search(self, mode: str, words: str, vector: np.ndarray) -> list[int]:
        """Numbers of the ten best texts."""
        self.given.vector = vector
        hits = self.searcher.search([words], mode=mode, limit=TOP)[0]
        return [uuid.UUID(hit.chunk_id).int for hit in hits]


class LocalClient:
    """qdrant-client's local mode on disk."""

    name = "QdrantClient(path=)"
    slow = True

    def __init__(self, sparse: list[SparseVector]) -> None:
        library = import_module("qdrant_client")
        self.client_of, self.models, self.sparse = library.QdrantClient, library.models, sparse

    def build(self, data: Data, folder: Path) -> None:
        """Index everything."""
        m = self.models
        self.client = self.client_of(path=str(folder / "local"))
        dense = m.VectorParams(size=data.vectors.shape[1], distance=m.Distance.COSINE)
        self.client.create_collection(
            "c", {"dense": dense}, sparse_vectors_config={"bm25": m.SparseVectorParams(modifier=m.Modifier.IDF)}
        )
        for start in range(0, len(data.texts), BATCH):
            numbers = range(start, min(start + BATCH, len(data.texts)))
            vectors = [{"dense": data.vectors[n].tolist(), "bm25": self._sparse(self.sparse[n])} for n in numbers]
            points = [
                m.PointStruct(id=n, vector=vector, payload={"text": data.texts[n]})
                for n, vector in zip(numbers, vectors, strict=True)
            ]
            self.client.upsert("c", points)

    def _sparse(self, vector: SparseVector) -> Any:
        return self.models.SparseVector(indices=vector.indices.tolist(), values=vector.values.tolist())

    def search(self, mode: str, words: str, vector: np.ndarray) -> list[int]:
        """Numbers of the ten best texts."""
        m = self.models
        sides = {"dense": vector.tolist(), "bm25": self._sparse(Bm25().query(words))}
        if mode == "hybrid":
            prefetch = [m.Prefetch(query=query, using=name, limit=PREFETCH) for name, query in sides.items()]
            found = self.client.query_points(
                "c", prefetch=prefetch, query=m.FusionQuery(fusion=m.Fusion.RRF), limit=TOP
            )
        else:
            name = "dense" if mode == "dense" else "bm25"
            found = self.client.query_points("c", query=sides[name], using=name, limit=TOP)
        return [int(point.id) for point in found.points]


class Lance:
    """LanceDB: HNSW in IVF with scalar quantisation, and its own full-text index."""

    name = "LanceDB"
    slow = False

    def __init__(self, sparse: list[SparseVector]) -> None:
        os.environ.setdefault("LANCE_LOG", "error")  # else a line about columns, every query
        self.lancedb = import_module("lancedb")
        self.reranker = import_module("lancedb.rerankers").RRFReranker()

    def build(self, data: Data, folder: Path) -> None:
        """Index everything."""
        dense = pa.FixedSizeListArray.from_arrays(pa.array(data.vectors.ravel()), data.vectors.shape[1])
        rows = pa.table({"number": np.arange(len(data.texts)), "text": data.texts, "vector": dense})
        self.table = self.lancedb.connect(str(folder)).create_table("c", rows)
        self.table.create_index(metric="cosine", index_type="IVF_HNSW_SQ", m=16, ef_construction=200)
        self.table.create_fts_index("text", use_tantivy=False, stem=True, remove_stop_words=True)

    def search(self, mode: str, words: str, vector: np.ndarray) -> list[int]:
        """Numbers of the ten best texts."""
        if mode == "dense":
            query = self.table.search(vector).distance_type("cosine").ef(128)
        elif mode == "sparse":
            query = self.table.search(words, query_type="fts")
        else:
            query = self.table.search(query_type="hybrid").vector(vector).text(words).rerank(self.reranker)
        return query.select(["number", "text"]).limit(TOP).to_arrow()["number"].to_pylist()


class TantivyNumpy:
    """tantivy's BM25, and every vector compared by numpy."""

    name = "tantivy + numpy"
    slow = False

    def __init__(self, sparse: list[SparseVector]) -> None:
        self.tantivy = import_module("tantivy")

    def build(self, data: Data, folder: Path) -> None:
        """Index everything."""
        schema = self.tantivy.SchemaBuilder()
        schema.add_integer_field("number", stored=True)
        schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
        self.index = self.tantivy.Index(schema.build(), path=str(folder))
        writer = self.index.writer()
        for number, text in enumerate(data.texts):
            writer.add_document(self.tantivy.Document(number=number, text=text))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.vectors, self.searcher = data.vectors, self.index.searcher()

    def _words(self, words: str, limit: int) -> list[int]:
        plain = " ".join(word for word in words.split() if word.isalnum())
        query = self.index.parse_query(plain.lower(), ["text"])
        found = self.searcher.search(query, limit).hits
        return [self.searcher.doc(address)["number"][0] for _, address in found]

    def _nearest(self, vector: np.ndarray, limit: int) -> list[int]:
        scores = self.vectors @ vector
        best = np.argpartition(-scores, limit)[:limit]
        return best[np.argsort(-scores[best])].tolist()

    def search(self, mode: str, words: str, vector: np.ndarray) -> list[int]:
        """Numbers of the ten best texts."""
        if mode == "dense":
            return self._nearest(vector, TOP)
        if mode == "sparse":
            return self._words(words, TOP)
        sides = (self._nearest(vector, PREFETCH), self._words(words, PREFETCH))
        fused = reciprocal_ranks([[str(number) for number in side] for side in sides])
        return [int(number) for number, _ in fused[:TOP]]


PEERS = (Ours, LocalClient, Lance, TantivyNumpy)
