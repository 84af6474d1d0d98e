"""Dense vectors with PyTorch: the paper's model; FP16 on a GPU within a declared share of its memory, else FP32."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from genoplatform.resources.embedder.tokens import MissingLibraryError, TokenInputs, padded, refuse_width
from genoplatform.retrieval.vectors import DenseVectors, batches_by_length, mean_pooled
from genoplatform.settings.retrieval import EmbedderSettings

_MIB = 2**20


class TorchEmbedder:
    """`Embedder` of a transformers model: a directory, or a pinned revision on the model hub."""

    def __init__(self, settings: EmbedderSettings, model: Path | None, device: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise MissingLibraryError(
                "opening the torch embedder", str(error), "pip install 'genoplatform[torch]'"
            ) from error
        self._torch = torch
        self._device = torch.device(device)
        on_gpu = self._device.type == "cuda"
        if on_gpu:
            _limit_memory(torch, self._device, settings.vram_mib)
        source = str(model) if model is not None else settings.model
        pinned = {} if model is not None else {"revision": settings.revision}
        loaded = AutoModel.from_pretrained(source, dtype=torch.float16 if on_gpu else torch.float32, **pinned)
        self._model = loaded.to(self._device).eval()
        refuse_width(loaded.config.hidden_size, settings)
        tokenizer = AutoTokenizer.from_pretrained(source, **pinned).backend_tokenizer
        self._inputs = TokenInputs(tokenizer, settings.max_tokens)
        self._settings = settings
        self._identity = _identity(settings, model, "float16" if on_gpu else "float32")
        self.dimension = settings.dimension

    @property
    def identity(self) -> Mapping[str, Any]:
        """Backend, model, revision or digest, precision."""
        return self._identity

    @property
    def usage(self) -> Mapping[str, Any]:
        """Library, device, and on a GPU the memory allowed and taken."""
        torch = self._torch
        shown: dict[str, Any] = {"library": f"torch {torch.__version__}", "device": self._device.type}
        if self._device.type == "cuda":
            shown["vram_budget_mib"] = self._settings.vram_mib
            shown["vram_peak_mib"] = round(torch.cuda.max_memory_allocated(self._device) / _MIB)
        return shown

    def embed(self, texts: Sequence[str]) -> DenseVectors:
        """One unit vector a text."""
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        tokens = self._inputs.ids(texts) if texts else []
        with self._torch.inference_mode():
            for batch in batches_by_length([len(item) for item in tokens], self._settings.batch_tokens):
                found[batch] = self._batch([tokens[position] for position in batch])
        return found

    def _batch(self, chosen: Sequence[Sequence[int]]) -> DenseVectors:
        ids, mask = padded(chosen)
        given = {"input_ids": ids, "attention_mask": mask}
        moved = {name: self._torch.from_numpy(array).to(self._device) for name, array in given.items()}
        hidden = self._model(**moved).last_hidden_state
        return mean_pooled(hidden.float().cpu().numpy(), mask)


def _limit_memory(torch: Any, device: Any, vram_mib: int) -> None:
    total = torch.cuda.get_device_properties(device).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, vram_mib * _MIB / total), device)
    torch.cuda.reset_peak_memory_stats(device)


def _identity(settings: EmbedderSettings, model: Path | None, precision: str) -> Mapping[str, Any]:
    from genoplatform.provenance import file_sha256

    known = {"model_sha256": file_sha256(model)} if model is not None else {"revision": settings.revision}
    return {
        "backend": "torch",
        "model": settings.model,
        **known,
        "precision": precision,
        "dimension": settings.dimension,
        "max_tokens": settings.max_tokens,
        "pooling": "mean, L2",
    }
