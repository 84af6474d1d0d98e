"""The typed formats: what each takes and refuses, and that equal content gives equal bytes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.digests import UnsupportedTypeError, file_sha256
from genoplatform.provenance.formats import FORMATS, format_of, write_artefact
from genoplatform.provenance.layout import artefact_path, store_root

VALUES = {
    "parquet": pd.DataFrame(
        {"id": ["b", "a", None], "n": pd.array([1, None, 3], dtype="Int64"), "l": [["x"], [], None]}
    ),
    "json": {"b": [1, 2], "a": {"é": None}},
    "npz": {"scores": np.arange(5.0), "allow_pickle": np.array([True]), "file": np.array(["x"])},
    "tables": {"one": pd.DataFrame({"x": [1.5]}), "two": pd.DataFrame({"y": ["a"]})},
    "directory": {"index.html": b"<html>", "img/p.png": b"\x89PNG"},
}


def written(folder, kind, value):
    path = folder / f"value{FORMATS[kind].suffix}"
    write_artefact(path, value, FORMATS[kind])
    return path


@pytest.mark.parametrize("kind", VALUES)
def test_same_content_same_bytes(tmp_path, kind):
    first, second = (written(tmp_path / place, kind, VALUES[kind]) for place in ("a", "b"))
    assert file_sha256(first) == file_sha256(second)


def test_same_bytes_in_another_process_with_another_hash_seed(tmp_path):
    """Neither the clock nor the order of sets and dicts gets into a file."""
    here = [file_sha256(written(tmp_path, kind, value)) for kind, value in VALUES.items()]
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "import test_formats as t; from genoplatform.provenance.digests import file_sha256\n"
        "for kind, value in t.VALUES.items(): print(file_sha256(t.written(pathlib.Path(sys.argv[2]), kind, value)))"
    )
    arguments = [sys.executable, "-c", code, str(Path(__file__).parent), str(tmp_path / "other")]
    other = subprocess.run(
        arguments, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "7"}
    )
    assert other.stdout.split() == here


@pytest.mark.parametrize("kind", VALUES)
def test_what_is_read_is_what_was_written(tmp_path, kind):
    path = written(tmp_path, kind, VALUES[kind])
    assert format_of(path).name == kind
    assert content_sha256(FORMATS[kind].read(path)) == content_sha256(VALUES[kind])


def test_order_of_members_does_not_show_in_the_bytes(tmp_path):
    for kind in ("json", "npz", "tables", "directory"):
        turned = dict(reversed(VALUES[kind].items()))
        assert file_sha256(written(tmp_path / "b", kind, turned)) == file_sha256(written(tmp_path, kind, VALUES[kind]))


def test_chunks_do_not_show_in_the_bytes(tmp_path):
    whole = VALUES["parquet"]
    parts = pd.concat([whole.iloc[:1], whole.iloc[1:]], ignore_index=True)
    assert written(tmp_path / "a", "parquet", parts).read_bytes() == written(tmp_path, "parquet", whole).read_bytes()


WRONG = {
    "parquet": [{"a": 1}, [1], None, "x", pd.Series([1]), {}],
    "json": [pd.DataFrame({"a": [1]}), {"a": float("nan")}, {"a": {1}}, b"x", np.int64(1)],
    "npz": [{}, [np.ones(1)], {"a": [1]}, np.ones(1), {"": np.ones(1)}, {"a/b": np.ones(1)}, {1: np.ones(1)}],
    "tables": [{}, {"a": 1}, pd.DataFrame({"a": [1]}), {"../a": VALUES["parquet"]}, {"a/b": VALUES["parquet"]}],
    "directory": [{}, {"a": "text"}, b"x", {"../a": b""}, {"/a": b""}, {"a/../b": b""}, {"a//b": b""}, {"a\n\tb": b""}],
}
WRONG["directory"] += [{"./a": b""}, {".": b""}, {"..": b""}, {"a/": b""}, {"": b""}, {"a\\b": b""}, {1: b""}]


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind, values in WRONG.items() for value in values])
def test_a_wrong_value_is_refused_and_leaves_nothing(tmp_path, kind, value):
    with pytest.raises(UnsupportedTypeError):
        written(tmp_path / "store", kind, value)
    assert list(tmp_path.rglob("*")) == [tmp_path / "store"]


def test_nothing_is_ever_pickled(tmp_path):
    path = tmp_path / "evil.npz"
    np.savez(path, x=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        FORMATS["npz"].read(path)["x"]


def test_the_format_is_known_by_the_suffix(tmp_path):
    for kind, item in FORMATS.items():
        assert format_of(tmp_path / f"name{item.suffix}").name == kind
    with pytest.raises(UnsupportedTypeError, match="pkl"):
        format_of(tmp_path / "name.pkl")
    (tmp_path / "release-1.2").mkdir()
    assert format_of(tmp_path / "release-1.2").name == "directory"


def test_where_artefacts_lie(tmp_path):
    root = store_root(tmp_path, "embedded")
    assert root == tmp_path / "store" / "embedded"
    assert artefact_path(root, "core/cohort/cases", None, "parquet") == root / "core/cohort/cases.parquet"
    assert artefact_path(root, "core/cohort/lists", "v1.5", "parquet") == root / "core/cohort/lists/v1.5.parquet"
    assert artefact_path(root, "out/report/page", None, "directory") == root / "out/report/page"


def test_arrow_tables_of_any_chunking_give_the_same_bytes(tmp_path):
    one = pa.table({"a": pa.chunked_array([["x"] * 10, ["y"] * 5])})
    other = pa.table({"a": pa.chunked_array([["x"] * 3, ["x"] * 7 + ["y"] * 5])})
    assert written(tmp_path / "a", "parquet", one).read_bytes() == written(tmp_path, "parquet", other).read_bytes()
