"""Tables of a crate as CSV that loses nothing: what the verifier reads has the content digest the record names.

A missing value is written as backslash N, a text that starts with a backslash gets another one in front, lists are
JSON, floats have the shortest digits that read back as the same number.
"""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.provenance.arrow_table import arrow_table
from genoplatform.provenance.crate_content import NULL
from genoplatform.provenance.graph import GraphNode, label_of

_ROWS_AT_ONCE = 50_000


def write_tables(node: GraphNode, root: Path, folder: str) -> dict[str, Any]:
    """Write the table(s) of an artefact below `root/folder`; their entry in the crate's `tables.json`."""
    if node.data is None:
        raise FileNotFoundError(node.sidecar.label)
    single = node.data.is_file()
    label, tables = label_of(node.key), []
    for path in [node.data] if single else sorted(node.data.glob("*.parquet")):
        name = f"{folder}.csv" if single else f"{folder}/{path.stem}.csv"
        columns = _write_csv(path, root / name)
        claimed = label if single else f"{label}.{path.stem}"
        tables.append({"name": path.stem, "file": name, "claimed_as": claimed, "columns": columns})
    return {"single": single, "tables": tables}


def _write_csv(source: Path, target: Path) -> list[dict[str, str]]:
    target.parent.mkdir(parents=True, exist_ok=True)
    table = arrow_table(pq.read_table(source))
    kinds = [_type_name(field.type) for field in table.schema]
    with target.open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)  # CR LF, or a CR inside a text would not be quoted
        writer.writerow(table.column_names)
        for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
            columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
            writer.writerows(zip(*columns, strict=True))
    return [{"name": name, "type": kind} for name, kind in zip(table.column_names, kinds, strict=True)]


def _type_name(kind: pa.DataType) -> str:
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list<{_type_name(kind.value_type)}>"
    return "string" if pa.types.is_large_string(kind) else str(kind)


def _cell(value: Any) -> str:
    if _missing(value):
        return NULL
    if isinstance(value, str):
        return "\\" + value if value.startswith("\\") else value
    if isinstance(value, list):
        return json.dumps(_without_nan(value), ensure_ascii=False)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)


def _without_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if _missing(value) else value


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
