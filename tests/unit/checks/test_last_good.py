"""The last good state: written when blocking tests pass, kept when a table is made again, accepted only by hand."""

import pandas as pd
import pytest
from declaring import ASSET, declared

from genoplatform.dbt_like_checks.last_good import LastGoodError, looked_at
from genoplatform.dbt_like_checks.results import check_results, remember_if_good
from genoplatform.dbt_like_checks.stored import last_good_root
from genoplatform.dbt_like_checks.vocabulary import Drift
from genoplatform.provenance import read_sidecar
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import read_checks
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import Envelope, write_with_provenance

TABLE = declared({"id": ("string", ["unique"]), "kind": "string"}, [{"drift": {"classes": ["kind"], "keys": ["id"]}}])
GOOD = pd.DataFrame({"id": [f"a{n}" for n in range(100)], "kind": ["x"] * 50 + ["y"] * 50})
BROKEN = GOOD.assign(kind="x")


@pytest.fixture
def platform(tmp_path):
    return PlatformResource(home=str(tmp_path / "home"), profile="embedded", offline=True)


def put(platform, frame, partition=None):
    path = platform.artefact(ASSET, partition, "parquet")
    envelope = Envelope(value=frame, data_version=content_sha256(frame), code_version="1")
    write_with_provenance(path, FORMATS["parquet"], ASSET, partition, envelope)
    return path


def check(platform, *names, partition=None):
    """Test -> whether it passes."""
    tests = [test for test in TABLE.declared_tests() if not names or test.test in names]
    found = {item.check_name: item.passed for item in check_results(platform, TABLE, tests, partition)}
    return {test.test: found[test.name] for test in tests}


def remembered(platform):
    """File name -> data version of every record."""
    import json

    root = last_good_root(platform)
    return {path.name: json.loads(path.read_bytes())["data_version"] for path in sorted(root.rglob("*.json"))}


def test_a_broken_release_is_flagged_each_time_until_a_good_one_comes(platform):
    first = put(platform, GOOD)
    assert all(check(platform).values())
    good = read_sidecar(first).data_version
    for broken in (BROKEN, BROKEN.iloc[:99], BROKEN):  # made again, twice: it does not become the new normal
        put(platform, broken)
        assert check(platform) == {"columns": True, "unique": True, "drift": False}
        assert remembered(platform) == {"whole.json": good}
    newer = pd.concat([GOOD, pd.DataFrame({"id": ["b1"], "kind": ["y"]})])
    path = put(platform, newer)
    assert all(check(platform).values())
    assert remembered(platform) == {"whole.json": read_sidecar(path).data_version}


def test_a_state_whose_blocking_tests_fail_is_not_remembered(platform):
    put(platform, GOOD.assign(id="a"))
    assert not check(platform)["unique"]
    assert remembered(platform) == {}


def test_a_state_only_partly_checked_is_not_remembered(platform):
    put(platform, GOOD)
    check(platform, "drift", "columns")
    assert remembered(platform) == {}
    check(platform, "unique")
    assert list(remembered(platform)) == ["whole.json"]


def test_partitions_are_remembered_one_by_one(platform):
    put(platform, GOOD, "standard")
    put(platform, BROKEN, "hard")
    assert all(check(platform).values())
    put(platform, BROKEN, "standard")
    assert not check(platform, partition="standard")["drift"]
    assert check(platform, partition="hard")["drift"]
    assert list(remembered(platform)) == ["partition=hard.json", "partition=standard.json"]


def test_an_accepted_state_is_the_one_later_ones_are_compared_with(platform):
    put(platform, GOOD)
    check(platform)
    path = put(platform, BROKEN)
    assert not check(platform)["drift"]
    remember_if_good(platform, path, TABLE, by_hand=True)
    assert all(check(platform).values())
    put(platform, GOOD.assign(kind="z"))
    assert not check(platform)["drift"], "x has vanished since"


def test_what_fails_otherwise_cannot_be_accepted(platform):
    path = put(platform, GOOD.assign(id="a"))
    check(platform)
    remember_if_good(platform, path, TABLE, by_hand=True)
    assert remembered(platform) == {}


def test_an_unreadable_record_is_no_missing_record(platform):
    """Without this, drift passes unseen after a disk error."""
    put(platform, GOOD)
    check(platform)
    (record,) = last_good_root(platform).rglob("*.json")
    record.write_text("{")
    with pytest.raises(LastGoodError, match="checks accept"):
        check(platform)


def test_thresholds_may_change_without_losing_the_state(platform):
    spec = Drift(classes=["kind"])
    assert looked_at(spec) == looked_at(Drift(classes=["kind"], rows_lost=0.5, severity="warn"))
    assert looked_at(spec) != looked_at(Drift(classes=["kind", "id"]))


def test_thresholds_decide_what_is_recorded_as_blocking(platform):
    table = declared({"id": ("string", [{"unique": {"warn_if": "> 0", "error_if": "> 2"}}]), "kind": "string"})
    for ids, expected in ((["a", "a", "b"], (False, "warn")), (["a", "a", "a"], (False, "error"))):
        path = put(platform, pd.DataFrame({"id": ids, "kind": "x"}))
        (result,) = check_results(platform, table, [table.declared_tests()[1]])
        (outcome,) = read_checks(path).checks
        assert (outcome.passed, outcome.severity, outcome.declared) == (*expected, "error")
        assert outcome.blocks is (expected[1] == "error")
        assert result.severity.value == expected[1].upper()
