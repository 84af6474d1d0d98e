"""Every word of the vocabulary: it fails on a bad table, names the bad rows, and passes on a good one."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from declaring import ASSET, declared, frame_of, outcomes_of

from genoplatform.dbt_like_checks.declared import DeclaredTest
from genoplatform.dbt_like_checks.run_tests import FRAME_BYTES, Around, run_tests
from genoplatform.dbt_like_checks.vocabulary import VOCABULARY

OTHER = pd.DataFrame(
    {"id": ["a", "b", "old", None], "current": [True, True, False, True], "ids": [["a"], ["b", "c"], [], None]}
)


def load(asset, columns):
    assert asset == "core/test/other"
    return OTHER[columns]


# A table that fits is tested as a frame, a larger one in SQL: both must say the same.
BOTH = pytest.mark.parametrize("frame_bytes", [FRAME_BYTES, -1], ids=["frame", "sql"])


# test, column type, arguments, values that pass, values that fail, rows that fail
ON_COLUMNS = [
    ("not_null", "string", {}, ["a", ""], ["a", None, "c", None], [1, 3]),
    ("not_null", "int", {}, [0, 1], [0, None], [1]),
    ("not_null", "float", {}, [0.0, np.inf], [np.nan, 1.0], [0]),
    ("not_null", "bool", {}, [False], [None, False], [0]),
    ("not_null", "list<string>", {}, [["a"], [""]], [["a"], [], None, ["b", None]], [1, 2, 3]),
    ("unique", "string", {}, ["a", "A", None, None], ["a", "b", "a", None], [0, 2]),
    ("unique", "int", {}, [1, 2, None, None], [1, 1, 2, 1], [0, 1, 3]),
    ("unique", "float", {}, [0.1, 0.2], [0.0, -0.0], [0, 1]),
    ("accepted_values", "string", {"values": ["a", ""]}, ["a", "", None], ["a", "b", " a"], [1, 2]),
    ("accepted_values", "int", {"values": [0, 1]}, [0, 1, None], [0, 2, -1], [1, 2]),
    ("accepted_values", "float", {"values": [0, 0.5]}, [0.0, 0.5, np.nan], [0.5000001], [0]),
    ("accepted_values", "bool", {"values": [True]}, [True, None], [True, False], [1]),
    ("accepted_values", "list<string>", {"values": ["a", "b"]}, [["a", "b"], [], None], [["a", "c"], ["b"]], [0]),
    ("accepted_range", "int", {"min": 0, "max": 49}, [0, 49, None], [-1, 50, 3], [0, 1]),
    ("accepted_range", "float", {"above": 0, "max": 1}, [1e-300, 1.0, np.nan], [0.0, 1.0, 1.0000001], [0, 2]),
    ("accepted_range", "float", {"min": 0, "below": 1}, [0.0, 0.9999999], [1.0, -1e-9, np.inf], [0, 1, 2]),
    ("accepted_range", "float", {"min": 0}, [0.0, np.inf], [-np.inf], [0]),
    ("matches_regex", "string", {"pattern": r"HP:\d{7}"}, ["HP:0000001", None], ["xHP:0000001", "HP:00000012"], [0, 1]),
    ("matches_regex", "string", {"pattern": r"^HP:\d$"}, ["HP:1"], ["HP:1\n", "HP:1", "\nHP:1"], [0, 2]),
    ("matches_regex", "string", {"pattern": "a|b"}, ["a", "b"], ["ab", "xa", "bx"], [0, 1, 2]),
    ("matches_regex", "string", {"pattern": r"(PMID:\d+)?"}, ["", "PMID:1"], ["PMID:", " "], [0, 1]),
    ("matches_regex", "list<string>", {"pattern": "a|b"}, [["a", "b"], [], None], [["a", "ab"], ["b"], ["\n"]], [0, 2]),
    ("relationships", "string", {"to": "core/test/other", "field": "id"}, ["a", "old", None], ["a", "c", ""], [1, 2]),
    ("relationships", "string", {"to": "core/test/other", "field": "ids"}, ["a", "c"], ["d"], [0]),
    (
        "relationships",
        "string",
        {"to": "core/test/other", "field": "id", "to_where": {"current": True}},
        ["a", "b"],
        ["a", "old"],
        [1],
    ),
    (
        "relationships",
        "list<string>",
        {"to": "core/test/other", "field": "id"},
        [["a", "b"], [], None],
        [["a"], ["b", "c"]],
        [1],
    ),
    (
        "list_length",
        "list<string>",
        {"min": 1, "max": 2},
        [["a"], ["a", "a"]],
        [[], ["a"], ["a", "b", "c"], None],
        [0, 2, 3],
    ),
    ("list_length", "list<string>", {"min": 0, "max": 1}, [[], None, ["a"]], [["a", "b"]], [0]),
    ("list_length", "list<string>", {}, [["a"], ["a"] * 99], [["a"], []], [1]),
    ("list_unique", "list<string>", {}, [["a", "b"], ["a"], [], None], [["a", "b", "a"], ["a"], ["b", "b"]], [0, 2]),
]


@BOTH
@pytest.mark.parametrize(("test", "kind", "arguments", "good", "bad", "rows"), ON_COLUMNS)
def test_a_column_test(tmp_path, test, kind, arguments, good, bad, rows, frame_bytes):
    table = declared({"x": (kind, [{test: arguments}])})
    passed = outcomes_of(tmp_path, table, frame_of(table, x=good), load, frame_bytes=frame_bytes)[test, "x"]
    assert (passed.passed, passed.failing.tolist(), passed.tested, passed.detail) == (True, [], len(good), "")
    failed = outcomes_of(tmp_path, table, frame_of(table, x=bad), load, frame_bytes=frame_bytes)[test, "x"]
    assert (failed.passed, failed.failing.tolist(), failed.tested) == (False, rows, len(bad))
    assert failed.detail.startswith(f"{len(rows)} of {len(bad)} rows fail")


ON_TABLES = [
    ("unique_combination", {"columns": ["x", "y"]}, (["a", "a"], [1, 2]), (["a", "b", "a"], [1, 1, 1]), [0, 2]),
    ("unique_combination", {"columns": ["x", "y"]}, (["a", "a"], [None, 1]), (["a", "a"], [None, None]), [0, 1]),
    ("row_count", {}, (["a"], [1]), ([], []), []),
    ("row_count", {"min": 2, "max": 2}, (["a", "a"], [1, 1]), (["a"] * 3, [1] * 3), []),
    ("row_count", {"min": 0, "max": 1, "where": {"x": "a"}}, (["a", "b", "b"], [1] * 3), (["a", "a"], [1, 1]), []),
    ("expression", {"sql": "y > 0 and x in ('a', 'it''s')"}, (["a", "it's"], [1, 2]), (["a", "b"], [0, 1]), [0, 1]),
    ("expression", {"sql": "y >= 0"}, (["a", "a"], [None, 0]), (["a", "a"], [None, -1]), [1]),
    ("expression", {"sql": "y = 1", "where": {"x": "a"}}, (["a", "b"], [1, 2]), (["b", "a"], [1, 2]), [1]),
    ("expression", {"sql": "length(x) = y"}, (["a", "bb"], [1, 2]), (["a", "bb"], [1, 3]), [1]),
    ("partitions_present", {"values": ["a", "b"], "column": "x"}, (["b", "a"], [1, 1]), (["b", "c"], [1, 1]), []),
    ("partitions_present", {"values": [1], "column": "y", "min_rows": 2}, (["a"] * 2, [1, 1]), (["a"], [1]), []),
    ("partitions_present", {"values": ["a"], "column": "x", "or_empty": True}, ([], []), (["b"], [1]), []),
]


@BOTH
@pytest.mark.parametrize(("test", "arguments", "good", "bad", "rows"), ON_TABLES)
def test_a_table_test(tmp_path, test, arguments, good, bad, rows, frame_bytes):
    table = declared({"x": "string", "y": "int"}, [{test: arguments}])
    passed = outcomes_of(tmp_path, table, frame_of(table, x=good[0], y=good[1]), frame_bytes=frame_bytes)[test, None]
    assert (passed.passed, passed.failing.tolist()) == (True, [])
    failed = outcomes_of(tmp_path, table, frame_of(table, x=bad[0], y=bad[1]), frame_bytes=frame_bytes)[test, None]
    assert (failed.passed, failed.failing.tolist()) == (False, rows)
    assert failed.detail


def test_every_word_of_the_vocabulary_is_shown_to_fail():
    elsewhere = {"columns", "drift"}  # below, and in test_drift.py
    assert {case[0] for case in (*ON_COLUMNS, *ON_TABLES)} | elsewhere == set(VOCABULARY)


def test_partitions_of_the_store_are_asked_for_outside_runs_of_one(tmp_path):
    table = declared({"x": "string"}, [{"partitions_present": {"values": ["standard", "hard"]}}])
    path = tmp_path / "standard.parquet"
    frame_of(table, x=["a"]).to_parquet(path)
    (test,) = (item for item in table.declared_tests() if item.test == "partitions_present")

    def found(**around):
        outcome = run_tests(path, table, [test], Around(**around))[test.name]
        return outcome.passed, outcome.detail, [item["partition"] for item in outcome.examples]

    assert found(stored=["standard", "hard"]) == (True, "", [])
    assert found(stored=["standard"]) == (False, "missing in the store: hard", ["hard"])
    assert found(stored=["standard"], partition="standard")[0], "another run makes the other one"


THRESHOLDS = [
    ({"error_if": "> 2"}, 2, (True, None)),
    ({"error_if": "> 2"}, 3, (False, "error")),
    ({"error_if": "> 2", "warn_if": "> 0"}, 1, (False, "warn")),
    ({"error_if": "> 2", "warn_if": ">0"}, 0, (True, None)),
    ({"error_if": ">= 30 %", "warn_if": "!= 0"}, 3, (False, "error")),
    ({"error_if": ">= 30 %", "warn_if": "!= 0"}, 2, (False, "warn")),
    ({"warn_if": "> 10%", "severity": "warn"}, 1, (True, None)),
    ({"warn_if": "> 10%", "severity": "warn"}, 2, (False, "warn")),
    ({"error_if": "== 1"}, 1, (False, "error")),
    ({"error_if": "= 1"}, 2, (True, None)),
]


@BOTH
@pytest.mark.parametrize(("arguments", "failing", "expected"), THRESHOLDS)
def test_thresholds_judge_the_failing_rows_of_ten(tmp_path, arguments, failing, expected, frame_bytes):
    table = declared({"x": ("string", [{"accepted_values": {"values": ["a"], **arguments}}])})
    frame = frame_of(table, x=["b"] * failing + ["a"] * (10 - failing))
    outcome = outcomes_of(tmp_path, table, frame, frame_bytes=frame_bytes)["accepted_values", "x"]
    assert (outcome.passed, outcome.severity, outcome.failing_rows) == (*expected, failing)


def test_failing_rows_are_counted_in_full_and_named_in_part(tmp_path):
    table = declared({"x": ("int", [{"accepted_range": {"min": 0}}])})
    frame = frame_of(table, x=[-1] * 2_500)
    for frame_bytes in (FRAME_BYTES, -1):
        outcome = outcomes_of(tmp_path, table, frame, frame_bytes=frame_bytes)["accepted_range", "x"]
        assert (outcome.failing_rows, outcome.failing.tolist()) == (2_500, list(range(1_000)))


COLUMNS = {"s": "string", "i": "int", "f": "float", "b": "bool", "l": "list<string>"}
GOOD = {"s": ["a"], "i": pd.array([1], "Int64"), "f": [0.5], "b": [True], "l": [["a"]]}


def columns_outcome(folder, frame):
    return outcomes_of(folder, declared(COLUMNS), frame)["columns", None]


def test_the_declared_columns_pass(tmp_path):
    assert columns_outcome(tmp_path, pd.DataFrame(GOOD)).passed
    assert columns_outcome(tmp_path, pd.DataFrame(GOOD).iloc[:0]).passed
    nothing = pd.DataFrame({name: pd.Series([None, None], dtype=object) for name in COLUMNS})
    assert columns_outcome(tmp_path, nothing).passed
    assert columns_outcome(tmp_path, pd.DataFrame(GOOD | {"l": [[]]})).passed
    assert columns_outcome(tmp_path, pd.DataFrame(GOOD | {"i": np.array([1], "int8"), "f": np.array([1], "f4")})).passed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"s": [1]}, "s: declared string, found int"),
        ({"s": [["a"]]}, "s: declared string, found list<string>"),
        ({"i": ["1"]}, "i: declared int, found string"),
        ({"i": [1.0]}, "i: declared int, found float"),
        ({"f": [1]}, "f: declared float, found int"),
        ({"b": [1]}, "b: declared bool, found int"),
        ({"l": ["a"]}, "l: declared list<string>, found string"),
        ({"l": [[1]]}, "l: declared list<string>, found list<int>"),
        ({"s": [[]]}, "s: declared string, found list<null>"),
        ({"x": ["a"]}, "undeclared ['x']"),
        ({"s": None}, "missing ['s']"),
    ],
)
def test_other_columns_fail(tmp_path, changes, message):
    frame = pd.DataFrame({name: value for name, value in (GOOD | changes).items() if value is not None})
    outcome = columns_outcome(tmp_path, frame)
    assert not outcome.passed
    assert outcome.detail == message


def test_another_order_of_columns_fails(tmp_path):
    outcome = columns_outcome(tmp_path, pd.DataFrame(GOOD)[list(reversed(GOOD))])
    assert not outcome.passed
    assert outcome.detail == "order ['l', 'b', 'f', 'i', 's']"


def test_types_arrow_has_and_declarations_have_not_fail(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"s": pa.array([0], pa.timestamp("ms"))}), path)
    table = declared({"s": "string"})
    outcome = run_tests(path, table, table.declared_tests())
    assert [item.detail for item in outcome.values()] == ["s: declared string, found timestamp[ms]"]


EVERY = {
    "s": (
        "string",
        ["not_null", "unique", {"accepted_values": {"values": ["a"]}}, {"matches_regex": {"pattern": "a"}}],
    ),
    "i": ("int", ["not_null", "unique", {"accepted_values": {"values": [1]}}, {"accepted_range": {"min": 0}}]),
    "f": ("float", ["not_null", "unique", {"accepted_values": {"values": [0.5]}}, {"accepted_range": {"above": 0}}]),
    "b": ("bool", ["not_null", "unique", {"accepted_values": {"values": [True]}}]),
    "l": (
        "list<string>",
        ["not_null", {"accepted_values": {"values": ["a"]}}, "list_unique", {"list_length": {"min": 0}}],
    ),
}
TOGETHER = [{"unique_combination": {"columns": [a, b]}} for a, b in pairwise("sifb")]


@pytest.mark.parametrize("typed", [True, False])
def test_an_all_null_column_fails_only_not_null(tmp_path, typed):
    """Nothing is there, so nothing is wrong; whatever parquet type stands for nothing."""
    table = declared(EVERY, TOGETHER)
    values = {name: [None, None] for name in EVERY}
    frame = (
        frame_of(table, **values) if typed else pd.DataFrame({n: pd.Series(v, dtype=object) for n, v in values.items()})
    )
    found = outcomes_of(tmp_path, table, frame)
    failed = {place for place, outcome in found.items() if not outcome.passed}
    assert failed == {("not_null", name) for name in EVERY}
    assert all(found["not_null", name].failing.tolist() == [0, 1] for name in EVERY)


def test_an_empty_table_passes_every_test_of_rows(tmp_path):
    table = declared(EVERY, [*TOGETHER, "row_count"])
    found = outcomes_of(tmp_path, table, frame_of(table, **{name: [] for name in EVERY}))
    assert {place for place, outcome in found.items() if not outcome.passed} == {("row_count", None)}


@pytest.mark.parametrize(("mostly", "passed"), [(0.75, True), (0.7501, False), (1.0, False), (0.0001, True)])
@pytest.mark.parametrize("kind", ["string", "list<string>"])
def test_mostly_is_the_share_of_rows_that_must_pass(tmp_path, mostly, passed, kind):
    table = declared({"x": (kind, [{"accepted_values": {"values": ["a"], "mostly": mostly}}])})
    values = ["a", "b", "a", "a"] if kind == "string" else [["a"], ["b"], ["a"], []]
    outcome = outcomes_of(tmp_path, table, frame_of(table, x=values))["accepted_values", "x"]
    assert (outcome.passed, outcome.failing.tolist(), outcome.tested) == (passed, [1], 4)
    assert "1 of 4 rows fail (25.0000%)" in outcome.detail


WHERE = [
    ("string", "a", ["a", "b", None, "a"]),
    ("int", 1, [1, 2, None, 1]),
    ("float", 0.5, [0.5, 1.0, np.nan, 0.5]),
    ("float", 1, [1.0, 0.5, np.nan, 1.0]),
    ("bool", False, [False, True, None, False]),
]


@pytest.mark.parametrize(("kind", "value", "values"), WHERE)
@pytest.mark.parametrize("on", ["string", "list<string>"])
def test_where_keeps_the_rows_that_equal_its_values_and_names_rows_of_the_whole_table(
    tmp_path, kind, value, values, on
):
    table = declared({"w": kind, "x": (on, [{"not_null": {"where": {"w": value}}}])})
    cells = ["there", None, None, None] if on == "string" else [["there"], [], None, []]
    outcome = outcomes_of(tmp_path, table, frame_of(table, w=values, x=cells))["not_null", "x"]
    assert (outcome.passed, outcome.failing.tolist(), outcome.tested) == (False, [3], 2)


def test_where_of_several_columns_and_of_none_that_match(tmp_path):
    tests = [{"unique": {"where": {"w": "a", "v": 1}}}]
    table = declared({"x": ("int", tests), "w": "string", "v": "int"})
    found = outcomes_of(tmp_path, table, frame_of(table, x=[1, 1, 1], w=["a", "a", "b"], v=[1, 1, 1]))
    assert found["unique", "x"].failing.tolist() == [0, 1]
    assert outcomes_of(tmp_path, table, frame_of(table, x=[1, 1], w=["a", "a"], v=[2, 1]))["unique", "x"].passed
    nothing = outcomes_of(tmp_path, table, frame_of(table, x=[1, 1], w=["b", "b"], v=[1, 1]))["unique", "x"]
    assert (nothing.passed, nothing.tested) == (True, 0)


def test_tests_with_different_filters_run_side_by_side(tmp_path):
    filters = [{"where": {"w": "a"}}, {"where": {"w": "b"}}, {}]
    table = declared({"w": "string", "x": ("string", [{"not_null": item} for item in filters])})
    path = tmp_path / "t.parquet"
    frame_of(table, w=["a", "b", "b"], x=["there", None, "there"]).to_parquet(path)
    found = run_tests(path, table, table.declared_tests()[1:])
    assert [outcome.failing.tolist() for outcome in found.values()] == [[], [1], [1]]


def test_a_test_on_a_missing_column_fails_and_says_so(tmp_path):
    table = declared(
        EVERY | {"w": "string"}, [*TOGETHER, {"row_count": {"where": {"w": "a"}}}, {"row_count": {"min": 1}}]
    )
    found = outcomes_of(tmp_path, table, pd.DataFrame({"other": [1]}), tests=table.declared_tests()[:-1])
    assert all(not outcome.passed for outcome in found.values())
    assert found["not_null", "l"].detail == "not run: there is no column 'l'"
    assert "there is no column 'w'" in found["row_count", None].detail
    assert "missing" in found["columns", None].detail


def test_a_test_on_a_column_of_another_type_fails_and_says_so(tmp_path):
    """A range over text would crash, and a crash would hide what is wrong with the table."""
    table = declared(EVERY)
    found = outcomes_of(tmp_path, table, pd.DataFrame({"s": [1], "i": ["x"], "f": ["y"], "b": ["z"], "l": ["w"]}))
    assert all(not outcome.passed for outcome in found.values())
    assert found["accepted_range", "i"].detail == "not run: i holds string, not int"
    assert found["not_null", "l"].detail == "not run: l holds string, not list<string>"


def test_files_of_other_writers_are_tested_by_position(tmp_path):
    """A pandas index, integers read as floats, dictionaries: the rows named are rows of the file."""
    path = tmp_path / "t.parquet"
    frame = pd.DataFrame({"x": [1, None, 1], "s": pd.Categorical(["a", "b", "c"])}, index=["r", "s", "t"])
    schema = pa.schema(
        [("x", pa.int64()), ("s", pa.dictionary(pa.int8(), pa.string())), ("__index_level_0__", pa.string())]
    )
    pq.write_table(pa.Table.from_pandas(frame, schema=schema), path)
    table = declared({"x": ("int", ["unique", "not_null"]), "s": ("string", [{"accepted_values": {"values": ["a"]}}])})
    found = run_tests(path, table, table.declared_tests()[1:])
    assert [outcome.failing.tolist() for outcome in found.values()] == [[0, 2], [1], [1, 2]]


def test_a_crash_is_not_a_failure(tmp_path):
    """A range over text, past the refusal at load: Great Expectations raises inside, and so does the run."""
    table = declared({"x": "string"})
    crashing = [DeclaredTest.build(ASSET, "accepted_range", "x", {"min": 0})]
    with pytest.raises(RuntimeError, match=r"accepted_range_x_\w+ crashed"):
        outcomes_of(tmp_path, table, frame_of(table, x=["a"]), tests=crashing)


def test_a_relationship_whose_table_cannot_be_read_is_a_crash(tmp_path):
    def broken(asset, columns):
        raise OSError("disk")

    table = declared({"x": ("string", [{"relationships": {"to": "core/test/other", "field": "id"}}])})
    with pytest.raises(OSError, match="disk"):
        outcomes_of(tmp_path, table, frame_of(table, x=["a"]), broken)
