"""Frames and Arrow tables of every kind the store takes, and of kinds it refuses."""

import numpy as np
import pandas as pd
import pyarrow as pa


def column(values, dtype=object):
    return pd.DataFrame({"a": pd.Series(values, dtype=dtype)})


def arrow(values, kind=None):
    return pa.table({"a": pa.array(values, kind)})


KEPT = {
    "strings": column(["x", None, "", "Bärbel"], "str"),
    "strings as objects": column(["x", None, ""]),
    "strings of only nulls": column([None, None], "str"),
    "objects of only nulls": column([None, None]),
    "no rows": column([]),
    "no rows of strings": column([], "str"),
    "integers": column([1, 0, -1], "int64"),
    "integers with a null, as objects": column([1, None, 0]),
    "nullable integers": column([1, None, 0], "Int64"),
    "nullable integers of only nulls": column([None, None], "Int64"),
    "small integers": column([1, 2], "int8"),
    "large unsigned integers": column([1, 2**64 - 1], "uint64"),
    "large unsigned integers with a null": column([2**64 - 1, None], "UInt64"),
    "booleans": column([True, False], "bool"),
    "booleans with a null, as objects": column([True, None]),
    "nullable booleans": column([True, None, False], "boolean"),
    "nullable booleans of only nulls": column([None], "boolean"),
    "floats": column([1.0, np.nan, -0.0, 0.0, np.inf, -np.inf, 5e-324], "float64"),
    "floats of only nan": column([np.nan], "float64"),
    "floats with a null, as objects": column([1.0, None]),
    "integers among floats, as objects": column([1, 2.5, None]),
    "nullable floats": column([1.0, None], "Float64"),
    "single floats": column([0.1, np.nan], "float32"),
    "half floats": column([0.1, np.nan], "float16"),
    "lists": column([["a"], ["b", "c"], []]),
    "lists and a null": column([["a"], None, []]),
    "empty lists": column([[], []]),
    "lists with a null element": column([["a", None], [None]]),
    "lists of only nulls": column([[None], []]),
    "tuples": column([("a", "b"), ()]),
    "lists as pandas reads them": column([np.array(["a", "b"], dtype=object), np.array([], dtype=object)]),
    "lists of integers": column([[1], [2, 3], []]),
    "lists of floats": column([[1.5, np.nan], [2.0, None], []]),
    "lists of only nan": column([[np.nan], []]),
    "lists of booleans": column([[True, None], [False], []]),
    "lists of lists": column([[["a"], ["b"]], [["a", "b"]], [], [[]]]),
    "lists of lists of one shape": column([[["a", "c"], ["b", "d"]], [["e", "f"], ["g", "h"]]]),
    "categories": column(["x", "y", None], "category"),
    "categories of integers with a null": column([1, None, 2], "category"),
    "categories of only nulls": column([None], "category"),
    "categories of only nulls, with categories": column([None], pd.CategoricalDtype(["x", "y"])),
    "categories without rows": column([], pd.CategoricalDtype(["x", "y"])),
    "column names that are numbers": pd.DataFrame([[1, 2]]),
    "arrow-typed integers": column([1, None], pd.ArrowDtype(pa.int64())),
    "arrow-typed lists": column([["a"], None], pd.ArrowDtype(pa.list_(pa.string()))),
    "an index left over from a filter": pd.DataFrame({"a": [1, 2, 3]}).iloc[1:],
    "arrow integers with a null": arrow([1, None]),
    "arrow small integers with a null": arrow([1, None], pa.int32()),
    "arrow booleans of only nulls": arrow([None], pa.bool_()),
    "arrow floats, nan and null": arrow([1.0, float("nan"), None]),
    "arrow empty lists of strings": arrow([[], []], pa.list_(pa.string())),
    "arrow large lists": arrow([["a"], []], pa.large_list(pa.string())),
    "arrow lists of nan": arrow([[float("nan")]], pa.list_(pa.float64())),
    "arrow dictionary": arrow(["a", None, "b"]).set_column(0, "a", arrow(["a", None, "b"])["a"].dictionary_encode()),
    "arrow string views": arrow(["a", None], pa.string_view()),
    "arrow without rows": arrow([], pa.string()),
}

REFUSED = {
    "dates": pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}),
    "durations": pd.DataFrame({"a": pd.to_timedelta(["1 day"])}),
    "bytes": column([b"x"]),
    "dicts": column([{"x": 1}]),
    "sets": column([{"a", "b"}]),
    "frozen sets after a list": column([["a"], frozenset("b")]),
    "numbers among strings": column([1, "x"]),
    "numbers among booleans": column([True, 2]),
    "integers beyond 64 bits": column([2**70]),
    "no columns": pd.DataFrame(index=range(3)),
    "complex numbers": column([1j], "complex128"),
    "any object": column([object()]),
    "lists among strings": column([["a"], "a"]),
    "lists of integers with a null": column([[1, None], [2]]),
    "lists of lists of integers with a null": column([[[1], [None, 2]]]),
    "lists of bytes": column([[b"x"]]),
    "a named index": pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="gene")),
    "an index of two levels": pd.DataFrame({"a": [1]}, index=pd.MultiIndex.from_tuples([(1, 2)])),
    "two columns of one name": pd.DataFrame([[1, 2]], columns=["a", "a"]),
    "two columns of one text": pd.DataFrame([[1, 2]], columns=[0, "0"]),
    "arrow decimals": arrow([1], pa.decimal128(5)),
    "arrow structures": arrow([{"x": 1}]),
    "arrow columns of one name": pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]),
}
