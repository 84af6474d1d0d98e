"""The base of every section of a profile."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Strict, because YAML has its own types: a quoted number, or a yes for a count, is a slip."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
