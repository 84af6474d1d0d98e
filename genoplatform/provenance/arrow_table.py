"""Frames and Arrow tables as the store keeps them: one Arrow table whose parquet file pandas reads back unchanged.

Belongs here: which column types a table may have, and how pandas' looser ones become them. Not here: digests of tables
(`canonical.py`) and files (`formats.py`).
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
from pandas.api.types import is_object_dtype

from genoplatform.provenance.digests import UnsupportedTypeError

_SUPPORTED = "strings, integers, floats, booleans, or lists of them"


def arrow_table(value: Any) -> pa.Table:
    """The Arrow table of a DataFrame, or an Arrow table brought to the same form.

    Integers with missing values stay integers (pandas `Int64`), booleans with missing values booleans. Categories
    become plain values. An index without a name is not content and is left out.

    Raises:
        UnsupportedTypeError: a named index, columns of one name, or a column pandas would read back as something else:
            dates, bytes, structures, sets, mixed types, lists of integers with a missing element.
    """
    if isinstance(value, pd.DataFrame):
        table = _from_frame(value)
        native = not any(isinstance(kind, pd.ArrowDtype) for kind in value.dtypes)
    elif isinstance(value, pa.Table):
        table, native = _plain(value), False
    else:
        raise UnsupportedTypeError("storing a table", f"a {type(value).__name__}", "return a DataFrame or Arrow table")
    if not table.num_columns:
        raise UnsupportedTypeError("storing a table", "no columns", "name the columns even where there are no rows")
    if len(set(table.column_names)) != table.num_columns:
        raise UnsupportedTypeError("storing a table", f"repeated columns among {table.column_names}", "rename them")
    for name, column in zip(table.column_names, table.columns, strict=True):
        _refuse_unsupported(name, column)
    return table if native else _described_for_pandas(table)


def _from_frame(frame: pd.DataFrame) -> pa.Table:
    named = [name for name in frame.index.names if name is not None]
    if named or frame.index.nlevels > 1:
        raise UnsupportedTypeError("storing a table", f"index {frame.index.names}", "make it columns: reset_index()")
    if not frame.columns.is_unique:
        raise UnsupportedTypeError("storing a table", f"repeated columns among {list(frame.columns)}", "rename them")
    coded = [name for name, kind in frame.dtypes.items() if isinstance(kind, pd.CategoricalDtype)]
    frame = frame.astype(dict.fromkeys(coded, object))
    frame.attrs = {}  # pandas would write them into the file: not content
    objects = [name for name, kind in frame.dtypes.items() if is_object_dtype(kind)]
    for name in objects:
        if any(issubclass(kind, set | frozenset) for kind in set(map(type, frame[name].to_numpy()))):
            raise UnsupportedTypeError(f"storing column {name!r}", "sets, which have no order", "sort them into lists")
    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
        nullable = [name for name in objects if _scalar_with_nulls(table[str(name)])]
        if nullable:
            kinds = {name: _nullable_dtype(table[str(name)].type) for name in nullable}
            table = pa.Table.from_pandas(frame.astype(kinds), preserve_index=False)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise UnsupportedTypeError("storing a table", str(error), f"columns hold {_SUPPORTED}") from error
    return table


def _plain(table: pa.Table) -> pa.Table:
    """Without dictionary encoding and string views: encodings, not types."""
    for place, field in enumerate(table.schema):
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        kind = pa.large_string() if pa.types.is_string_view(kind) else kind
        if kind != field.type:
            table = table.set_column(place, field.name, table.column(place).cast(kind))
    return table


def _described_for_pandas(table: pa.Table) -> pa.Table:
    """With the metadata that makes pandas read integers and booleans with missing values as such."""
    frame = table.schema.remove_metadata().empty_table().to_pandas()
    kinds = {
        name: _nullable_dtype(column.type)
        for name, column in zip(table.column_names, table.columns, strict=True)
        if _scalar_with_nulls(column)
    }
    described = pa.Schema.from_pandas(frame.astype(kinds), preserve_index=False)
    return table.replace_schema_metadata(described.metadata)


def _scalar_with_nulls(column: pa.ChunkedArray) -> bool:
    return bool(column.null_count) and (pa.types.is_integer(column.type) or pa.types.is_boolean(column.type))


def _nullable_dtype(kind: pa.DataType) -> str:
    return "boolean" if pa.types.is_boolean(kind) else str(kind).replace("uint", "UInt").replace("int", "Int")


def _refuse_unsupported(name: str, column: pa.ChunkedArray) -> None:
    kind, inside = column.type, False
    while pa.types.is_list(kind) or pa.types.is_large_list(kind):
        column = pa.chunked_array([chunk.flatten() for chunk in column.chunks], kind.value_type)
        kind, inside = kind.value_type, True
    if inside and pa.types.is_integer(kind) and column.null_count:
        raise UnsupportedTypeError(
            f"storing column {name!r}",
            "lists of integers with a missing element, which pandas reads as floats",
            "leave the element out, or use floats",
        )
    known = (pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
    if not any(test(kind) for test in (*known, pa.types.is_string, pa.types.is_large_string)):
        raise UnsupportedTypeError(f"storing column {name!r}", f"Arrow type {kind}", f"use {_SUPPORTED}")
