"""The two kinds of vectors a chunk has, and the interface of what makes the dense ones. No model is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

DenseVectors = NDArray[np.float32]


@dataclass(frozen=True)
class SparseVector:
    """Token ids, ascending, and their values; `indices` int32, `values` float32."""

    indices: NDArray[np.int32]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.indices)


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What decides the vectors: backend, model, revision or digests, precision, pooling, longest input."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def usage(self) -> Mapping[str, Any]:
        """What running it takes here: library, threads or device, memory. Shown, never part of a result."""
        ...

    def embed(self, texts: Sequence[str]) -> DenseVectors:
        """One row a text, in order; L2 norm 1."""
        ...


def mean_pooled(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> DenseVectors:
    """Mean of the token vectors that the mask keeps, then L2-normalised (as sentence-transformers' mean pooling).

    Args:
        hidden: (texts, tokens, dimension).
        mask: (texts, tokens), 1 for a token, 0 for padding.
    """
    weights = mask[:, :, None].astype(np.float32)
    total = (hidden * weights).sum(axis=1, dtype=np.float32)
    return normalised(total / np.maximum(weights.sum(axis=1), 1e-9))


def normalised(vectors: NDArray[np.floating[Any]]) -> DenseVectors:
    """Rows scaled to L2 norm 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


def batches_by_length(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Positions grouped so that texts of a batch are about as long, longest first.

    Args:
        lengths: tokens of each text.
        budget: padded tokens a batch, at most (a single longer text is a batch of its own).
    """
    order = sorted(range(len(lengths)), key=lambda position: (-lengths[position], position))
    batches: list[list[int]] = []
    widest = 0
    for position in order:
        if not batches or (len(batches[-1]) + 1) * widest > budget:
            batches.append([])
            widest = max(lengths[position], 1)
        batches[-1].append(position)
    return batches
