"""Reading a YAML settings file strictly: what YAML would pass over in silence is an error that names the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from genoplatform.errors import SettingsError


class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain values only; a key that stands twice in one mapping is an error (YAML itself keeps the last)."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} stands there twice", key.start_mark
                )
            seen.add(key.value)
        return dict(super().construct_mapping(node, deep))


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping a YAML file holds; an empty file is an empty mapping.

    Raises:
        SettingsError: unreadable, not YAML, a repeated key, or not a mapping of names.
    """
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _StrictLoader)  # noqa: S506  a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SettingsError(f"reading {path.name}", str(error)) from error
    if content is None:
        return {}
    if not isinstance(content, dict) or not all(isinstance(name, str) for name in content):
        raise SettingsError(f"reading {path.name}", f"a {type(content).__name__}", "a mapping of names is asked for")
    return content
