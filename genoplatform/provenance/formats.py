"""The typed file formats of the store, one (suffix, write, read) each. An unknown type is an error, never a pickle.

Table libraries are imported when a file is written or read: definitions must load without them.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from genoplatform.provenance import atomic
from genoplatform.provenance.digests import UnsupportedTypeError, canonical_json

_MEMBER = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]*")
_RELATIVE = re.compile(rf"{_MEMBER.pattern}(/{_MEMBER.pattern})*")


@dataclass(frozen=True)
class Format:
    """One on-disk format: `write(path, value)` to a path that does not exist yet, `read(path) -> value`."""

    name: str
    suffix: str
    write: Callable[[Path, Any], None]
    read: Callable[[Path], Any]


def _write_parquet(path: Path, value: Any) -> None:
    import pyarrow.parquet as pq

    from genoplatform.provenance.arrow_table import arrow_table

    pq.write_table(arrow_table(value).combine_chunks(), path, compression="zstd")


def _write_json(path: Path, value: Any) -> None:
    canonical_json(value)  # refuses what JSON cannot hold exactly
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _read_json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _read_parquet(path: Path) -> Any:
    import pandas as pd

    return pd.read_parquet(path)


def _write_npz(path: Path, value: Any) -> None:
    import numpy as np

    if not isinstance(value, dict) or not value or not all(isinstance(item, np.ndarray) for item in value.values()):
        raise UnsupportedTypeError("writing npz", f"a {type(value).__name__}", "return {name: array}, at least one")
    _refuse_names("npz", value, _MEMBER)
    if objects := [name for name, item in value.items() if item.dtype.hasobject]:
        raise UnsupportedTypeError("writing npz", f"object arrays {objects}", "use numeric or string dtypes")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(value):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:  # dated 1980, whenever written
                np.lib.format.write_array(member, np.asarray(value[name]), allow_pickle=False)


def _read_npz(path: Path) -> Any:
    import numpy as np

    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _write_tables(path: Path, value: Any) -> None:
    if not isinstance(value, dict) or not value:
        raise UnsupportedTypeError("writing tables", f"a {type(value).__name__}", "return {name: DataFrame}")
    _refuse_names("tables", value, _MEMBER)
    path.mkdir()
    for name, table in sorted(value.items()):
        _write_parquet(path / f"{name}.parquet", table)


def _read_tables(path: Path) -> Any:
    return {item.stem: _read_parquet(item) for item in sorted(path.glob("*.parquet"))}


def _write_directory(path: Path, value: Any) -> None:
    if isinstance(value, Path) and value.is_dir():
        value.rename(path)  # staged by its maker on the store's own file system, too large for memory
        return
    content = isinstance(value, dict) and value and all(isinstance(item, bytes) for item in value.values())
    if not content:
        raise UnsupportedTypeError(
            "writing a directory", f"a {type(value).__name__}", "return {relative path: bytes}, or a staged directory"
        )
    _refuse_names("a directory", value, _RELATIVE)
    path.mkdir()
    for name, item in sorted(value.items()):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(item)


def _refuse_names(what: str, value: dict[str, Any], allowed: re.Pattern[str]) -> None:
    if wrong := [name for name in value if not isinstance(name, str) or not allowed.fullmatch(name)]:
        raise UnsupportedTypeError(f"writing {what}", f"members named {wrong}", "use plain relative names")


FORMATS = {
    item.name: item
    for item in (
        Format("parquet", ".parquet", _write_parquet, _read_parquet),
        Format("json", ".json", _write_json, _read_json),
        Format("npz", ".npz", _write_npz, _read_npz),
        Format("tables", ".tables", _write_tables, _read_tables),
        Format("directory", "", _write_directory, lambda path: path),
    )
}


def format_of(path: Path) -> Format:
    """The format a stored artefact has, by its suffix; a directory with no known one is a `directory`."""
    for item in FORMATS.values():
        if item.suffix == path.suffix:
            return item
    if path.is_dir():
        return FORMATS["directory"]
    raise UnsupportedTypeError(f"reading {path.name}", f"suffix {path.suffix!r}", f"one of {sorted(FORMATS)}")


def write_artefact(path: Path, value: Any, kind: Format) -> None:
    """Write `value` to `path` atomically in format `kind`."""
    with atomic.atomic_path(path) as temporary:
        kind.write(temporary, value)
