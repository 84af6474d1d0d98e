"""Keeps prompts on the machine: LangGraph's own tracing to a remote service is switched off while a graph runs.

Belongs here: that one switch. The tracing library listens to environment variables that a user may have set for other
work; a case's phenotype is not to leave with them.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any


def untraced() -> AbstractContextManager[Any]:
    """A context in which nothing that LangGraph runs is traced."""
    try:
        from langsmith import tracing_context  # noqa: PLC0415  (comes with langgraph)
    except ImportError:
        return nullcontext()
    return tracing_context(enabled=False)
