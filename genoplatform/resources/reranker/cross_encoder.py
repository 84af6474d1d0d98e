"""The cross-encoder of cells L and S: MedCPT reads query and chunk together and gives one score a pair.

Method: rare_disease.md section 8 (pairs of query and text, at most 512 tokens, 64 pairs a pass, FP16 on a GPU). The
score is the model's logit; a squashed one would tie where FP16 runs out of digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from genoplatform.errors import GenoplatformError
from genoplatform.settings.llm import RerankerSettings


class RerankerError(GenoplatformError):
    """The cross-encoder cannot be used as the profile says."""


class CrossEncoder:
    """Scores pairs with a sequence classifier of one output. Loaded at the first score.

    Pairs are batched by length, longest first, so that little is padded; the same texts give the same batches.

    Args:
        settings: model, revision, lengths.
        weights: a directory of the weights; None takes the declared revision from the hub or its cache.
        device: `cuda`, `cpu`, or "" for CUDA where there is one.
    """

    def __init__(self, settings: RerankerSettings, weights: Path | None = None, device: str = "") -> None:
        self._settings, self._weights, self._device = settings, weights, device

    @property
    def identity(self) -> Mapping[str, str]:
        """Kind, model, revision."""
        settings = self._settings
        return {"kind": "cross_encoder", "model": settings.model or "", "revision": settings.revision or ""}

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One logit a text.

        Raises:
            RerankerError: torch, transformers or the weights are not here.
        """
        order = sorted(range(len(texts)), key=lambda place: (-len(texts[place]), place))
        scores = [0.0] * len(texts)
        size = self._settings.batch_size
        for start in range(0, len(order), size):
            places = order[start : start + size]
            for place, value in zip(places, self._forward(query, [texts[each] for each in places]), strict=True):
                scores[place] = value
        return scores

    def _forward(self, query: str, texts: list[str]) -> list[float]:
        tokenizer, model, torch = self._loaded
        encoded = tokenizer(
            [query] * len(texts),
            texts,
            truncation=True,
            padding=True,
            max_length=self._settings.max_length,
            return_tensors="pt",
        ).to(model.device)
        with torch.inference_mode():
            logits = model(**encoded).logits
        return [float(value) for value in logits.float().reshape(len(texts), -1)[:, 0].cpu()]

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise RerankerError("loading the cross-encoder", str(error), "pip install 'genoplatform[torch]'") from error
        device = self._device or ("cuda" if torch.cuda.is_available() else "cpu")
        source = str(self._weights or self._settings.model)
        # A directory has no revisions: it is one.
        revision = {} if self._weights else {"revision": self._settings.revision}
        try:
            tokenizer = AutoTokenizer.from_pretrained(source, **revision)
            model = AutoModelForSequenceClassification.from_pretrained(source, num_labels=1, **revision)
        except (OSError, ValueError) as error:
            hint = f"hf download {self._settings.model} --revision {self._settings.revision}"
            raise RerankerError(f"loading {source}", str(error).partition("\n")[0], hint) from error
        model = model.half() if device.startswith("cuda") else model
        return tokenizer, model.to(device).eval(), torch
