"""Just enough of Java's .properties format to read Exomiser's settings and to pin one of them."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"\s*([^#!\s=:][^\s=:]*)\s*[=:]?\s*(.*?)\s*")


def read_properties(text: str) -> dict[str, str]:
    """Keys and values, the last of equal keys. Exomiser's own file uses no continuation lines; none are read."""
    found = {}
    for line in text.splitlines():
        match = _ENTRY.fullmatch(line)
        if match:
            found[match[1]] = match[2].replace("\\\\", "\\")
    return found


def with_property(text: str, key: str, value: str) -> str:
    """The text with `key` set once more at its end, where it prevails; non-ASCII characters escaped."""
    escaped = value.replace("\\", "\\\\")
    units = escaped.encode("utf-16-be")
    code_units = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
    ascii_value = "".join(chr(unit) if unit < 0x80 else f"\\u{unit:04x}" for unit in code_units)
    return text.rstrip("\n") + f"\n{key}={ascii_value}\n"
