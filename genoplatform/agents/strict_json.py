"""Reading a model's JSON as published: one code fence off, then strictly.

Belongs here: text to value. Does not belong here: what the value must hold (lea_answer, llm_only, llm_critic).
Source: rare-disease specification, sections 6 and 8.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from genoplatform.agents.llm import ChatAnswer

_OPENING = re.compile(r"\A```(?:json|JSON)?[ \t]*\n?")
_CLOSING = re.compile(r"\n?[ \t]*```\s*\Z")


def strip_fences(text: str) -> str:
    """Text without one leading ```json or ``` fence and a trailing one."""
    return _CLOSING.sub("", _OPENING.sub("", text.strip())).strip()


def parse_json(text: str) -> Any:
    """The value of fenced or bare JSON text.

    Raises:
        ValueError: anything else, NaN and infinities included; too deep a nesting too.
    """
    try:
        return json.loads(strip_fences(text), parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def answered(answer: ChatAnswer) -> tuple[Any, str]:
    """The value of an answer and "", or None and `llm_call_failed:<type>` where the call or its JSON failed."""
    if answer.error:
        return None, f"llm_call_failed:{answer.error}"
    try:
        return parse_json(answer.text), ""
    except ValueError as error:
        return None, f"llm_call_failed:{type(error).__name__}"


def number(value: Any) -> float | None:
    """A finite number, also one written as text; None for anything else, truth values included."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
