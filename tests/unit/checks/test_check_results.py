"""Checks on a store: what is recorded, kept and reported, and what a Dagster run makes of it."""

import dagster as dg
import pandas as pd
import pytest
from declaring import ASSET, declared, frame_of

from genoplatform.dbt_like_checks import run_tests as running
from genoplatform.dbt_like_checks.compile import table_checks
from genoplatform.dbt_like_checks.results import SHOWN_KEYS, check_results
from genoplatform.dbt_like_checks.stored import KEPT_KEYS, failures_path, stored_partitions
from genoplatform.provenance import file_sha256, read_sidecar
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import checks_path, read_checks, sidecar_path
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import Envelope, IntegrityError, store_io_managers, write_with_provenance

TABLE = declared(
    {"id": ("string", ["unique", {"not_null": {"severity": "warn"}}]), "n": ("int", [{"accepted_range": {"min": 0}}])},
    ["row_count"],
)
TESTS = {test.test: test for test in TABLE.declared_tests()}


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path / "home"), profile="embedded", offline=True)


def frame(ids, numbers=None):
    return frame_of(TABLE, id=ids, n=list(range(len(ids))) if numbers is None else numbers)


def put(platform, value, partition=None, asset=ASSET):
    path = platform.artefact(asset, partition, "parquet")
    envelope = Envelope(value=value, data_version=content_sha256(value), code_version="1")
    write_with_provenance(path, FORMATS["parquet"], asset, partition, envelope)
    return path


def check(platform, *names, partition=None):
    """Test name -> result, of all tests or the named ones."""
    tests = [TESTS[name] for name in names] if names else TABLE.declared_tests()
    found = {item.check_name: item for item in check_results(platform, TABLE, tests, partition)}
    return {test.test: found[test.name] for test in tests}


def recorded(path):
    """Test name -> whether it is recorded as passed."""
    by_name = {test.name: name for name, test in TESTS.items()}
    return {by_name.get(item.name, item.name): item.passed for item in read_checks(path).checks}


def shown(result, name):
    return result.metadata[name].value


def test_a_good_table_passes_and_is_recorded(platform):
    path = put(platform, frame(["a", "b"]))
    results = check(platform)
    assert all(result.passed for result in results.values())
    assert recorded(path) == dict.fromkeys(TESTS, True)
    assert read_checks(path).sha256 == read_sidecar(path).sha256 == file_sha256(path)
    assert (shown(results["unique"], "tested"), shown(results["unique"], "failing")) == (2, 0)
    assert results["unique"].asset_key == dg.AssetKey(ASSET.split("/"))
    assert not (platform.home_path / "failures").exists()


def test_a_bad_table_is_recorded_reported_and_its_keys_kept(platform):
    path = put(platform, frame(["a", "b", "a", None], [1, -1, 2, 3]))
    results = check(platform)
    assert recorded(path) == dict.fromkeys(TESTS, True) | {"unique": False, "not_null": False, "accepted_range": False}
    by_name = {item.name: item for item in read_checks(path).checks}
    unique = by_name[TESTS["unique"].name]
    assert (unique.severity, unique.failing_rows, unique.detail) == ("error", 2, "2 of 4 rows fail (50.0000%)")
    assert by_name[TESTS["not_null"].name].severity == "warn"
    assert results["unique"].severity == dg.AssetCheckSeverity.ERROR
    assert results["not_null"].severity == dg.AssetCheckSeverity.WARN
    assert results["unique"].description == "table: 2 of 4 rows fail (50.0000%)"
    assert (shown(results["unique"], "failing"), shown(results["unique"], "rate")) == (2, 0.5)
    assert shown(results["unique"], "failing_keys") == [{"artefact": "table", "id": "a"}] * 2
    kept = failures_path(platform, TESTS["unique"])
    assert pd.read_parquet(kept)["id"].tolist() == ["a", "a"]
    assert shown(results["unique"], "failures_path") == str(kept)
    assert shown(results["unique"], "failures_sha256") == file_sha256(kept)


def test_failing_keys_are_capped_and_counted_in_full(platform):
    put(platform, frame(["a"] * 1_500))
    result = check(platform)["unique"]
    assert shown(result, "failing") == 1_500
    assert len(shown(result, "failing_keys")) == SHOWN_KEYS == 20
    assert len(pd.read_parquet(failures_path(platform, TESTS["unique"]))) == KEPT_KEYS == 1_000


def test_keys_kept_of_an_earlier_failure_go_with_it(platform):
    put(platform, frame(["a", "a"]))
    check(platform)
    assert failures_path(platform, TESTS["unique"]).exists()
    put(platform, frame(["a", "b"]))
    check(platform)
    assert not failures_path(platform, TESTS["unique"]).exists()


def test_rows_are_named_by_position_where_the_key_is_missing(platform):
    put(platform, pd.DataFrame({"n": [0, -1]}))
    results = check(platform)
    assert not results["columns"].passed
    assert shown(results["accepted_range"], "failing_keys") == [{"artefact": "table", "row": "1"}]


def test_only_some_tests_leave_what_is_known_of_the_others(platform):
    path = put(platform, frame(["a", "a"]))
    check(platform)
    assert set(check(platform, "unique")) == {"unique"}
    assert recorded(path) == dict.fromkeys(TESTS, True) | {"unique": False}
    put(platform, frame(["a", "c"]))
    check(platform, "unique")
    assert recorded(path) == {"unique": True}


def test_outcomes_of_tests_no_longer_declared_are_forgotten(platform):
    """Otherwise the set of recorded names never equals the declared one, and every run checks again."""
    path = put(platform, frame(["a", "b"]))
    older = declared({"id": ("string", [{"unique": {"mostly": 0.5}}]), "n": "int"})
    list(check_results(platform, older, older.declared_tests()))
    check(platform)
    assert recorded(path) == dict.fromkeys(TESTS, True)


@pytest.mark.parametrize("content", ["", "{}", '{"asset": 1}'])
def test_an_unreadable_record_is_written_anew(platform, content):
    path = put(platform, frame(["a", "b"]))
    checks_path(path).write_text(content)
    check(platform)
    assert recorded(path) == dict.fromkeys(TESTS, True)


def test_bytes_that_are_not_the_recorded_ones_are_not_checked(platform):
    path = put(platform, frame(["a", "b"]))
    frame(["a", "c"]).to_parquet(path)
    with pytest.raises(IntegrityError):
        check(platform)
    assert not checks_path(path).exists()


def test_every_stored_partition_is_checked(platform):
    standard, hard = put(platform, frame(["a"]), "standard"), put(platform, frame(["b", "b"]), "hard")
    results = check(platform)
    assert not results["unique"].passed
    assert results["unique"].description == "hard: 2 of 2 rows fail (100.0000%)"
    assert shown(results["unique"], "tested") == 3
    assert shown(results["unique"], "failing_keys") == [{"artefact": "hard", "id": "b"}] * 2
    assert (recorded(standard)["unique"], recorded(hard)["unique"]) == (True, False)


def test_a_run_of_one_partition_checks_that_one(platform):
    put(platform, frame(["a"]), "standard")
    put(platform, frame(["b", "b"]), "hard")
    assert not check(platform, partition="hard")["unique"].passed
    assert check(platform, partition="standard")["unique"].passed
    assert failures_path(platform, TESTS["unique"], "hard").exists()


def test_a_partition_that_a_killed_run_left_is_no_obstacle(platform):
    """An artefact without sidecar is made again by the next run, which checks what is there meanwhile."""
    put(platform, frame(["a"]), "standard")
    half = put(platform, frame(["b", "b"]), "hard")
    sidecar_path(half).unlink()
    assert stored_partitions(platform, ASSET) == [platform.artefact(ASSET, "standard", "parquet")]
    assert check(platform)["unique"].passed


def test_nothing_stored_is_a_crash_not_a_pass(platform):
    with pytest.raises(FileNotFoundError, match=ASSET):
        check(platform)


def test_a_crashed_test_records_nothing(platform, monkeypatch):
    path = put(platform, frame(["a", "a"]))

    def crash(*arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(running, "run_expectations", crash)
    with pytest.raises(RuntimeError, match="out of memory"):
        check(platform)
    assert read_checks(path) is None


def related(to="core/test/other"):
    return declared({"id": ("string", [{"relationships": {"to": to, "field": "id"}}])})


def test_relationships_look_into_every_partition_of_the_other_table(platform):
    put(platform, pd.DataFrame({"id": ["a", "b", "c"]}))
    table = related()
    for partition, ids in (("x", ["a"]), ("y", ["b", "c"])):
        put(platform, pd.DataFrame({"id": ids}), partition, "core/test/other")
    results = list(check_results(platform, table, table.declared_tests()))
    assert all(result.passed for result in results)
    put(platform, pd.DataFrame({"id": ["b"]}), "y", "core/test/other")
    assert [result.passed for result in check_results(platform, table, table.declared_tests())] == [True, False]


def test_a_relationship_to_a_tampered_or_missing_table_is_a_crash(platform):
    put(platform, pd.DataFrame({"id": ["a"]}))
    table = related()
    with pytest.raises(FileNotFoundError, match="core/test/other"):
        list(check_results(platform, table, table.declared_tests()))
    other = put(platform, pd.DataFrame({"id": ["a"]}), None, "core/test/other")
    other.write_bytes(other.read_bytes() + b" ")
    with pytest.raises(IntegrityError):
        list(check_results(platform, table, table.declared_tests()))


def asset_of(name, value, ins=None):
    @dg.asset(key=["core", "test", name], io_manager_key="parquet", deps=[["core", "test", item] for item in ins or []])
    def make():
        return dg.MaterializeResult(value=Envelope(value, content_sha256(value), "1"))

    return make


def run(platform, *definitions, **arguments):
    resources = {"platform": platform, **store_io_managers(platform)}
    return dg.materialize(list(definitions), resources=resources, raise_on_error=False, **arguments)


def made(platform, name):
    return platform.artefact(f"core/test/{name}", None, "parquet").exists()


def test_a_failed_error_stops_what_is_downstream_and_a_failed_warning_does_not(platform):
    after = asset_of("after", frame(["x"]), ["table"])
    warned = run(platform, asset_of("table", frame(["a", None])), table_checks(TABLE), after)
    assert warned.success
    assert made(platform, "after")
    platform.artefact("core/test/after", None, "parquet").unlink()
    blocked = run(platform, asset_of("table", frame(["a", "a"])), table_checks(TABLE), after)
    assert not blocked.success
    assert not made(platform, "after")
    failed = [item.check_name for item in blocked.get_asset_check_evaluations() if not item.passed]
    assert failed == [TESTS["unique"].name]


def test_a_crash_stops_what_is_downstream_without_a_verdict(platform, monkeypatch):
    def crash(*arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(running, "run_expectations", crash)
    after = asset_of("after", frame(["x"]), ["table"])
    crashed = run(platform, asset_of("table", frame(["a", "a"])), table_checks(TABLE), after)
    assert not crashed.success
    assert crashed.get_asset_check_evaluations() == []
    assert not made(platform, "after")


def test_a_check_waits_for_the_table_it_compares_with(platform):
    """Neither table is made from the other; only the check needs both, and the other one is the longer way."""
    ids = pd.DataFrame({"id": ["a"]})
    longer = [asset_of("one", ids), asset_of("two", ids, ["one"]), asset_of("other", ids, ["two"])]
    result = run(platform, asset_of("table", ids), *longer, table_checks(related()))
    assert result.success
    assert [item.passed for item in result.get_asset_check_evaluations()] == [True, True]


def test_specs_carry_words_and_severity():
    specs = {spec.name: spec for spec in table_checks(TABLE).check_specs}
    assert set(specs) == {test.name for test in TESTS.values()}
    assert {name for name, spec in specs.items() if not spec.blocking} == {TESTS["not_null"].name}
    assert specs[TESTS["accepted_range"].name].description == "n: at least 0"
