"""Runs of a stand-in for `java -jar` (tests/stand_in_java.py); the real jars are not run."""

import hashlib
import json
from pathlib import Path

import pytest
from stand_in_java import Bench, gone

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.prioritisation.baselines.lirical import lirical_job
from genoplatform.prioritisation.baselines.lirical_output import lirical_diseases
from genoplatform.resources.java_tool import ToolUnusableError
from genoplatform.resources.java_tool.store import case_of, folder_name

TERMS = [f"HP:{n:07d}" for n in range(1, 10)]
NASTY = ["FBN1:PMID_1_a b", "../../etc/passwd", "$(touch HERE); `id` | & > x '\"", "-x", ".hidden", "é∞\n%41", "%3A"]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def jobs(count, start=0):
    return [lirical_job(f"case:{n}", [TERMS[n]]) for n in range(start, start + count)]


def read(job, folder):
    return len(lirical_diseases(folder, "result"))


def test_exact_command_line_locale_and_surroundings(bench):
    runner = bench.runner(cwd_files={"application.properties": "a=b\n"})
    outcomes = runner.run([lirical_job("c", ["HP:0000001", "HP:0000002"])], read)
    assert [(outcome.case_id, outcome.value, outcome.reason) for outcome in outcomes] == [("c", 40, "")]
    call = bench.java.calls[0]
    output = call["argv"][-3]
    assert call["argv"] == [
        *("-Xmx4g", "-jar", str(bench.jar), "prioritize", "-p", "HP:0000001,HP:0000002"),
        *("-d", str(bench.data), "-m", "100000", "--use-orphanet"),
        *("-f", "json", "-o", output, "-x", "result"),
    ]
    assert call["files"] == ["application.properties"]
    assert call["locale"] == "C.UTF-8"
    assert call["stdin"] == ""
    assert Path(call["cwd"]).parent == Path(output).parents[1]
    assert bench.scratch() == []


def test_each_way_of_failing_is_told_apart_and_spoils_no_other_case(bench):
    expected = {
        "crash": ("crashed", "exit status 3"),
        "crash after writing": ("crashed", "exit status 3"),
        "killed": ("crashed", "killed by signal 9"),
        "empty": ("empty output", "an empty file"),
        "no file": ("no output", "no file result.tsv"),
        "half": ("unreadable output", "not JSON"),
        "garbage": ("unreadable output", "'utf-8' codec can't decode"),
    }
    bench.java.plan(dict(zip(TERMS[1:], expected, strict=False)))
    first, *failed, last = bench.runner(workers=2).run(jobs(9), read)
    assert (first.value, first.reason) == (last.value, last.reason) == (40, "")
    assert [outcome.value for outcome in failed] == [None] * 7
    assert [outcome.reason for outcome in failed] == [reason for reason, _ in expected.values()]
    for outcome, (_, detail) in zip(failed, expected.values(), strict=True):
        assert outcome.detail.startswith(detail)


def test_logs_are_kept_for_successes_and_failures(bench):
    bench.java.plan({TERMS[1]: "crash"})
    bench.runner().run(jobs(2), read)
    (store,) = [path for path in (bench.results).iterdir() if path.is_dir()]
    assert (store / "done" / "case%3A0" / "stdout.log").read_text() == "started\n"
    assert (store / "failed" / "case%3A1" / "stderr.log").read_text().startswith("java.lang.OutOfMemoryError")
    record = json.loads((store / "failed" / "case%3A1" / "record.json").read_text())
    assert record["case_id"] == "case:1"
    assert record["reason"] == "crashed"
    assert json.loads((store / "identity.json").read_text())["version"] == "1.0"


def test_a_huge_log_is_kept_by_its_ends_and_does_no_harm(bench):
    bench.java.plan({TERMS[0]: "huge log"})
    assert bench.runner().run(jobs(1), read)[0].value == 40
    (log,) = (bench.results).rglob("stdout.log")
    text = log.read_text()
    assert len(text) < 140_000
    assert "bytes left out" in text
    assert "the last line" in text[-200:]


def test_an_endless_log_ends_the_tool(bench):
    bench.java.plan({TERMS[0]: "endless log"})
    runner = bench.runner(timeout=60.0, log_bytes=200_000)
    (outcome,) = runner.run(jobs(1), read)
    assert (outcome.reason, outcome.detail) == ("log too large", "killed at 200000 bytes of log")
    assert gone(bench.java.calls[0]["pid"])


def test_a_timeout_kills_the_tool_and_its_children(bench):
    bench.java.plan({TERMS[0]: "hang with a child"})
    outcomes = bench.runner(timeout=2.0).run(jobs(2), read)
    assert (outcomes[0].reason, outcomes[0].detail) == ("timed out", "killed after 2 s")
    assert outcomes[1].value == 40
    assert gone(bench.java.calls[0]["pid"])
    assert gone(bench.java.child)


def test_what_a_tool_leaves_running_is_ended_with_it(bench):
    bench.java.plan({TERMS[0]: "leave a child"})
    assert bench.runner().run(jobs(1), read)[0].value == 40
    assert gone(bench.java.child)


def test_no_more_tools_run_at_a_time_than_allowed(bench):
    bench.java.plan(dict.fromkeys(TERMS, "company"))
    outcomes = bench.runner(workers=2).run(jobs(6), read)
    assert [outcome.value for outcome in outcomes] == [40] * 6
    assert max(bench.java.together) == 2


def test_case_ids_never_reach_a_shell_or_a_path(bench, tmp_path):
    # Argument lists, encoded folder names and a fixed output name: nothing of an id is interpreted.
    found = bench.runner().run([lirical_job(case, [TERMS[0]]) for case in NASTY], read)
    assert [outcome.value for outcome in found] == [40] * len(NASTY)
    (done,) = (bench.results).glob("*/done")
    folders = sorted(path.name for path in done.iterdir())
    assert sorted(case_of(name) for name in folders) == sorted(NASTY)
    assert sorted(folder_name(case) for case in NASTY) == folders
    assert not any(set(name) & set("/:;$`|&<>'\" \n") or name.startswith(".") for name in folders)
    assert not list(tmp_path.rglob("HERE"))


def test_names_that_cannot_be_file_names_are_refused():
    for case in ("", "x" * 201):
        with pytest.raises(BadInputError, match="naming a case's files"):
            folder_name(case)


def test_nothing_but_failures_means_a_broken_installation_and_no_scores(bench):
    bench.java.plan(dict.fromkeys(TERMS, "crash"))
    with pytest.raises(ToolUnusableError) as caught:
        bench.runner(give_up_after=3).run(jobs(9), read)
    assert "the first 3 cases all failed; case:0: crashed (exit status 3)" in caught.value.found
    assert "its log ends: java.lang.OutOfMemoryError: Java heap space" in caught.value.found
    assert len(bench.java.calls) <= 4


def test_one_success_shows_that_the_installation_works(bench):
    bench.java.plan(dict.fromkeys(TERMS[1:], "crash"))
    outcomes = bench.runner(give_up_after=3).run(jobs(6), read)
    assert [outcome.reason for outcome in outcomes] == ["", *["crashed"] * 5]


def test_a_missing_java_a_bad_heap_and_a_repeated_case_are_errors(bench):
    with pytest.raises(SettingsError, match="no program 'no-such-java'"):
        bench.runner(java="no-such-java").run(jobs(1), read)
    with pytest.raises(SettingsError, match="heap '4 gigs'"):
        bench.tool(heap="4 gigs")
    with pytest.raises(BadInputError, match="several jobs of one case"):
        bench.runner().run([*jobs(1), *jobs(1)], read)


def test_identity_names_version_jar_libraries_settings_and_data(bench, tmp_path):
    genome = bench.data / "2402_phenotype"
    genome.mkdir()
    (genome / "db.mv.db").write_bytes(b"db")
    (bench.home / "lib").mkdir()
    (bench.home / "lib" / "core.jar").write_bytes(b"core")
    tool = bench.tool(settings={"data-version": "2402"})
    known = tool.identity(tmp_path / "memory.json")
    # As `sha256sum` prints it, of the file and of its line in the directory's listing.
    of_db = hashlib.sha256(b"db").hexdigest()
    assert known == {
        "tool": "tool",
        "version": "1.0",
        "jar": hashlib.sha256(b"jar").hexdigest(),
        "lib": hashlib.sha256(f"core.jar\t{hashlib.sha256(b'core').hexdigest()}\n".encode()).hexdigest(),
        "settings/data-version": "2402",
        "data/2402_phenotype": hashlib.sha256(f"db.mv.db\t{of_db}\n".encode()).hexdigest(),
        "data/hp.json": hashlib.sha256(b"{}").hexdigest(),
    }
    (genome / "db.trace.db").write_bytes(b"a note of the open database")
    assert tool.identity(tmp_path / "memory.json") == known
    (tmp_path / "memory.json").write_text("damaged")
    assert tool.identity(tmp_path / "memory.json") == known
    (genome / "db.mv.db").write_bytes(b"another db")
    assert tool.identity(tmp_path / "memory.json") != known
