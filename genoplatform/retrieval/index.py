"""The vector index as the domain sees it: points in, scored ids out. Engines are in `resources.vector_index`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from genoplatform.retrieval.vectors import DenseVectors, SparseVector

DENSE, SPARSE, TEXT, YEAR = "dense", "bm25", "text", "pub_year"
"""Names of the two vectors, and of the payload fields that filters look at."""
KEYWORD_FIELDS = ("section_type", "pmcid")


@dataclass(frozen=True)
class Point:
    """A chunk as the index holds it; `payload` are the columns of the chunk table."""

    chunk_id: str
    dense: DenseVectors
    sparse: SparseVector
    payload: Mapping[str, Any]


@dataclass(frozen=True)
class Filter:
    """Which points a query may find: the words of `gene` in the text, years from `first` to `last`; None: any."""

    gene: str | None = None
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True)
class IndexQuery:
    """One vector (dense or sparse), and how many points it asks for. `exact` compares with every vector."""

    vector: DenseVectors | SparseVector
    limit: int
    only: Filter = field(default_factory=Filter)
    exact: bool = False


@dataclass(frozen=True)
class Scored:
    """A point found, and how well it fits."""

    chunk_id: str
    score: float


class VectorIndex(Protocol):
    """One open collection."""

    @property
    def engine(self) -> str:
        """Engine and version, for people."""
        ...

    def upsert(self, points: Sequence[Point]) -> None:
        """Insert points, replacing those of the same id."""
        ...

    def flush(self) -> None:
        """Make durable what was inserted."""
        ...

    def finish(self) -> None:
        """Build the graphs of what was inserted, and make everything durable."""
        ...

    def count(self) -> int:
        """Exact number of points."""
        ...

    def query(self, queries: Sequence[IndexQuery]) -> list[list[Scored]]:
        """Points of each query, best first; among equal scores the order is the engine's."""
        ...

    def payloads(self, chunk_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Payload by id of those that exist."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...
