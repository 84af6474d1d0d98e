"""Declarations: what is misspelt or cannot run is refused when it is loaded, and names keep their history."""

import hashlib
import re

import pytest
import yaml
from declaring import ASSET, declared

from genoplatform.cohort.schema import CANDIDATE_COLUMNS, CASE_COLUMNS
from genoplatform.dbt_like_checks.declared import DECLARATIONS, DeclaredTest, declared_tables, load_tables, parse_tables
from genoplatform.errors import SettingsError
from genoplatform.inference.case_items import case_items
from genoplatform.prioritisation.ranking import RANK_COLUMNS

COLUMNS = {"s": "string", "i": "int", "f": "float", "b": "bool", "l": "list<string>"}


def on(column, *tests):
    return declared(COLUMNS | {column: (COLUMNS.get(column, "string"), tests)})


WRONG_TESTS = {
    "unknown test 'not_nul'": ("s", "not_nul"),
    "value: Extra inputs": ("s", {"accepted_values": {"value": ["a"]}}),
    "accepted_values of s: values: Field required": ("s", "accepted_values"),
    "accepted_values of s: values: List should have at least 1": ("s", {"accepted_values": {"values": []}}),
    "not_null of s: mostly: Input should be greater than 0": ("s", {"not_null": {"mostly": 0}}),
    "not_null of s: mostly: Input should be less than or equal": ("s", {"not_null": {"mostly": 99}}),
    "not_null of s: severity: Input should be 'warn' or 'error'": ("s", {"not_null": {"severity": "fatal"}}),
    "accepted_range of i: Value error, give a lower bound": ("i", "accepted_range"),
    "5.0 is more than 1.0": ("i", {"accepted_range": {"min": 5, "max": 1}}),
    "give min or above": ("i", {"accepted_range": {"min": 5, "above": 1}}),
    "accepted_range of i: min: Input should be a finite": ("i", {"accepted_range": {"min": float("nan")}}),
    "accepted_range of i: max: Input should be a valid number": ("i", {"accepted_range": {"max": "ten"}}),
    "not a regular expression": ("s", {"matches_regex": {"pattern": "(["}}),
    "list_length of l: min: Input should be greater than or equal to 0": ("l", {"list_length": {"min": -1}}),
    "it cannot test s, a column of string": ("s", {"accepted_range": {"min": 0}}),
    "it cannot test i, a column of int": ("i", {"matches_regex": {"pattern": "1"}}),
    "it cannot test l, a column of list<string>": ("l", "unique"),
    "list_unique_s": ("s", "list_unique"),
    "['1'] cannot be in i, a column of int": ("i", {"accepted_values": {"values": [0, "1"]}}),
    "[True] cannot be in i": ("i", {"accepted_values": {"values": [0, True]}}),
    "[1] cannot be in b": ("b", {"accepted_values": {"values": [1]}}),
    "[0.5] cannot be in i": ("i", {"accepted_values": {"values": [0.5]}}),
    "[1] cannot be in l": ("l", {"accepted_values": {"values": [1]}}),
    "['no'] cannot be in b": ("s", {"not_null": {"where": {"b": "no"}}}),
    "no column 'x'": ("s", {"not_null": {"where": {"x": 1}}}),
    "where l: a list is equal to no single value": ("s", {"not_null": {"where": {"l": "a"}}}),
    "'row_count' belongs to the table": ("s", "row_count"),
    "not_null_s_85e8631a stands there twice": ("s", "not_null", "not_null"),
    "85e8631a stands there twice": ("s", "not_null", {"not_null": {"severity": "warn"}}),
    "'(?=a)b' looks around or back": ("s", {"matches_regex": {"pattern": "(?=a)b"}}),
    "'more than 3' is no threshold": ("s", {"not_null": {"error_if": "more than 3"}}),
    "give mostly, or warn_if and error_if": ("s", {"not_null": {"error_if": "> 3", "mostly": 0.9}}),
    "error_if needs severity error": ("s", {"not_null": {"error_if": "> 3", "severity": "warn"}}),
    "warn_if needs error_if beside it": ("s", {"not_null": {"warn_if": "> 3"}}),
}


@pytest.mark.parametrize("message", WRONG_TESTS)
def test_a_wrong_column_test_is_refused_by_name(message):
    column, *tests = WRONG_TESTS[message]
    with pytest.raises(SettingsError, match=ASSET) as caught:
        on(column, *tests)
    assert message in caught.value.found


WRONG_TABLE_TESTS = {
    "'not_null' belongs to a column": "not_null",
    "row_count of the table: min: Input should be greater": {"row_count": {"min": -1}},
    "1 is more than 0": {"row_count": {"max": 0}},
    "row_count of the table: mostly: Extra inputs": {"row_count": {"mostly": 0.5}},
    "columns: List should have at least 2 items": {"unique_combination": {"columns": ["s"]}},
    "no column 'x'": {"unique_combination": {"columns": ["s", "x"]}},
    "it cannot test l, a column of list<string>": {"unique_combination": {"columns": ["s", "l"]}},
    "columns of the table: where: Extra inputs": {"columns": {"types": {}, "where": {"s": "a"}}},
    "expression of the table: sql: Field required": "expression",
    "no column 'x2'": {"expression": {"sql": "i > x2"}},
    "no function 'read_csv'": {"expression": {"sql": "read_csv('/etc/passwd') is null"}},
    "cannot read ';": {"expression": {"sql": "i > 0; drop table t"}},
    "partitions_present of the table: values: Field required": "partitions_present",
    "keys of stored partitions are texts": {"partitions_present": {"values": [2025]}},
    "min_rows and or_empty need a column": {"partitions_present": {"values": ["a"], "min_rows": 2}},
    "['a'] cannot be in i": {"partitions_present": {"values": ["a"], "column": "i"}},
    "no column 'x3'": {"drift": {"classes": ["x3"]}},
    "no column 'x4'": {"drift": {"keys": ["s+x4"]}},
    "numbers: s is string": {"drift": {"numbers": ["s"]}},
    "a list: l": {"drift": {"keys": ["s+l"]}},
    "drift of the table: psi2: Extra inputs": {"drift": {"psi2": 0.1}},
    "drift of the table: rows_lost: Input should be less than or equal to 1": {"drift": {"rows_lost": 10}},
}


@pytest.mark.parametrize("message", WRONG_TABLE_TESTS)
def test_a_wrong_table_test_is_refused_by_name(message):
    with pytest.raises(SettingsError, match=ASSET) as caught:
        declared(COLUMNS, [WRONG_TABLE_TESTS[message]])
    assert message in caught.value.found


GOOD = {"key": ["s"], "columns": {"s": {"type": "string", "description": "A text"}}}


def column(**changes):
    return GOOD | {"columns": {"s": GOOD["columns"]["s"] | changes}}


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "x",
        {},
        GOOD | {"keys": ["s"]},
        GOOD | {"key": []},
        GOOD | {"key": ["x"]},
        GOOD | {"columns": {}},
        GOOD | {"columns": {"s.t": GOOD["columns"]["s"]}, "key": ["s.t"]},
        GOOD | {"asset": "core/test/other"},
        column(type="text"),
        column(type="list<list<string>>"),
        column(description=""),
        column(descriptions="x"),
        column(tests="not_null"),
        column(tests=[{"not_null": None}]),
        column(tests=[["not_null"]]),
        column(tests=[7]),
    ],
)
def test_what_is_no_declaration_is_refused_by_name(body):
    assert parse_tables({ASSET: GOOD}, "test.yml")
    with pytest.raises(SettingsError, match=ASSET):
        parse_tables({ASSET: body}, "test.yml")


@pytest.mark.parametrize("asset", ["table", "core/table", "core/test/table/more", "Core/test/table", "core//table"])
def test_an_asset_has_layer_domain_and_name(asset):
    with pytest.raises(SettingsError, match=asset):
        parse_tables({asset: GOOD}, "test.yml")


def folder_of(folder, **files):
    for name, content in files.items():
        (folder / f"{name}.yml").write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return folder


def test_files_of_a_folder_make_one_set(tmp_path):
    tables = load_tables(folder_of(tmp_path, a={"core/a/t": GOOD}, b={"core/b/t": GOOD}, c="# nothing yet\n"))
    assert list(tables) == ["core/a/t", "core/b/t"]


def test_a_table_in_two_files_is_refused(tmp_path):
    with pytest.raises(SettingsError, match=r"b\.yml.*core/a/t"):
        load_tables(folder_of(tmp_path, a={"core/a/t": GOOD}, b={"core/a/t": GOOD}))


@pytest.mark.parametrize("text", ["core/a/t: [", "- core/a/t", f"core/a/t: {GOOD}\ncore/a/t: {GOOD}"])
def test_a_file_yaml_would_misunderstand_is_refused(tmp_path, text):
    with pytest.raises(SettingsError, match=r"a\.yml"):
        load_tables(folder_of(tmp_path, a=text))


RELATIONSHIPS = {
    "no declared table 'core/a/x'": {"to": "core/a/x", "field": "s"},
    "core/a/t has no column 'x'": {"to": "core/a/t", "field": "x"},
    "core/a/t has no column 'y'": {"to": "core/a/t", "field": "s", "to_where": {"y": 1}},
    "to_where ['s']": {"to": "core/a/t", "field": "s", "to_where": {"s": 1}},
}


@pytest.mark.parametrize("message", RELATIONSHIPS)
def test_a_relationship_that_leads_nowhere_is_refused(tmp_path, message):
    related = column(tests=[{"relationships": RELATIONSHIPS[message]}])
    with pytest.raises(SettingsError, match="core/b/t") as caught:
        load_tables(folder_of(tmp_path, a={"core/a/t": GOOD}, b={"core/b/t": related}))
    assert message in caught.value.found


def name_of(test, column, **arguments):
    return DeclaredTest.build(ASSET, test, column, arguments).name


def test_a_name_is_test_column_and_eight_hex():
    assert re.fullmatch(r"not_null_s_[0-9a-f]{8}", name_of("not_null", "s"))
    assert re.fullmatch(r"row_count_[0-9a-f]{8}", name_of("row_count", None))


def test_a_name_survives_a_change_of_severity_and_the_writing_out_of_defaults():
    assert name_of("not_null", "s") == name_of("not_null", "s", severity="warn")
    assert name_of("not_null", "s") == name_of("not_null", "s", mostly=1, where={})
    assert name_of("row_count", None) == name_of("row_count", None, min=1)
    assert name_of("accepted_range", "i", min=0) == name_of("accepted_range", "i", min=0.0)


def test_a_name_changes_with_every_argument():
    names = [
        name_of("not_null", "s"),
        name_of("not_null", "t"),
        name_of("unique", "s"),
        name_of("not_null", "s", mostly=0.5),
        name_of("not_null", "s", where={"i": 1}),
        name_of("not_null", "s", where={"i": 2}),
        name_of("not_null", "s", where={"j": 1}),
        name_of("accepted_range", "s", min=0),
        name_of("accepted_range", "s", max=0),
        name_of("accepted_range", "s", above=0),
        name_of("accepted_values", "s", values=["a", "b"]),
        name_of("accepted_values", "s", values=["ab"]),
        name_of("accepted_values", "s", values=["1"]),
        name_of("accepted_values", "s", values=[1]),
        name_of("relationships", "s", to="core/a/t", field="s"),
        name_of("relationships", "s", to="core/a/t", field="s", to_where={"b": True}),
        name_of("relationships", "s", to="core/a/u", field="s"),
    ]
    assert len(set(names)) == len(names)


def test_a_name_is_pinned():
    """Recorded outcomes and Dagster's history hang on it."""
    assert name_of("not_null", "s") == "not_null_s_85e8631a"
    assert hashlib.sha256(b'["not_null","s",{}]').hexdigest()[:8] == "85e8631a"


def test_a_test_says_in_words_what_it_asks():
    said = DeclaredTest.build(ASSET, "accepted_range", "f", {"above": 0, "max": 1, "mostly": 0.99, "where": {"s": "a"}})
    assert said.describe() == "f: above 0, at most 1 where s = a, in at least 0.99 of the rows"
    assert all(test.describe() for table in declared_tables().values() for test in table.declared_tests())


def test_the_shipped_declarations_load_and_ask_the_columns_first():
    tables = declared_tables()
    files = {path.stem for path in DECLARATIONS.glob("*.yml")}
    groups = {"_".join(asset.split("/")[:2]) for asset in tables}
    assert {"core_ontology", "core_cohort", "eval_prioritisation", "eval_inference"} <= files
    assert groups <= files
    for table in tables.values():
        first, *others = table.declared_tests()
        assert first.test == "columns"
        assert others, table.asset


def test_declared_columns_are_those_of_the_code():
    tables = declared_tables()
    assert tuple(tables["core/cohort/cases"].columns) == CASE_COLUMNS
    assert tuple(tables["core/cohort/candidates"].columns) == CANDIDATE_COLUMNS
    assert tuple(tables["eval/prioritisation/ranks"].columns) == RANK_COLUMNS
    doc = case_items.__doc__
    assert all(name in doc for name in tables["eval/inference/items"].columns)
