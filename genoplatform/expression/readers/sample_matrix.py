"""Sample tables of a family SOFT file, put together to one matrix a platform (GEOquery issue 155 asks for it)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from genoplatform.expression.readers.lines import text_of
from genoplatform.expression.readers.number_table import ExpressionTable, empty_table, parse_number_table

_ID, _VALUE = "ID_REF", "VALUE"


class SampleMatrix:
    """Columns of one platform's matrix; rows follow the first sample, others are matched by id."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.index = pd.Index(self.ids)
        self.same: pa.ChunkedArray | None = None
        self.samples: list[str] = []
        self.columns: list[np.ndarray] = []

    def add(self, sample: str, table: bytes, report: Counter[str]) -> None:
        """Add a column: the VALUE of a sample's table; what is odd is counted in `report`."""
        ids, values = _sample_values(table, report)
        if not len(ids):
            report["samples without a table"] += 1
            return
        if sample in self.samples:
            report["samples repeated, left out"] += 1
            return
        if not self.samples:
            self.ids = list(dict.fromkeys(ids.to_pylist()))
            self.index = pd.Index(self.ids)
            self.same = ids if len(ids) == len(self.ids) else None
        if self.same is None or not ids.equals(self.same):
            values = self._matched(ids.to_pylist(), values, report)
        self.samples.append(sample)
        self.columns.append(values)

    def _matched(self, ids: list[str], values: np.ndarray, report: Counter[str]) -> np.ndarray:
        found = self.index.get_indexer(pd.Index(ids))
        extra = [(name, value) for name, value, at in zip(ids, values, found, strict=True) if at < 0]
        report["samples with other rows than the first"] += 1
        if extra:
            self.same = None
            known = dict.fromkeys(name for name, _ in extra)
            self.ids = [*self.ids, *known]
            self.index = pd.Index(self.ids)
            self.columns = [np.concatenate([column, np.full(len(known), np.nan)]) for column in self.columns]
            found = self.index.get_indexer(pd.Index(ids))
        column = np.full(len(self.ids), np.nan)
        column[found[::-1]] = values[::-1]  # of a repeated id the first row counts
        return column

    def table(self) -> ExpressionTable:
        """The matrix of all samples added."""
        if not self.samples:
            return empty_table()
        return ExpressionTable(self.ids, self.samples, np.column_stack(self.columns))


def _sample_values(table: bytes, report: Counter[str]) -> tuple[pa.ChunkedArray, np.ndarray]:
    """Ids and values of a sample table; none where it is empty or has no column VALUE."""
    head, _, body = table.partition(b"\n")
    names = [name.strip() for name in text_of(head).split("\t")]
    if not body or _ID not in names:
        return _no_ids(), np.empty(0)
    if _VALUE not in names:
        report["sample tables without VALUE"] += 1
        return _no_ids(), np.empty(0)
    try:
        parsed = pa_csv.read_csv(
            pa.BufferReader(body),
            read_options=pa_csv.ReadOptions(column_names=names, block_size=len(body) + 1, use_threads=False),
            parse_options=pa_csv.ParseOptions(delimiter="\t", quote_char=False),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()) | {_VALUE: pa.float64()},
                include_columns=[_ID, _VALUE],
                null_values=["", "null", "NA", "NaN", "nan"],
                strings_can_be_null=False,
            ),
        )
        return parsed.column(0), parsed.column(1).to_numpy()
    except pa.ArrowInvalid:
        at = (names.index(_ID), names.index(_VALUE))
        rows = [line.split(b"\t") for line in body.split(b"\n") if line.strip()]
        lines = [b"\t".join([row[at[0]], row[at[1]] if at[1] < len(row) else b""]) + b"\n" for row in rows]
        found = parse_number_table([b"ID_REF\tVALUE\n", *lines])
        report.update(found.report)
        return pa.chunked_array([pa.array(found.ids, pa.string())]), found.values[:, 0]


def _no_ids() -> pa.ChunkedArray:
    return pa.chunked_array([], pa.string())
