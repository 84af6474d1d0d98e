"""Dense vectors with onnxruntime on the CPU, one text a run.

A graph with dynamic quantisation takes its scales from the whole batch, so in a batch a text's vector would depend on
its neighbours. One text a run, on as many single-threaded workers as there are cores, is as fast and depends on the
text alone: any order, any sharding, a query alone or among others, the same vector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from genoplatform.resources.embedder.tokens import (
    MissingLibraryError,
    TokenInputs,
    feeds,
    file_identity,
    refuse_width,
)
from genoplatform.retrieval.vectors import DenseVectors, mean_pooled
from genoplatform.settings.retrieval import EmbedderSettings


class OnnxEmbedder:
    """`Embedder` of an ONNX file with inputs as BERT has them and token vectors as its first output."""

    def __init__(self, settings: EmbedderSettings, model: Path, tokenizer: Path, threads: int) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingLibraryError(
                "opening the onnx embedder", str(error), "pip install 'genoplatform[literature]'"
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        refuse_width(self._session.get_outputs()[0].shape[-1], settings)
        self._names = [item.name for item in self._session.get_inputs()]
        self._inputs = TokenInputs.of_file(tokenizer, settings.max_tokens)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embed")
        self._usage = {"library": f"onnxruntime {onnxruntime.__version__}", "threads": threads}
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
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        tokens = self._inputs.ids(texts)
        # Long ones first: a long last one would leave the other workers idle.
        order = sorted(range(len(tokens)), key=lambda position: (-len(tokens[position]), position))
        found = np.empty((len(texts), self.dimension), dtype=np.float32)
        for position, vector in zip(order, self._pool.map(self._one, (tokens[i] for i in order)), strict=True):
            found[position] = vector
        return found

    def _one(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        given = feeds([tokens], self._names)
        hidden = self._session.run(None, given)[0]
        vector: NDArray[np.float32] = mean_pooled(hidden, np.ones((1, len(tokens)), dtype=np.int64))[0]
        return vector
