"""What makes two calls the same call: the request, the model and how it decodes. Labels and addresses do not count."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from genoplatform.agents.llm import ChatRequest
from genoplatform.provenance import canonical_json
from genoplatform.settings.llm import ModelSettings

FORMAT = 1
_IN_KEY = ("server", "version", "model", "revision")


@dataclass(frozen=True)
class CallKey:
    """A call's content and its hash."""

    content: Mapping[str, Any]
    sha256: str

    @classmethod
    def of(cls, request: ChatRequest, identity: Mapping[str, str], settings: ModelSettings) -> CallKey:
        """The key of a request to a model."""
        schema = None if request.schema is None else dict(request.schema)
        content = {
            "format": FORMAT,
            "request": {
                "system": request.system,
                "user": request.user,
                "max_tokens": request.max_tokens,
                "schema": schema,
            },
            "model": {part: identity[part] for part in _IN_KEY},
            "decoding": settings.decoding(),
        }
        return cls(content, hashlib.sha256(canonical_json(content)).hexdigest())


def prompt_sha256(request: ChatRequest) -> str:
    """Sha256 of system and user prompt alone: the same for every model that is asked."""
    return hashlib.sha256(canonical_json([request.system, request.user])).hexdigest()
