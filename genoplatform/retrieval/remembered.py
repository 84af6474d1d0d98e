"""An embedder that remembers the texts it was asked about last: the same query is asked in many modes and rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from genoplatform.retrieval.vectors import DenseVectors, Embedder

MOST = 4_096


class Remembered:
    """`Embedder` in front of another one, for queries; it must not depend on what else is in a batch.

    Args:
        embedder: makes the vectors.
        most: texts remembered; then it starts anew.
    """

    def __init__(self, embedder: Embedder, most: int = MOST) -> None:
        self._embedder, self._most = embedder, most
        self._known: dict[str, DenseVectors] = {}
        self.dimension = embedder.dimension

    @property
    def identity(self) -> Mapping[str, Any]:
        """Of the embedder behind."""
        return self._embedder.identity

    @property
    def usage(self) -> Mapping[str, Any]:
        """Of the embedder behind."""
        return self._embedder.usage

    def embed(self, texts: Sequence[str]) -> DenseVectors:
        """One unit vector a text."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(unknown) > self._most:
            self._known.clear()
            unknown = list(dict.fromkeys(texts))
        if unknown:
            self._known.update(zip(unknown, self._embedder.embed(unknown), strict=True))
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), dtype=np.float32)
