"""The declared stand-in where no cross-encoder runs: overlap of terms, and the embedder's cosine where there is one.

Not the method of cells L and S: its identity says `lexical_dense`, and so does whatever is made with it.
"""

from __future__ import annotations

import functools
import math
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from genoplatform.retrieval.vectors import Embedder

_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_K1, _B = 1.2, 0.75
_REMEMBERED = 20_000  # vectors: 30 MB at 384 dimensions


class LexicalDenseReranker:
    """Weighted sum of BM25 over the candidate texts, scaled to its best, and the cosine of query and text.

    BM25 takes its statistics from the texts at hand (k1 1.2, b 0.75, idf log(1 + (N - n + 0.5) / (n + 0.5))), so a
    score compares texts of one call only. Chunks come again and again: their vectors are remembered.

    Args:
        lexical_weight: share of the lexical side, 0 to 1.
        embedder: the dense side; without one, or with a weight of 1, the lexical side is all there is.
    """

    def __init__(self, lexical_weight: float, embedder: Embedder | None = None) -> None:
        self._embedder = embedder if lexical_weight < 1 else None
        self._weight = lexical_weight if self._embedder is not None else 1.0
        self._vectors: dict[str, Any] = {}

    @property
    def identity(self) -> Mapping[str, str]:
        """Kind, model (bm25, and the embedder's if it takes part) and revision (weights and constants)."""
        dense = f"+{self._embedder.identity.get('model', 'embedder')}" if self._embedder is not None else ""
        constants = f"k1={_K1:g},b={_B:g},lexical={self._weight:g}"
        return {"kind": "lexical_dense", "model": f"bm25{dense}", "revision": constants}

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, at most 1."""
        if not texts:
            return []
        lexical = _scaled(bm25(query, texts))
        if self._embedder is None:
            return lexical
        cosines = self._cosines(self._embedder, query, texts)
        return [self._weight * a + (1 - self._weight) * b for a, b in zip(lexical, cosines, strict=True)]

    def _cosines(self, embedder: Embedder, query: str, texts: Sequence[str]) -> list[float]:
        import numpy as np

        wanted = dict.fromkeys([query, *texts])
        unknown = [text for text in wanted if text not in self._vectors]
        if len(self._vectors) + len(unknown) > _REMEMBERED:
            self._vectors.clear()
            unknown = list(wanted)
        if unknown:
            self._vectors.update(zip(unknown, embedder.embed(unknown), strict=True))
        vectors = np.stack([self._vectors[text] for text in (query, *texts)]).astype(np.float64)
        # Not a matrix product: in which order that sums is the library's affair.
        return [float(value) for value in (vectors[1:] * vectors[0]).sum(axis=1)]


def bm25(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text, whose collection is these texts. Terms are lower-case words; hyphens hold them together."""
    terms = sorted(set(_words(query)))
    asked = frozenset(terms)
    bags = [Counter(word for word in _words(text) if word in asked) for text in texts]
    lengths = [len(_words(text)) for text in texts]
    mean = math.fsum(lengths) / len(bags) or 1.0
    weights = {term: _idf(sum(term in bag for bag in bags), len(bags)) for term in terms}
    return [
        math.fsum(weights[term] * _saturated(bag[term], length / mean) for term in terms)
        for bag, length in zip(bags, lengths, strict=True)
    ]


@functools.lru_cache(maxsize=10_000)
def _words(text: str) -> tuple[str, ...]:
    """The terms of a text; chunks come again and again, and share their words."""
    return tuple(map(sys.intern, _WORD.findall(text.lower())))


def _idf(holding: int, texts: int) -> float:
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def _saturated(count: int, relative_length: float) -> float:
    return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * relative_length)) if count else 0.0


def _scaled(scores: list[float]) -> list[float]:
    best = max(scores)
    return [score / best for score in scores] if best > 0 else scores
