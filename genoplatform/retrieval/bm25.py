"""Sparse vectors of texts: BM25 as fastembed's "Qdrant/bm25" does it, split between document, query and server.

The document side holds the term-frequency part with length normalisation, the query side only which terms are asked
for; the inverse document frequency is the engine's (modifier IDF of the collection). Token ids are hashes, so there is
no vocabulary to keep, and two tokens may share one.
"""

from __future__ import annotations

import re
from collections import Counter

import mmh3
import numpy as np
from py_rust_stemmers import SnowballStemmer

from genoplatform.retrieval.stopwords import ENGLISH
from genoplatform.retrieval.vectors import SparseVector

_WORD = re.compile(r"\w+")
_REMEMBERED = 200_000


class Bm25:
    """Makes the sparse vectors of documents and of queries.

    Args:
        k: term-frequency saturation.
        b: length normalisation.
        average_length: length of the average document, in tokens kept.
        longest_token: longer tokens are left out, in characters.
    """

    def __init__(
        self, *, k: float = 1.2, b: float = 0.75, average_length: float = 256.0, longest_token: int = 40
    ) -> None:
        self._k, self._b, self._average, self._longest = k, b, average_length, longest_token
        self._stemmer = SnowballStemmer("english")
        self._stems: dict[str, str] = {}

    def document(self, text: str) -> SparseVector:
        """Value of a term: f (k + 1) / (f + k (1 - b + b n / average)); f its count, n the length of the text."""
        stems = self.stems(text)
        counts = Counter(stems)
        floor = self._k * (1 - self._b + self._b * len(stems) / self._average)
        # Of two stems with one id the later counts, as in fastembed.
        values = {token_id(stem): count * (self._k + 1) / (count + floor) for stem, count in counts.items()}
        return _vector(values)

    def query(self, text: str) -> SparseVector:
        """1 for every term that occurs."""
        return _vector({token_id(stem): 1.0 for stem in self.stems(text)})

    def stems(self, text: str) -> list[str]:
        """Stems of the words of a text, in order: lower-cased, without stopwords, over-long words and empty stems."""
        words = _WORD.findall(text.lower())
        return [stem for word in words if (stem := self._stem(word))]

    def _stem(self, word: str) -> str:
        known = self._stems.get(word)
        if known is None:
            if len(self._stems) >= _REMEMBERED:  # words are many, memory is not
                self._stems.clear()
            # A run of underscores is a word to the pattern and punctuation to the method.
            left_out = word == "_" or word in ENGLISH or len(word) > self._longest
            known = self._stems[word] = "" if left_out else self._stemmer.stem_word(word)
        return known


def token_id(stem: str) -> int:
    """Id of a stem: the absolute value of its signed 32-bit MurmurHash3 with seed 0."""
    return abs(mmh3.hash(stem))


def _vector(values: dict[int, float]) -> SparseVector:
    ids = sorted(values)
    return SparseVector(np.asarray(ids, dtype=np.int32), np.asarray([values[i] for i in ids], dtype=np.float32))
