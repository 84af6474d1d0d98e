"""Content digests: the same content gives the same sha256, whatever file format, chunking or writer version held it.

A data version is the digest of a value's canonical content; a file hash is the digest of the bytes on disk. Both are
recorded: the first says whether the content changed, the second whether the file was touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from genoplatform.provenance.arrow_table import arrow_table
from genoplatform.provenance.digests import UnsupportedTypeError, canonical_json, file_sha256

_BATCH_ROWS = 65_536


def table_sha256(value: pd.DataFrame | pa.Table) -> str:
    """Sha256 of a table's names, logical types and values.

    Independent of chunking, row groups, the width of string offsets, dictionary encoding and schema metadata (which
    carries writer versions, not content). Missing is one value: pandas cannot tell NaN from null, so neither does this.
    0.0 and -0.0 are two. The type of a list's elements counts only if there is an element to have it.
    """
    table = arrow_table(value)
    digest = hashlib.sha256()
    digest.update(canonical_json([table.num_rows, table.column_names]))
    for column in table.columns:
        digest.update(canonical_json(_logical(column)))
        for start in range(0, table.num_rows, _BATCH_ROWS):
            _update_array(digest, _one_array(column.slice(start, _BATCH_ROWS)))
    return digest.hexdigest()


def content_sha256(value: Any) -> str:
    """Data version of a value: DataFrame, Arrow table, mapping of tables, arrays or files, JSON, or a path on disk.

    Raises:
        UnsupportedTypeError: for any other type.
    """
    if isinstance(value, pd.DataFrame | pa.Table):
        return table_sha256(value)
    if isinstance(value, Path):
        return file_sha256(value)
    if isinstance(value, Mapping) and value:
        return _mapping_sha256(value)
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _mapping_sha256(value: Mapping[str, Any]) -> str:
    items = value.values()
    if all(isinstance(item, np.ndarray) for item in items):
        return _arrays_sha256(value)
    if all(isinstance(item, pd.DataFrame | pa.Table) for item in items):
        digests = {name: content_sha256(item) for name, item in value.items()}
        return hashlib.sha256(canonical_json(digests)).hexdigest()
    if all(isinstance(item, bytes) for item in items):
        return _files_sha256(value)
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _files_sha256(files: Mapping[str, bytes]) -> str:
    """Equal to `digests.tree_sha256` of the directory these files would make."""
    lines = [f"{name}\t{hashlib.sha256(files[name]).hexdigest()}\n" for name in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _arrays_sha256(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.asarray(arrays[name], order="C")
        if array.dtype.hasobject:
            raise UnsupportedTypeError(f"hashing array {name!r}", f"dtype {array.dtype}", "use a numeric dtype")
        digest.update(canonical_json([name, str(array.dtype), list(array.shape)]))
        digest.update(array.tobytes())
    return digest.hexdigest()


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.chunks else pa.array([], column.type)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _logical(column: pa.ChunkedArray) -> str:
    kind = column.type
    if pa.types.is_large_string(kind) or pa.types.is_string(kind):
        return "string"
    if not _is_list(kind):
        return str(kind)
    elements = pa.chunked_array([chunk.flatten() for chunk in column.chunks], kind.value_type)
    # An empty list does not say what it is a list of, and pandas does not remember.
    empty = pc.all(pc.is_null(elements, nan_is_null=True), min_count=0).as_py()
    return f"list<{'null' if empty else _logical(elements)}>"


def _update_array(digest: Any, array: pa.Array) -> None:
    kind = array.type
    missing = pc.is_null(array, nan_is_null=True).to_numpy(zero_copy_only=False)
    digest.update(missing.astype(np.uint8).tobytes())
    if missing.all():
        return
    if _is_list(kind):
        _update_integers(digest, pc.fill_null(pc.list_value_length(array), 0))
        _update_array(digest, array.flatten())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        filled = pc.fill_null(array.cast(pa.large_string()), "")
        _update_integers(digest, pc.binary_length(filled))
        digest.update(_text(filled))
    elif pa.types.is_boolean(kind):
        digest.update(pc.fill_null(array, False).to_numpy(zero_copy_only=False).astype(np.uint8).tobytes())
    else:
        values = np.where(missing, 0, pc.fill_null(array, 0).to_numpy(zero_copy_only=False))
        digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())


def _update_integers(digest: Any, values: pa.Array) -> None:
    digest.update(values.to_numpy(zero_copy_only=False).astype("<i8").tobytes())


def _text(strings: pa.Array) -> Any:
    """The bytes of a large_string array without nulls, end to end."""
    _, offsets, content = strings.buffers()
    if content is None or not len(strings):
        return b""
    bounds = np.frombuffer(offsets, dtype=np.int64)[strings.offset : strings.offset + len(strings) + 1]
    return memoryview(content)[bounds[0] : bounds[-1]]
