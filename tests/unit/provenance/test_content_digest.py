"""Data versions of values that are no single table: JSON, arrays, files, several tables."""

import hashlib
from collections import OrderedDict
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.digests import UnsupportedTypeError, canonical_json, file_sha256, tree_bytes, tree_sha256
from genoplatform.provenance.formats import FORMATS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def round_trip(kind, value, folder):
    path = folder / f"value{FORMATS[kind].suffix}"
    FORMATS[kind].write(path, value)
    return FORMATS[kind].read(path)


def test_json_is_sorted_compact_utf8():
    assert canonical_json({"b": [1, 2.0, None], "a": "é"}) == '{"a":"é","b":[1,2.0,null]}'.encode()
    assert content_sha256({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        {"a": {1, 2}},
        object(),
        b"x",
        {"a": b"x", "b": 1},
        {1: "a", "b": 2},
        "\ud800",
        {("a",): 1},
    ],
)
def test_json_refuses_what_it_cannot_hold(value):
    with pytest.raises(UnsupportedTypeError):
        content_sha256(value)


@given(JSON)
def test_json_comes_back_with_its_digest(tmp_path_factory, value):
    assert content_sha256(round_trip("json", value, tmp_path_factory.mktemp("json"))) == content_sha256(value)


def test_order_of_keys_is_not_content_and_order_of_lists_is():
    assert content_sha256({"a": 1, "b": 2}) == content_sha256(OrderedDict(b=2, a=1))
    assert content_sha256([1, 2]) != content_sha256([2, 1])
    assert len({content_sha256(value) for value in (1, 1.0, True, "1", [1], None, {}, [], "")}) == 9


ARRAYS = {
    "integers": np.arange(6, dtype=np.int32).reshape(2, 3),
    "fortran order": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "a view": np.arange(20)[::3],
    "one number": np.array(5.0),
    "empty": np.empty((0, 3), dtype=np.float32),
    "text": np.array(["a", "bcd"]),
    "nan": np.array([np.nan, -0.0]),
    "flags": np.array([True, False]),
    "big endian": np.array([1, 2], dtype=">i4"),
    "complex": np.array([1j]),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_come_back_with_their_digest(tmp_path, name):
    value = {"x": ARRAYS[name], "y": np.array([1])}
    assert content_sha256(round_trip("npz", value, tmp_path)) == content_sha256(value)


def test_arrays_differ_by_name_shape_type_and_value():
    values = [
        {"x": np.array([1, 2])},
        {"y": np.array([1, 2])},
        {"x": np.array([[1, 2]])},
        {"x": np.array([[1], [2]])},
        {"x": np.array([1.0, 2.0])},
        {"x": np.array([2, 1])},
        {"x": np.array(1)},
        {"x": np.array([1])},
        {"x": np.array([1]), "y": np.array([2])},
    ]
    assert len({content_sha256(value) for value in values}) == len(values)
    assert content_sha256({"x": np.zeros((2, 3), order="F")}) == content_sha256({"x": np.zeros((2, 3))})
    assert content_sha256({"a": np.ones(1), "b": np.ones(2)}) == content_sha256({"b": np.ones(2), "a": np.ones(1)})


def test_object_arrays_are_never_pickled(tmp_path):
    value = {"x": np.array(["a", None], dtype=object)}
    with pytest.raises(UnsupportedTypeError):
        content_sha256(value)
    with pytest.raises(UnsupportedTypeError):
        round_trip("npz", value, tmp_path)


def test_tables_come_back_with_their_digest(tmp_path):
    value = {"b": pd.DataFrame({"x": [["a"], []]}), "a.1": pd.DataFrame({"y": pd.array([1, None], dtype="Int64")})}
    assert content_sha256(round_trip("tables", value, tmp_path)) == content_sha256(value)
    assert content_sha256(dict(reversed(value.items()))) == content_sha256(value)
    assert content_sha256({"c": value["b"], "a.1": value["a.1"]}) != content_sha256(value)


FILES = {"index.html": b"<p>", "plots/a.png": b"\x89PNG", "plots/b/c.txt": b""}


def test_files_have_the_digest_of_the_directory_they_make(tmp_path):
    path = round_trip("directory", FILES, tmp_path)
    assert content_sha256(path) == content_sha256(FILES) == tree_sha256(path) == file_sha256(path)
    lines = "".join(f"{name}\t{hashlib.sha256(FILES[name]).hexdigest()}\n" for name in sorted(FILES))
    assert content_sha256(FILES) == hashlib.sha256(lines.encode()).hexdigest()
    assert tree_bytes(path) == sum(map(len, FILES.values()))


def test_directories_differ_by_name_content_and_place(tmp_path):
    variants = [
        FILES,
        {**FILES, "index.html": b"<p> "},
        {"index.htm": b"<p>", **{k: v for k, v in FILES.items() if k != "index.html"}},
        {"index.html": b"<p>", "plots/a.png": b"\x89PNG", "plots/c.txt": b""},
        {**FILES, ".hidden": b""},
    ]
    assert len({content_sha256(value) for value in variants}) == len(variants)


def test_a_file_digest_is_that_of_its_bytes(tmp_path):
    path = tmp_path / "big"
    path.write_bytes(b"x" * 3_000_001)
    assert file_sha256(path) == content_sha256(path) == hashlib.sha256(b"x" * 3_000_001).hexdigest()
    assert tree_bytes(path) == 3_000_001


@pytest.mark.parametrize("value", [MappingProxyType({"a": 1}), {"a": pd.DataFrame({"x": [1]}), "b": 1}, np.array([1])])
def test_other_types_are_refused(value):
    with pytest.raises(UnsupportedTypeError):
        content_sha256(value)
