"""Structured output: how a schema is asked for, and whether an answer has it. A server's promise is never relied on."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NoReturn

from genoplatform.resources.llm.errors import LlmError
from genoplatform.settings.llm import Structured

Mode = Literal["json_schema", "json_object", "plain"]

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"\A\s*```(?:json)?[ \t]*\n?(.*?)\s*(?:```\s*)?\Z", re.DOTALL | re.IGNORECASE)


def modes(declared: Structured, schema: Mapping[str, Any] | None) -> list[Mode]:
    """The ways to ask, in the order of trying."""
    if schema is None:
        return ["plain"]
    if declared == "auto":
        return ["json_schema", "json_object", "plain"]
    return [declared]


def response_format(mode: Mode, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """The fields of a request that ask for `schema` in this way; `plain` adds none.

    vLLM and the public services know `json_schema`; servers on llama.cpp have long known `json_object` with a schema.
    """
    if mode == "plain" or schema is None:
        return {}
    if mode == "json_schema":
        wanted = {"name": "answer", "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": wanted}}
    return {"response_format": {"type": "json_object", "schema": dict(schema)}}


def parse(text: str, schema: Mapping[str, Any] | None) -> Any:
    """The answer as JSON, if one was asked for and the text is that and satisfies the schema; else None.

    One leading fence and a leading block of thoughts are taken off (rare_disease.md section 6); nothing is repaired.
    """
    if schema is None:
        return None
    bare = _FENCE.sub(r"\1", _THOUGHTS.sub("", text)) if "```" in text else _THOUGHTS.sub("", text)
    try:
        value = json.loads(bare, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if validator(schema).is_valid(value) else None


def validator(schema: Mapping[str, Any]) -> Any:
    """A validator of `schema`, which may not refer to anything outside itself.

    Raises:
        LlmError: `schema` is no JSON schema; a fault of the code that asks, not of an answer.
    """
    return _validator(json.dumps(schema, sort_keys=True))


@functools.lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    import jsonschema

    parsed = json.loads(schema)
    try:
        jsonschema.Draft202012Validator.check_schema(parsed)
    except jsonschema.SchemaError as error:
        raise LlmError("asking for structured output", f"not a JSON schema: {error.message}") from error
    return jsonschema.Draft202012Validator(parsed)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
