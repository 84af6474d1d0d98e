"""A section's text to chunk texts: windows of tokens, exactly as the tokenizer sees them (rare_disease.md section 2.1).

Texts that fit into one window stay as they are. Of others each window is decoded, so its text is the tokenizer's:
lower-cased and spaced its way, unknown characters left out. Sections are tokenised in batches, in parallel.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from genoplatform.errors import BadInputError
from genoplatform.literature.pieces import WindowDecoder

MIN_SECTION_CHARACTERS = 50
"""A section whose stripped text is shorter is not chunked."""


@dataclass(frozen=True)
class Windowing:
    """Size of a window and overlap of two neighbours, in tokens."""

    size: int = 512
    overlap: int = 50

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            found = f"size {self.size}, overlap {self.overlap}"
            raise BadInputError("choosing chunk windows", found, "0 <= overlap < size")

    def bounds(self, n_tokens: int) -> Iterator[tuple[int, int]]:
        """(start, end) of each window over `n_tokens` tokens; the last is the first that reaches the end."""
        start = 0
        while True:
            end = min(start + self.size, n_tokens)
            yield start, end
            if end == n_tokens:
                return
            start += self.size - self.overlap


class Chunker:
    """Splits texts by the tokens of one tokenizer.

    Args:
        tokenizer: a Hugging Face `tokenizer.json`.
        windowing: window size and overlap.
    """

    def __init__(self, tokenizer: Path, windowing: Windowing | None = None) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
        try:
            self.tokenizer = Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # the library raises bare Exception
            hint = "name a Hugging Face tokenizer.json"
            raise BadInputError(f"reading the tokenizer {tokenizer.name}", str(error), hint) from error
        # Files of sentence encoders truncate and pad for their model; chunking needs every token, and no other.
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.windowing = windowing or Windowing()
        self._decoder = WindowDecoder(self.tokenizer)

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """Chunk texts of every text, in order; none for a text below `MIN_SECTION_CHARACTERS`."""
        long_enough = [i for i, text in enumerate(texts) if len(text.strip()) >= MIN_SECTION_CHARACTERS]
        encoded = self.tokenizer.encode_batch_fast([texts[i] for i in long_enough], add_special_tokens=False)
        chunks: list[list[str]] = [[] for _ in texts]
        windows, owners = [], []
        for i, encoding in zip(long_enough, encoded, strict=True):
            if len(encoding) <= self.windowing.size:
                chunks[i] = [texts[i]]
                continue
            ids = encoding.ids
            bounds = list(self.windowing.bounds(len(ids)))
            windows += [ids[start:end] for start, end in bounds]
            owners += [i] * len(bounds)
        for i, text in zip(owners, self._decoder.decode(windows), strict=True):
            if stripped := text.strip():
                chunks[i].append(stripped)
        return chunks
