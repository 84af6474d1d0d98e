"""Dense vectors with OpenVINO on the CPU, batched by length, from the same files as the onnx backend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from genoplatform.resources.embedder.tokens import (
    MissingLibraryError,
    TokenInputs,
    feeds,
    file_identity,
    padded,
    refuse_width,
)
from genoplatform.retrieval.vectors import DenseVectors, batches_by_length, mean_pooled
from genoplatform.settings.retrieval import EmbedderSettings


class OpenvinoEmbedder:
    """`Embedder` of an ONNX file, compiled by OpenVINO."""

    def __init__(self, settings: EmbedderSettings, model: Path, tokenizer: Path, threads: int) -> None:
        try:
            import openvino
        except ImportError as error:
            raise MissingLibraryError("opening the openvino embedder", str(error), "pip install openvino") from error
        options = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        self._model = openvino.Core().compile_model(str(model), "CPU", options)
        refuse_width(self._model.output(0).partial_shape[-1].get_length(), settings)
        self._names = [item.any_name for item in self._model.inputs]
        self._inputs = TokenInputs.of_file(tokenizer, settings.max_tokens)
        self._budget = settings.batch_tokens
        self._usage = {"library": f"openvino {openvino.__version__}", "threads": threads}
        self._identity = file_identity(settings, model, tokenizer)
        self.dimension = settings.dimension

    @property
    def identity(self) -> Mapping[str, Any]:
        """Backend, model and digests."""
        return self._identity

    @property
    def usage(self) -> Mapping[str, Any]:
        """Library and threads."""
        return self._usage

    def embed(self, texts: Sequence[str]) -> DenseVectors:
        """One unit vector a text."""
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        tokens = self._inputs.ids(texts) if texts else []
        for batch in batches_by_length([len(item) for item in tokens], self._budget):
            chosen = [tokens[position] for position in batch]
            hidden = self._model(feeds(chosen, self._names))[0]
            found[batch] = mean_pooled(hidden, padded(chosen)[1])
        return found
