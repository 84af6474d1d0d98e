"""The canonical digest of tables: what it depends on, what it does not, and that parquet keeps it."""

import hashlib
import math
import struct
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from frames import KEPT, REFUSED, arrow, column
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.digests import UnsupportedTypeError
from genoplatform.provenance.formats import FORMATS, write_artefact

RELAXED = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.none() | st.text(st.characters(codec="utf-8"), max_size=4)
INTEGERS = st.none() | st.integers(-(2**63), 2**63 - 1)
FLOATS = st.none() | st.floats(width=64)
BOOLEANS = st.none() | st.booleans()
LISTS = st.none() | st.lists(TEXT, max_size=3)


def stored(value, folder):
    path = folder / "table.parquet"
    write_artefact(path, value, FORMATS["parquet"])
    return path


@pytest.mark.parametrize("name", KEPT)
def test_parquet_keeps_the_digest(tmp_path, name):
    digest, path = content_sha256(KEPT[name]), stored(KEPT[name], tmp_path)
    assert content_sha256(pd.read_parquet(path)) == digest
    assert content_sha256(FORMATS["parquet"].read(path)) == digest
    assert content_sha256(pq.read_table(path)) == digest


@pytest.mark.parametrize("name", KEPT)
def test_a_second_round_changes_nothing(tmp_path, name):
    first = pd.read_parquet(stored(KEPT[name], tmp_path))
    second = pd.read_parquet(stored(first, tmp_path))
    assert list(first.dtypes) == list(second.dtypes)
    assert content_sha256(first) == content_sha256(second)


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_come_back_changed_is_neither_hashed_nor_written(tmp_path, name):
    with pytest.raises(UnsupportedTypeError):
        content_sha256(REFUSED[name])
    with pytest.raises(UnsupportedTypeError):
        stored(REFUSED[name], tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", KEPT)
def test_the_digest_leaves_its_input_alone(name):
    value = KEPT[name]
    before = list(value.dtypes) if isinstance(value, pd.DataFrame) else value.schema
    content_sha256(value)
    assert (list(value.dtypes) if isinstance(value, pd.DataFrame) else value.schema) == before


@RELAXED
@given(rows=st.lists(st.tuples(TEXT, INTEGERS, FLOATS, BOOLEANS, LISTS), max_size=6))
def test_parquet_keeps_the_digest_of_any_frame(tmp_path, rows):
    columns = list(zip(*rows, strict=True)) or [[]] * 5
    kinds = ("str", "Int64", "float64", "boolean", object)
    frame = pd.DataFrame(
        {
            f"c{n}": pd.Series(list(values), dtype=kind)
            for n, (values, kind) in enumerate(zip(columns, kinds, strict=True))
        }
    )
    loose = frame.astype({"c0": object, "c1": object, "c3": object})
    for value in (frame, loose):
        FORMATS["parquet"].write(tmp_path / "t.parquet", value)
        assert content_sha256(pd.read_parquet(tmp_path / "t.parquet")) == content_sha256(value)


def by_hand(names, rows, *parts):
    """The digest written out: names and rows, then per column its type, its null mask and its values."""
    names = ",".join(f'"{name}"' for name in names)
    return hashlib.sha256(f"[{rows},[{names}]]".encode() + b"".join(parts)).hexdigest()


def test_the_digest_is_what_it_is_documented_to_be():
    """Worked by hand, so that a change of the definition, which would orphan every recorded version, is noticed."""
    text = by_hand(["a"], 3, b'"string"', b"\0\1\0", struct.pack("<3q", 1, 0, 2), b"xyz")
    assert content_sha256(column(["x", None, "yz"], "str")) == text
    numbers = by_hand(["a"], 2, b'"int64"', b"\0\1", struct.pack("<2q", -5, 0))
    assert content_sha256(column([-5, None], "Int64")) == numbers
    floats = by_hand(["a"], 2, b'"double"', b"\0\1", struct.pack("<2d", -0.0, 0.0))
    assert content_sha256(column([-0.0, np.nan], "float64")) == floats
    flags = by_hand(["a"], 2, b'"bool"', b"\0\0", b"\1\0")
    assert content_sha256(column([True, False], "bool")) == flags
    parts = (b'"list<string>"', b"\0\1\0", struct.pack("<3q", 2, 0, 0), b"\0\0", struct.pack("<2q", 1, 1), b"ab")
    assert content_sha256(column([["a", "b"], None, []])) == by_hand(["a"], 3, *parts)
    assert content_sha256(column([None, None])) == by_hand(["a"], 2, b'"null"', b"\1\1")


def test_encodings_chunks_and_metadata_are_not_content():
    values = ["b", None, "", "a", "b"] * 3
    plain = arrow(values, pa.string())
    chunked = pa.table({"a": pa.chunked_array([values[:1], values[1:2], [], values[2:]], pa.large_string())})
    sliced = pa.table({"a": pa.array(["before", *values, "after"]).slice(1, len(values))})
    same = [
        arrow(values, pa.large_string()),
        arrow(values, pa.string_view()),
        chunked,
        sliced,
        pa.table({"a": plain["a"].dictionary_encode()}),
        pa.table({"a": chunked["a"].dictionary_encode()}),
        plain.replace_schema_metadata({"writer": "another"}),
        column(values, "str"),
        column(values),
        column(values, "category"),
        pd.concat([column(values[:4], "str"), column(values[4:], "str")]),
    ]
    assert {content_sha256(item) for item in same} == {content_sha256(plain)}


def test_chunks_of_lists_are_not_content():
    values = [["a"], [], None, ["b", None, "c"], ["d"]]
    whole = arrow(values, pa.list_(pa.string()))
    parts = pa.chunked_array([values[:2], values[2:3], values[3:]], pa.large_list(pa.large_string()))
    sliced = pa.table({"a": pa.array([["x"], *values, ["y"]]).slice(1, len(values))})
    assert {content_sha256(pa.table({"a": parts})), content_sha256(sliced)} == {content_sha256(whole)}


def test_a_null_list_hides_nothing():
    hidden = pa.ListArray.from_arrays(pa.array([0, 2, 3]), pa.array(["x", "y", "z"]), mask=pa.array([True, False]))
    assert content_sha256(pa.table({"a": hidden})) == content_sha256(arrow([None, ["z"]]))


@pytest.mark.parametrize("rows", [1, 7, 10_000])
def test_row_groups_are_not_content(tmp_path, rows):
    frame = pd.DataFrame({"a": [f"t{n}" for n in range(100)], "b": [[str(n)] * (n % 3) for n in range(100)]})
    path = tmp_path / "t.parquet"
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, row_group_size=rows, compression="gzip")
    assert content_sha256(pd.read_parquet(path)) == content_sha256(frame)
    assert content_sha256(pq.read_table(path)) == content_sha256(frame)


def test_batches_of_a_long_table_do_not_show():
    values = [str(n % 1_000) if n % 7 else None for n in range(150_000)]
    bounds = [0, 1, 65_535, 65_537, 140_000, 150_000]
    chunks = [values[a:b] for a, b in pairwise(bounds)]
    one, many = arrow(values, pa.string()), pa.table({"a": pa.chunked_array(chunks, pa.string())})
    assert content_sha256(one) == content_sha256(many)
    changed = [*values[:-1], "x"]
    assert content_sha256(arrow(changed, pa.string())) != content_sha256(one)


DISTINCT = [
    column([None], "str"),
    column([""], "str"),
    column(["0"], "str"),
    column(["\0"], "str"),
    column(["a", "b"], "str"),
    column(["ab", ""], "str"),
    column(["", "ab"], "str"),
    column(["b", "a"], "str"),
    column(["a", "b", None], "str"),
    column([0], "int64"),
    column([0], "int32"),
    column([0], "uint64"),
    column([None], "Int64"),
    column([0.0], "float64"),
    column([-0.0], "float64"),
    column([np.nan], "float64"),
    column([0.0], "float32"),
    column([np.nextafter(0, 1)], "float64"),
    column([False], "bool"),
    column([True], "bool"),
    column([None], "boolean"),
    column([None]),
    column([[]]),
    column([[None]]),
    column([[""]]),
    column([["0"]]),
    column([[0]]),
    column([["a"], ["b"]]),
    column([["a", "b"], []]),
    column([["a", "b"]]),
    column([["b", "a"]]),
    column([[["a"], ["b"]]]),
    column([[["a", "b"]]]),
    column([["a"], None]),
    pd.DataFrame({"b": ["a", "b"]}),
    pd.DataFrame({"a": ["x"], "b": ["y"]}),
    pd.DataFrame({"b": ["y"], "a": ["x"]}),
    pd.DataFrame({"a": ["y"], "b": ["x"]}),
    pd.DataFrame({"a": [], "b": []}, dtype="str"),
    column([], "str"),
]


def test_every_difference_of_content_is_a_difference_of_digest():
    digests = [content_sha256(frame) for frame in DISTINCT]
    equal = [(a, b) for a, b in combinations(range(len(DISTINCT)), 2) if digests[a] == digests[b]]
    assert [(DISTINCT[a].to_dict("list"), DISTINCT[b].to_dict("list")) for a, b in equal] == []


def test_nan_is_a_missing_value_and_minus_zero_is_not_zero():
    """pandas writes NaN as null and reads null as NaN, so the two cannot be told apart once stored."""
    payload = np.array([0x7FF8000000000123], dtype=np.uint64).view(np.float64)
    missing = {content_sha256(arrow([x], pa.float64())) for x in (None, math.nan, payload[0])}
    assert missing == {content_sha256(column([np.nan], "float64"))}
    assert content_sha256(arrow([0.0])) != content_sha256(arrow([-0.0]))


def test_the_type_of_empty_lists_is_not_content():
    kinds = (pa.string(), pa.int64(), pa.null(), pa.float64())
    assert len({content_sha256(arrow([[], None, []], pa.list_(kind))) for kind in kinds}) == 1


def exactly(value):
    """A key equal for values that are one content: NaN and None are one, 0.0 and -0.0 two, 1 and True two."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, list):
        return ("list", tuple(map(exactly, value)))
    return (type(value), value, math.copysign(1, value) if isinstance(value, float) else 0)


@pytest.mark.parametrize(
    ("values", "kind"),
    [(TEXT, "str"), (INTEGERS, "Int64"), (FLOATS, "float64"), (BOOLEANS, "boolean"), (LISTS, object)],
    ids=["text", "integers", "floats", "booleans", "lists"],
)
def test_digests_are_equal_if_and_only_if_contents_are(values, kind):
    @RELAXED
    @given(one=st.lists(values, max_size=4), other=st.lists(values, max_size=4))
    def check(one, other):
        same = list(map(exactly, one)) == list(map(exactly, other))
        assert (content_sha256(column(one, kind)) == content_sha256(column(other, kind))) == same

    check()


def test_order_of_rows_is_content():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2]})
    assert content_sha256(frame) != content_sha256(frame[::-1].reset_index(drop=True))


def test_attributes_and_the_order_of_categories_are_not_content(tmp_path):
    frame, marked = column(["x", "y"], "str"), column(["x", "y"], "str")
    marked.attrs["made"] = "yesterday"
    assert content_sha256(marked) == content_sha256(frame)
    assert stored(frame, tmp_path).read_bytes() == stored(marked, tmp_path).read_bytes()
    assert marked.attrs == {"made": "yesterday"}
    forward, backward = (
        pd.DataFrame({"a": pd.Categorical(["x", "y"], order)}) for order in (["x", "y"], ["z", "y", "x"])
    )
    assert content_sha256(forward) == content_sha256(backward) == content_sha256(frame)
