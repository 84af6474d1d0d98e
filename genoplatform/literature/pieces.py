"""Decoding windows of tokens as fast as joining strings. The pieces are the tokenizer's own; nothing is re-implemented.

A WordPiece decoder turns each token into a piece of text that depends on the token and on whether it comes first. So
the library decodes every token once, when a chunker is made, and windows are joined from the pieces. Decoders of
other kinds look across tokens: there the library decodes every window.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from tokenizers import Tokenizer


class WindowDecoder:
    """Text of windows of token ids, special tokens left out; equal to `Tokenizer.decode`."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        described = json.loads(tokenizer.to_str())
        self._special = {token["id"] for token in described["added_tokens"] if token["special"]}
        self._by_token = (described["decoder"] or {}).get("type") == "WordPiece" and not self._overlapping(described)
        if self._by_token:
            self._learn(described["model"]["vocab"])

    def decode(self, windows: Sequence[Sequence[int]]) -> list[str]:
        """Text of each window."""
        if not self._by_token:
            return list(self._tokenizer.decode_batch([list(window) for window in windows], skip_special_tokens=True))
        return [self._join(window) for window in windows]

    def _overlapping(self, described: dict[str, object]) -> bool:
        # An added token that is not special is decoded apart from its neighbours.
        added = described["added_tokens"]
        return not isinstance(added, list) or any(not token["special"] for token in added)

    def _learn(self, vocabulary: dict[str, int]) -> None:
        ids = sorted({*vocabulary.values(), *self._special})
        plain = next(i for i in ids if i not in self._special)
        before = self._tokenizer.decode([plain], skip_special_tokens=False)
        after = self._tokenizer.decode_batch([[plain, i] for i in ids], skip_special_tokens=True)
        self._first: dict[int, str] = dict(zip(ids, self._tokenizer.decode_batch([[i] for i in ids]), strict=True))
        self._next: dict[int, str] = {i: text[len(before) :] for i, text in zip(ids, after, strict=True)}

    def _join(self, window: Sequence[int]) -> str:
        start = next((n for n, token in enumerate(window) if token not in self._special), len(window))
        if start == len(window):
            return ""
        return self._first[window[start]] + "".join(map(self._next.__getitem__, window[start + 1 :]))
