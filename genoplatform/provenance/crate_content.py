"""Content digests and claimed values in plain Python: the part of a crate's verifier that computes.

Standard library only, Python 3.9: the text below the imports is put into every crate's `verify.py`. The digest of a
table is the one `canonical.table_sha256` computes with Arrow.
"""

from __future__ import annotations

import hashlib
import json
import struct
from decimal import ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path
from typing import Any

BATCH_ROWS = 65_536  # part of how a content digest is defined
NULL = "\\N"
PACKED = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I",
          "uint64": "Q", "halffloat": "e", "float": "f", "double": "d"}  # fmt: skip


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no blanks, the form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(content: bytes) -> str:
    """Digest in hex."""
    return hashlib.sha256(content).hexdigest()


def file_sha256(path: Path) -> str:
    """Digest of a file, or of the sorted lines `path TAB digest` of a directory's files."""
    if path.is_dir():
        files = {item.relative_to(path).as_posix(): item for item in path.rglob("*") if item.is_file()}
        return sha256("".join(f"{name}\t{file_sha256(files[name])}\n" for name in sorted(files)).encode())
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        for block in iter(lambda: handle.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def typed(text: str, kind: str) -> Any:
    """A CSV cell as a value of its column's type."""
    if text == NULL:
        return None
    if kind == "string":
        return text[1:] if text.startswith("\\") else text
    if kind.startswith("list<"):
        return json.loads(text)
    if kind == "bool":
        return {"true": True, "false": False}[text]
    return float(text) if kind in ("halffloat", "float", "double") else int(text)


def logical(kind: str, values: list[Any]) -> str:
    """A column's type as the digest has it: a list that holds no element does not say of what."""
    if not kind.startswith("list<"):
        return kind
    elements = [item for value in values if value is not None for item in value]
    inner = kind[5:-1]
    return f"list<{'null' if all(item is None for item in elements) else logical(inner, elements)}>"


def update(digest: Any, kind: str, values: list[Any]) -> None:
    """Feed one batch of a column: which are missing, then the values end to end."""
    digest.update(bytes(value is None for value in values))
    if all(value is None for value in values):
        return
    if kind.startswith("list<"):
        digest.update(struct.pack(f"<{len(values)}q", *(len(value or ()) for value in values)))
        update(digest, kind[5:-1], [item for value in values if value is not None for item in value])
    elif kind == "string":
        texts = [(value or "").encode() for value in values]
        digest.update(struct.pack(f"<{len(texts)}q", *map(len, texts)) + b"".join(texts))
    elif kind == "bool":
        digest.update(bytes(bool(value) for value in values))
    else:
        digest.update(
            struct.pack(f"<{len(values)}{PACKED[kind]}", *(0 if value is None else value for value in values))
        )


def table_sha256(names: list[str], kinds: list[str], columns: list[list[Any]]) -> str:
    """Content digest of a table, the data version its record names."""
    rows = len(columns[0])
    digest = hashlib.sha256(canonical([rows, names]))
    for kind, values in zip(kinds, columns):  # noqa: B905 - Python 3.9
        digest.update(canonical(logical(kind, values)))
        for start in range(0, rows, BATCH_ROWS):
            update(digest, kind, values[start : start + BATCH_ROWS])
    return digest.hexdigest()


def compare(target: Decimal, exact: Decimal, tolerance: Decimal) -> tuple[str, str]:
    """OK where both round to the same last digit or differ by the tolerance; ROUNDING by one unit of that digit."""
    exponent = int(target.as_tuple().exponent)
    unit = Decimal((0, (1,), exponent))
    with localcontext() as context:
        context.prec = 400
        rounded = exact.quantize(unit, rounding=ROUND_HALF_UP)
        slip = abs(rounded - target)
        if slip == 0 or abs(exact - target) <= tolerance:
            return "OK", str(rounded)
        return ("ROUNDING" if exponent < 0 and slip <= unit else "MISMATCH"), str(rounded)
