"""Texts to token ids and padded batches, as every backend wants them. The longest input is set, never a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from genoplatform.errors import GenoplatformError, SettingsError
from genoplatform.settings.retrieval import EmbedderSettings


class MissingLibraryError(GenoplatformError):
    """An optional library that a declared engine needs is not installed."""


class TokenInputs:
    """A tokenizer set to one longest input, without padding."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=max_tokens)
        self._tokenizer = tokenizer

    @classmethod
    def of_file(cls, path: Path, max_tokens: int) -> TokenInputs:
        """From a tokenizer.json.

        Raises:
            SettingsError: it is not one.
        """
        try:
            return cls(Tokenizer.from_file(str(path)), max_tokens)
        except Exception as error:  # the library raises bare Exception
            raise SettingsError(f"reading the tokenizer {path.name}", str(error), "pin a tokenizer.json") from error

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, special tokens included, cut to the longest input."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]


def padded(batch: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids and attention mask of a batch, (texts, longest); padding is 0."""
    widest = max(map(len, batch))
    ids, mask = np.zeros((2, len(batch), widest), dtype=np.int64)
    for row, tokens in enumerate(batch):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def feeds(batch: Sequence[Sequence[int]], names: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Inputs of a BERT-like graph, of which it takes those it names."""
    ids, mask = padded(batch)
    known = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    return {name: known[name] for name in names}


def file_identity(settings: EmbedderSettings, model: Path, tokenizer: Path) -> Mapping[str, Any]:
    """What decides the vectors of a model that is a file."""
    from genoplatform.provenance import file_sha256

    return {
        "backend": settings.backend,
        "model": settings.model,
        "model_sha256": file_sha256(model),
        "tokenizer_sha256": file_sha256(tokenizer),
        "dimension": settings.dimension,
        "max_tokens": settings.max_tokens,
        "pooling": "mean, L2",
    }


def refuse_width(found: int, settings: EmbedderSettings) -> None:
    """Raise if a model's vectors are not as wide as declared.

    Raises:
        SettingsError: naming both widths.
    """
    if found != settings.dimension:
        raise SettingsError(
            f"opening {settings.model}", f"vectors of {found}, declared {settings.dimension}", "correct the profile"
        )
