"""Tables of claims: a published table written down as a table, one row a line, instead of one entry a number.

Here: turning such a table into single claims. Not here: what a claim is, or comparing it (claims.py).

    - title: overlap shift                     # begins the name of each claim
      source: where the table is published
      artefact: eval/inference/evaluation[standard].overlap_shift
      tolerance: 0.0001                        # optional; of every claim without its own
      where: {reference: M}                    # optional; conditions every row shares
      keys: [system]                           # columns whose values, first in each row, pick the row of the artefact
      columns: [present, {name: low end, column: lo, tolerance: 0.004, where: {metric: top1}}]
      rows:
      - [K, "0.6575", "-0.0319"]               # null: not claimed
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from genoplatform.errors import SettingsError

_KEYS = {"title", "source", "artefact", "tolerance", "where", "keys", "columns", "rows"}
_REQUIRED = ("title", "artefact", "keys", "columns", "rows")
_COLUMN_KEYS = {"name", "column", "where", "tolerance"}


def claims_of_table(table: Any, file: str) -> Iterator[dict[str, Any]]:
    """The claims of one table, each as an entry of the list `claims`.

    Raises:
        SettingsError: an unknown or missing key, or a row whose length is not that of keys and columns.
    """
    tried = (
        f"reading {file}, table of claims {table.get('title', '')}" if isinstance(table, dict) else f"reading {file}"
    )
    if not isinstance(table, dict):
        raise SettingsError(tried, f"table of claims {table!r} is not a mapping")
    unknown, missing = sorted(set(table) - _KEYS), [key for key in _REQUIRED if key not in table]
    if unknown or missing:
        raise SettingsError(tried, f"unknown keys {unknown}, missing {missing}")
    keys, columns = table["keys"], [_column(column, tried) for column in table["columns"]]
    shared = {name: table[name] for name in ("artefact", "source") if name in table}
    for row in table["rows"]:
        if not isinstance(row, list) or len(row) != len(keys) + len(columns):
            raise SettingsError(tried, f"row {row!r} has not {len(keys)} keys and {len(columns)} values")
        chosen = dict(zip(keys, row, strict=False))
        for column, value in zip(columns, row[len(keys) :], strict=True):
            if value is not None:
                yield {
                    **shared,
                    "name": " ".join(map(str, (f"{table['title']}:", *chosen.values(), column["name"]))),
                    "value": value,
                    "column": column["column"],
                    "where": {**table.get("where", {}), **chosen, **column.get("where", {})},
                    "tolerance": column.get("tolerance", table.get("tolerance", 0.0)),
                }


def _column(column: Any, tried: str) -> dict[str, Any]:
    if isinstance(column, str):
        return {"name": column, "column": column}
    if not isinstance(column, dict) or "name" not in column or set(column) - _COLUMN_KEYS:
        raise SettingsError(tried, f"column {column!r}", f"a name, or a mapping of {sorted(_COLUMN_KEYS)}")
    return {"column": column["name"], **column}
