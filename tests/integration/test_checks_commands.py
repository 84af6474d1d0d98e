"""`genoplatform checks`: list, run, explain and accept on a made home of the tiny world."""

import functools
import json
import shutil
import sys

import dagster as dg
import pandas as pd
import pytest
from homes import in_home

from genoplatform.cli import main
from genoplatform.provenance import read_sidecar
from genoplatform.provenance.canonical import content_sha256
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import read_checks
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import Envelope, write_with_provenance
from genoplatform.runner.execute import exclusive, prepare_home

GENES, REMOVED = "core/ontology/genes", "eval/prioritisation/removed_evidence"


@pytest.fixture
def command(embedded, tmp_path, monkeypatch, capsys):
    """`command(*words)` -> (exit code, stdout, stderr) on a copy of the made home, whose checks never ran."""
    path = tmp_path / "home"
    shutil.copytree(embedded.platform.home_path, path)
    resource = functools.partial(
        PlatformResource, profiles_file=str(embedded.world.profiles), catalogue=str(embedded.world.catalogue)
    )
    monkeypatch.setattr("genoplatform.resources.platform.PlatformResource", resource)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["genoplatform", "checks", *words, "--home", str(path)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended, in_home(embedded):
            main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err + captured.out
        return ended.value.code, captured.out, captured.err

    run.home = path
    run.platform = resource(home=str(path), profile="embedded")
    return run


def states(command, *words):
    code, out, _ = command("list", "--json", *words)
    assert code == 0
    return {(check["asset"], check["name"]): check["state"] for check in json.loads(out)["checks"]}


def test_checks_run_without_making_anything_and_the_records_follow(command):
    before = states(command, "--asset", REMOVED)
    assert set(before.values()) == {"not run"}
    made = read_sidecar(command.platform.artefact(REMOVED, None, "parquet"))
    code, out, _ = command("run", "--asset", REMOVED)
    assert code == 0
    assert out.splitlines()[-1] == f"{len(before)} checks: {len(before)} passed"
    assert set(states(command, "--asset", REMOVED).values()) == {"passed"}
    path = command.platform.artefact(REMOVED, None, "parquet")
    assert read_sidecar(path) == made
    assert {item.name for item in read_checks(path).checks} == {name for _, name in before}


def test_a_failed_check_ends_with_1_and_is_explained_with_its_keys(command):
    """73 symbols, one of them twice: the declared minimum is that of a real release, and ids are unique."""
    path = command.platform.artefact(GENES, None, "parquet")
    frame = pd.read_parquet(path)
    frame.loc[1, "hgnc_id"] = frame.loc[0, "hgnc_id"]
    write_with_provenance(path, FORMATS["parquet"], GENES, None, Envelope(frame, content_sha256(frame), "1"))
    code, out, _ = command("run", "--asset", GENES)
    assert code == 1
    assert "1 failed" not in out
    code, out, _ = command("explain", "unique_hgnc_id")
    assert code == 0
    assert "hgnc_id: no value occurs twice" in out
    assert "failed: 2 of 73 rows fail (2.7397%)" in out
    assert out.count("artefact=genes, hgnc_id=") == 2, "both rows, by the table's key"
    code, out, _ = command("explain", "unique_hgnc_id", "--json")
    (report,) = json.loads(out)["checks"]
    assert report["failing_rows"] == 2
    kept = pd.read_parquet(report["failures"][0]["path"])
    assert kept["hgnc_id"].nunique() == 1
    failing = states(command, "--failing", "--asset", GENES)
    assert {name.rsplit("_", 1)[0] for _, name in failing} == {"unique_hgnc_id", "row_count"}


def test_the_instance_shows_what_was_found_outside_a_run(command, embedded):
    command("run", "--asset", GENES)
    with in_home(embedded):
        prepare_home(command.home, "embedded")
        with dg.DagsterInstance.get() as instance:
            records = instance.get_event_records(
                dg.EventRecordsFilter(dg.DagsterEventType.ASSET_CHECK_EVALUATION), limit=50
            )
    found = {record.event_log_entry.dagster_event.event_specific_data.check_name for record in records}
    assert {name for asset, name in states(command, "--asset", GENES)} <= found


def test_wrong_usage_ends_with_2_and_a_busy_home_with_3(command):
    for words in (("explain", "no_such_check"), ("list", "--asset", "core/no/table"), ("run", "no_such_check")):
        code, _, err = command(*words)
        assert code == 2, words
        assert "no_such_check" in err or "core/no/table" in err
    with exclusive(command.home):
        code, _, err = command("run", "--asset", GENES)
    assert code == 3
    assert "another genoplatform command" in err


def test_bytes_that_were_changed_are_not_checked_but_named(command):
    path = command.platform.artefact(GENES, None, "parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    code, _, err = command("run", "--asset", GENES)
    assert code == 1
    assert "sha256 recorded" in err
    assert read_checks(path) is None
