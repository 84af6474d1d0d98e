"""The embedder resource: machine settings of the dense model. Which model it is, the profile says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from genoplatform.errors import SettingsError
from genoplatform.resources.gpu import GpuResource, installed_gpus
from genoplatform.retrieval.vectors import Embedder
from genoplatform.settings.retrieval import EmbedderSettings


class EmbedderResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Opens the profile's embedder on this machine.

    Attributes:
        threads: most threads to compute with; 0 takes the cores this process may use, or `OMP_NUM_THREADS` if fewer.
        device: of the `torch` backend: `cuda`, `cpu`, or empty for CUDA where there is a card.
        gpu: index of the card.
    """

    threads: int = 0
    device: str = ""
    gpu: int = 0

    @contextmanager
    def open(self, settings: EmbedderSettings, model: Path | None, tokenizer: Path | None) -> Iterator[Embedder]:
        """The embedder, its weights loaded; on a GPU its memory is leased while the block runs.

        Args:
            settings: backend and model.
            model: verified weights: a file of `onnx` and `openvino`, a model directory of `torch` or None for the hub.
            tokenizer: tokenizer.json of the model; `torch` brings its own.

        Raises:
            SettingsError: a file it needs is missing.
            MissingLibraryError: so is the backend's library.
            GpuBudgetError: the card has no room for it.
        """
        if settings.backend == "torch":
            from genoplatform.resources.embedder.torch_backend import TorchEmbedder

            device = self.device or ("cuda" if installed_gpus() else "cpu")
            if device == "cpu":
                yield TorchEmbedder(settings, model, device)
                return
            with GpuResource(index=self.gpu).reserve("embedding", settings.vram_mib):
                yield TorchEmbedder(settings, model, device)
            return
        yield self._on_cpu(settings, model, tokenizer)

    def _on_cpu(self, settings: EmbedderSettings, model: Path | None, tokenizer: Path | None) -> Embedder:
        if model is None or tokenizer is None:
            missing = "embedding_model" if model is None else "embedding_tokenizer"
            raise SettingsError(
                f"opening the {settings.backend} embedder", f"the profile leaves the slot {missing} empty", "pin one"
            )
        if settings.backend == "openvino":
            from genoplatform.resources.embedder.openvino_backend import OpenvinoEmbedder

            return OpenvinoEmbedder(settings, model, tokenizer, self._threads())
        from genoplatform.resources.embedder.onnx_backend import OnnxEmbedder

        return OnnxEmbedder(settings, model, tokenizer, self._threads())

    def _threads(self) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return self.threads or min(cores, int(limit) if limit.isdecimal() and int(limit) else cores)
