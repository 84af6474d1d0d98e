"""Language models: a client, managed servers, a cache that replays, a log of every call.

Belongs here: processes, HTTP, files. Does not belong here: prompts, and what an answer means (genoplatform.agents).
Only `resource` knows Dagster. How it all works, for users: docs/models.md.
"""

LLM_POOL = "llm"
"""Dagster pool of the assets that ask a language model: one server at a time."""

__all__ = ["LLM_POOL"]
