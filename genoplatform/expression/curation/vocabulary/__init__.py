"""Our vocabulary as data: names of traits, and general words of sample annotation. How it is used is elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

_HERE = files("genoplatform.expression.curation.vocabulary")


def _read(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(_HERE.joinpath(name).read_text(encoding="utf-8"))
    return loaded


KEYS: dict[str, list[str]] = _read("keys.yml")
WORDS: dict[str, list[str]] = _read("words.yml")
TRAITS: dict[str, dict[str, Any]] = {**_read("diseases.yml"), **_read("cancers.yml"), **_read("quantities.yml")}
CANCERS: frozenset[str] = frozenset(_read("cancers.yml"))
