"""What a profile says of its language models and its reranker. Addresses, interpreters and secrets: the environment."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, PositiveFloat, PositiveInt, model_validator

from genoplatform.settings.section import Section

Server = Literal["xllamacpp", "vllm", "external"]
Structured = Literal["auto", "json_schema", "json_object", "plain"]


class ModelSettings(Section):
    """One language model and how it is asked; decoding is always greedy (rare_disease.md sections 0, 6 and 8).

    Attributes:
        server: `xllamacpp` (embedded, managed), `vllm` (managed), or `external`, the only one that prompts leave the
            machine for.
        model: pin id of a GGUF file for xllamacpp; hub name otherwise.
        revision: hub commit, or `sha256:<tree digest>` of a local directory; xllamacpp takes it from the pin.
        version: version of the server that must answer; None takes the one installed.
        evidence: whether figures made with it say something of the science, or only of the path.
        context_tokens: prompt and answer together; more is a `context_overflow` answer, never a silent cut.
        max_concurrency: requests at a time. More than one changes how a server batches, and with it the last bits.
        timeout_s: seconds a request may take.
        start_timeout_s: seconds a managed server may take until it answers.
        attempts: tries a request, for faults of transport only.
        seed: handed to the server; greedy decoding uses none, some servers want one.
        structured: how a schema is asked for; `auto` tries json_schema, json_object with the schema, then plain.
        dtype: number format of the weights (vLLM).
        reasoning_parser: vLLM's parser that takes thoughts out of the answer.
        arguments: further arguments of vLLM's server.
        extra_body: further fields of every request; null takes a field out.
        url_variable: environment variable with the address (external).
        key_variable: environment variable with the API key (external).
    """

    server: Server
    model: str
    revision: str | None = None
    version: str | None = None
    evidence: Literal["science", "plumbing"]
    context_tokens: PositiveInt
    max_concurrency: PositiveInt = 1
    timeout_s: PositiveFloat = 120.0
    start_timeout_s: PositiveFloat = 600.0
    attempts: PositiveInt = 3
    seed: int = 42
    structured: Structured = "auto"
    dtype: str = "auto"
    reasoning_parser: str | None = None
    arguments: list[str] = []
    extra_body: dict[str, Any] = {}
    url_variable: str | None = None
    key_variable: str | None = None

    @model_validator(mode="after")
    def _fits_its_server(self) -> ModelSettings:
        if (self.server == "external") != (self.url_variable is not None):
            raise ValueError("url_variable belongs to the server `external`, and to no other")
        if self.server == "xllamacpp" and "@" not in self.model:
            raise ValueError(f"model {self.model!r} is not the id of a pin, which xllamacpp needs")
        if self.server == "vllm" and not self.revision:
            raise ValueError("a vllm model needs its revision")
        return self

    def decoding(self) -> dict[str, Any]:
        """Everything beside the model and the request that an answer depends on."""
        fields = {"context_tokens", "seed", "structured", "dtype", "reasoning_parser", "arguments", "extra_body"}
        return {"temperature": 0, **self.model_dump(mode="json", include=fields)}


class LlmSettings(ModelSettings):
    """The profile's language model, and any number of others by name (ablation arms, a judge)."""

    alternatives: dict[str, ModelSettings] = {}

    @property
    def weights(self) -> list[str]:
        """The pins of weights that these models need."""
        return [each.model for each in (self, *self.alternatives.values()) if each.server == "xllamacpp"]


class RerankerSettings(Section):
    """How retrieved chunks are reranked (rare_disease.md section 8, cells L and S).

    Attributes:
        kind: a cross-encoder on torch, or the declared lexical-dense fallback.
        model: hub name of the cross-encoder.
        revision: its commit, or `sha256:<tree digest>` of a local directory.
        max_length: tokens of query and text together; the text is cut, as the method does.
        batch_size: pairs a forward pass.
        lexical_weight: share of the lexical score in the fallback; the rest is the embedder's cosine.
    """

    kind: Literal["cross_encoder", "lexical_dense"]
    model: str | None = None
    revision: str | None = None
    max_length: PositiveInt = 512
    batch_size: PositiveInt = 64
    lexical_weight: float = Field(default=0.5, ge=0, le=1)

    @model_validator(mode="after")
    def _fits_its_kind(self) -> RerankerSettings:
        if self.kind == "cross_encoder" and not (self.model and self.revision):
            raise ValueError("a cross-encoder needs its model and revision")
        return self
