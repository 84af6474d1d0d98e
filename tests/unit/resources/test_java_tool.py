"""Runs of a stand-in for `java -jar` (tests/stand_in_java.py); the real jars are not run."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest
import stand_in_java

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.prioritisation.baselines.exomiser import exomiser_job
from genoplatform.prioritisation.baselines.exomiser_output import exomiser_scores
from genoplatform.prioritisation.baselines.lirical import lirical_job
from genoplatform.prioritisation.baselines.lirical_output import lirical_diseases
from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits, ToolUnusableError
from genoplatform.resources.java_tool.store import case_of, folder_name

LIRICAL = json.dumps({"analysisResults": [{"diseaseId": f"OMIM:{n}", "posttestProbability": 0.5} for n in range(40)]})
EXOMISER = "#GENE_SYMBOL\tEXOMISER_GENE_PHENO_SCORE\nFBN1\t0.9000\nTGFBR2\t0.5000\nSMAD3\t0.4000\n"
TERMS = [f"HP:{n:07d}" for n in range(1, 10)]
NASTY = ["FBN1:PMID_1_a b", "../../etc/passwd", "$(touch HERE); `id` | & > x '\"", "-x", ".hidden", "é∞\n%41", "%3A"]


@pytest.fixture
def java(tmp_path):
    return stand_in_java.install(tmp_path / "java", exomiser=EXOMISER, lirical=LIRICAL)


@pytest.fixture
def make_runner(java, tmp_path):
    """A runner of the stand-in; keyword arguments as `JavaToolRunner`'s."""
    jar = tmp_path / "home" / "tool-1.0.jar"
    data = tmp_path / "home" / "data"
    data.mkdir(parents=True)
    (data / "hp.json").write_text("{}")
    jar.write_bytes(b"jar")
    events = []

    def make(*, batch_size=1, workers=1, limits=None, give_up_after=99, cwd_files=None, root=None):
        tool = JavaTool(
            "tool", "1.0", jar, data, java=java.java, heap="4g",
            cwd_files=cwd_files or {}, batch_option="--batch" if batch_size > 1 else "",
        )  # fmt: skip
        limits = limits or Limits(timeout=20.0, grace=0.2)
        runner = JavaToolRunner(
            tool, root or tmp_path / "results", workers, limits, batch_size, give_up_after, events.append
        )
        return runner

    make.events = events
    return make


def jobs(count, start=0):
    return [lirical_job(f"case:{n}", [TERMS[n]]) for n in range(start, start + count)]


def batch_jobs(count):
    return [exomiser_job(f"case:{n}", [TERMS[n]]) for n in range(count)]


def read(job, folder):
    return len(lirical_diseases(folder, "result"))


def read_genes(job, folder):
    return exomiser_scores(folder, "result")


def gone(pid):
    """Whether a process ends within ten seconds; a zombie has ended."""
    limit = time.monotonic() + 10
    while time.monotonic() < limit:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def leftovers(root):
    return [path for path in Path(root).rglob("*") if path.name.startswith("scratch-")]


def test_exact_command_line_locale_and_surroundings(java, make_runner, tmp_path):
    runner = make_runner(cwd_files={"application.properties": "a=b\n"})
    outcomes = runner.run([lirical_job("c", ["HP:0000001", "HP:0000002"])], read)
    assert [(outcome.case_id, outcome.value, outcome.reason) for outcome in outcomes] == [("c", 40, "")]
    call = java.calls[0]
    output = call["argv"][-3]
    assert call["argv"] == [
        *("-Xmx4g", "-jar", str(tmp_path / "home" / "tool-1.0.jar"), "prioritize", "-p", "HP:0000001,HP:0000002"),
        *("-d", str(tmp_path / "home" / "data"), "-m", "100000", "--use-orphanet"),
        *("-f", "json", "-o", output, "-x", "result"),
    ]
    assert call["files"] == ["application.properties"]
    assert call["locale"] == "C.UTF-8"
    assert call["stdin"] == ""
    assert Path(call["cwd"]).parent == Path(output).parents[1]
    assert leftovers(tmp_path / "results") == []


@pytest.mark.parametrize(
    ("behaviour", "reason", "detail"),
    [
        ("crash", "crashed", "exit status 3"),
        ("crash after writing", "crashed", "exit status 3"),
        ("killed", "crashed", "killed by signal 9"),
        ("empty", "empty output", "an empty file"),
        ("no file", "no output", "no file result.tsv"),
        ("half", "unreadable output", "not JSON"),
        ("garbage", "unreadable output", "'utf-8' codec can't decode"),
    ],
)
def test_each_way_of_failing_is_told_apart_and_spoils_no_other_case(java, make_runner, behaviour, reason, detail):
    java.plan({TERMS[1]: behaviour})
    outcomes = make_runner().run(jobs(3), read)
    assert [outcome.value for outcome in outcomes] == [40, None, 40]
    assert outcomes[1].reason == reason
    assert outcomes[1].detail.startswith(detail)


def test_logs_are_kept_for_successes_and_failures(java, make_runner, tmp_path):
    java.plan({TERMS[1]: "crash"})
    make_runner().run(jobs(2), read)
    (store,) = [path for path in (tmp_path / "results").iterdir() if path.is_dir()]
    assert (store / "done" / "case%3A0" / "stdout.log").read_text() == "started\n"
    assert (store / "failed" / "case%3A1" / "stderr.log").read_text().startswith("java.lang.OutOfMemoryError")
    record = json.loads((store / "failed" / "case%3A1" / "record.json").read_text())
    assert record["case_id"] == "case:1"
    assert record["reason"] == "crashed"
    assert json.loads((store / "identity.json").read_text())["version"] == "1.0"


def test_a_huge_log_is_kept_by_its_ends_and_does_no_harm(java, make_runner, tmp_path):
    java.plan({TERMS[0]: "huge log"})
    assert make_runner().run(jobs(1), read)[0].value == 40
    (log,) = (tmp_path / "results").rglob("stdout.log")
    text = log.read_text()
    assert len(text) < 140_000
    assert text.startswith("started\n" if text.startswith("started") else "ERROR")
    assert "bytes left out" in text
    assert "the last line" in text[-200:]


def test_an_endless_log_ends_the_tool(java, make_runner):
    java.plan({TERMS[0]: "endless log"})
    runner = make_runner(limits=Limits(timeout=60.0, grace=0.2, log_bytes=200_000))
    (outcome,) = runner.run(jobs(1), read)
    assert (outcome.reason, outcome.detail) == ("log too large", "killed at 200000 bytes of log")
    assert gone(java.calls[0]["pid"])


def test_a_timeout_kills_the_tool_and_its_children(java, make_runner):
    java.plan({TERMS[0]: "hang with a child"})
    outcomes = make_runner(limits=Limits(timeout=1.0, grace=0.2)).run(jobs(2), read)
    assert (outcomes[0].reason, outcomes[0].detail) == ("timed out", "killed after 1 s")
    assert outcomes[1].value == 40
    assert gone(java.calls[0]["pid"])
    assert gone(java.child)


def test_what_a_tool_leaves_running_is_ended_with_it(java, make_runner):
    java.plan({TERMS[0]: "leave a child"})
    assert make_runner().run(jobs(1), read)[0].value == 40
    assert gone(java.child)


def test_finished_cases_are_found_again_and_failed_ones_tried_again(java, make_runner):
    java.plan({TERMS[1]: "crash"})
    make_runner().run(jobs(3), read)
    java.plan({})
    outcomes = make_runner().run(jobs(4), read)
    assert [outcome.value for outcome in outcomes] == [40, 40, 40, 40]
    asked = [call["argv"][5] for call in java.calls]
    assert asked == [TERMS[0], TERMS[1], TERMS[2], TERMS[1], TERMS[3]]
    states = [(event.case_id, event.state, event.done, event.total) for event in make_runner.events[3:]]
    assert states == [
        ("case:0", "reused", 1, 4),
        ("case:2", "reused", 2, 4),
        ("case:1", "made", 3, 4),
        ("case:3", "made", 4, 4),
    ]


@pytest.mark.parametrize("changed", ["terms", "jar", "data", "result", "record"])
def test_a_result_is_found_again_only_for_the_same_case_program_and_data_and_only_whole(
    java, make_runner, tmp_path, changed
):
    make_runner().run([lirical_job("c", [TERMS[0]])], read)
    (folder,) = (tmp_path / "results").glob("*/done/c")
    job = lirical_job("c", [TERMS[0], TERMS[1]] if changed == "terms" else [TERMS[0]])
    if changed == "jar":
        (tmp_path / "home" / "tool-1.0.jar").write_bytes(b"another jar")
    elif changed == "data":
        (tmp_path / "home" / "data" / "hp.json").write_text("[]  ")
    elif changed == "result":
        (folder / "result.json.gz").write_bytes(b"")
    elif changed == "record":
        (folder / "record.json").write_text("{")
    assert make_runner().run([job], read)[0].value == 40
    assert len(java.calls) == 2


def test_published_results_are_the_same_bytes_every_time(make_runner, tmp_path):
    packed = []
    for name in ("one", "two"):
        make_runner(root=tmp_path / name).run(jobs(1), read)
        packed += [path.read_bytes() for path in (tmp_path / name).rglob("result.json.gz")]
    assert packed[0] == packed[1]


def test_no_more_tools_run_at_a_time_than_allowed(java, make_runner):
    java.plan(dict.fromkeys(TERMS, "company"))
    outcomes = make_runner(workers=2).run(jobs(6), read)
    assert [outcome.value for outcome in outcomes] == [40] * 6
    assert set(java.together) == {1, 2} or set(java.together) == {2}


def test_case_ids_never_reach_a_shell_or_a_path(java, make_runner, tmp_path):
    # Argument lists, encoded folder names and a fixed output name: nothing of an id is interpreted.
    found = make_runner().run([lirical_job(case, [TERMS[0]]) for case in NASTY], read)
    assert [outcome.value for outcome in found] == [40] * len(NASTY)
    (done,) = (tmp_path / "results").glob("*/done")
    folders = sorted(path.name for path in done.iterdir())
    assert sorted(case_of(name) for name in folders) == sorted(NASTY)
    assert sorted(folder_name(case) for case in NASTY) == folders
    assert not any(set(name) & set("/:;$`|&<>'\" \n") or name.startswith(".") for name in folders)
    assert not list(tmp_path.rglob("HERE"))


def test_names_that_cannot_be_file_names_are_refused():
    for case in ("", "x" * 201):
        with pytest.raises(BadInputError, match="naming a case's files"):
            folder_name(case)


def test_a_batch_is_one_process_with_a_line_of_arguments_a_case(java, make_runner):
    seen = []

    def look(job, folder):
        batch = Path(java.calls[0]["argv"][-1])
        seen.append(batch.read_text() if batch.exists() else "")
        return read_genes(job, folder)

    outcomes = make_runner(batch_size=3).run(batch_jobs(3), look)
    assert [outcome.value for outcome in outcomes] == [{"FBN1": 0.9, "TGFBR2": 0.5, "SMAD3": 0.4}] * 3
    assert len(java.calls) == 1
    assert java.calls[0]["argv"][3] == "--batch"
    lines = [line.split(" ") for line in seen[0].splitlines()]
    assert [line[0::2] for line in lines] == [
        ["--sample", "--preset", "--output-directory", "--output-filename", "--output-format"]
    ] * 3
    assert len({line[1] for line in lines}) == len({line[5] for line in lines}) == 3


def test_a_case_that_brings_a_batch_down_costs_no_other_its_result(java, make_runner):
    # Term 2 crashes: 0 and 1 were written before; 1 is not trusted (the last one begun), 3 was never reached.
    java.plan({TERMS[2]: "crash"})
    outcomes = make_runner(batch_size=4).run(batch_jobs(4), read_genes)
    assert [outcome.reason for outcome in outcomes] == ["", "", "crashed", ""]
    alone = [call for call in java.calls if "--batch" not in call["argv"]]
    assert len(alone) == 3


def test_a_file_cut_at_a_line_end_by_a_crash_is_not_taken_for_a_result(java, make_runner):
    cut = EXOMISER[: EXOMISER.index("TGFBR2")]
    java.plan({TERMS[0]: "crash after writing"}, exomiser=cut)
    outcomes = make_runner(batch_size=2).run(batch_jobs(2), read_genes)
    assert outcomes[0].reason == "crashed"
    assert outcomes[0].value is None


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("empty", "empty output"),
        ("no file", "no output"),
        ("header only", "empty output"),
        ("half", "unreadable output"),
    ],
)
def test_a_case_without_a_result_in_a_good_batch_gets_its_own_run_and_verdict(java, make_runner, behaviour, reason):
    java.plan({TERMS[1]: behaviour})
    outcomes = make_runner(batch_size=3).run(batch_jobs(3), read_genes)
    assert [outcome.reason for outcome in outcomes] == ["", reason, ""]
    assert len(java.calls) == 2


def test_a_case_that_hangs_in_a_batch_times_out_alone(java, make_runner):
    java.plan({TERMS[1]: "hang"})
    runner = make_runner(batch_size=3, limits=Limits(timeout=1.0, grace=0.2))
    outcomes = runner.run(batch_jobs(3), read_genes)
    assert [outcome.reason for outcome in outcomes] == ["", "timed out", ""]


def test_batches_refuse_directories_that_a_batch_file_cannot_carry(make_runner, tmp_path):
    runner = make_runner(batch_size=2, root=tmp_path / "my results")
    with pytest.raises(SettingsError, match="white space"):
        runner.run(batch_jobs(2), read_genes)


def test_nothing_but_failures_means_a_broken_installation_and_no_scores(java, make_runner):
    java.plan(dict.fromkeys(TERMS, "crash"))
    with pytest.raises(ToolUnusableError) as caught:
        make_runner(give_up_after=3).run(jobs(9), read)
    assert "the first 3 cases all failed; case:0: crashed (exit status 3)" in caught.value.found
    assert "its log ends: java.lang.OutOfMemoryError: Java heap space" in caught.value.found
    assert len(java.calls) <= 4


def test_a_missing_java_and_a_bad_heap_are_settings_errors(make_runner, tmp_path):
    runner = make_runner()
    tool = JavaTool("tool", "1.0", runner.tool.jar, runner.tool.data_dir, java="no-such-java")
    with pytest.raises(SettingsError, match="no program 'no-such-java'"):
        JavaToolRunner(tool, tmp_path / "r", 1, Limits(5.0)).run(jobs(1), read)
    with pytest.raises(SettingsError, match="heap '4 gigs'"):
        JavaTool("tool", "1.0", runner.tool.jar, runner.tool.data_dir, heap="4 gigs")
    with pytest.raises(BadInputError, match="several jobs of one case"):
        runner.run([*jobs(1), *jobs(1)], read)


def test_identity_names_version_jar_libraries_settings_and_data(make_runner, tmp_path):
    home = tmp_path / "home"
    runner = make_runner()
    (home / "lib").mkdir()
    (home / "lib" / "core.jar").write_bytes(b"core")
    (home / "data" / "2402_phenotype").mkdir()
    (home / "data" / "2402_phenotype" / "db.mv.db").write_bytes(b"db")
    tool = JavaTool("tool", "1.0", home / "tool-1.0.jar", home / "data", settings={"data-version": "2402"})
    known = tool.identity(tmp_path / "memory.json")
    assert known["version"] == "1.0"
    assert known["settings/data-version"] == "2402"
    assert known["jar"] == "5bf09d2c0b3acdbb3b6ae6bee7c8a16ec0d7e5b85ac2f1a7c6d3a0a4d2a2f0b3" or len(known["jar"]) == 64
    assert set(known) == {
        "tool",
        "version",
        "jar",
        "lib",
        "settings/data-version",
        "data/hp.json",
        "data/2402_phenotype",
    }
    (home / "data" / "2402_phenotype" / "db.trace.db").write_bytes(b"a note of the database")
    assert tool.identity(tmp_path / "memory.json") == known
    (home / "data" / "2402_phenotype" / "db.mv.db").write_bytes(b"another db")
    assert tool.identity(tmp_path / "memory.json") != known
    assert runner.identity()["version"] == "1.0"


INTERRUPTED = """
    import sys
    from pathlib import Path
    from genoplatform.prioritisation.baselines.lirical import lirical_job
    from genoplatform.prioritisation.baselines.lirical_output import lirical_diseases
    from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits

    java, home, root = sys.argv[1:]
    tool = JavaTool("tool", "1.0", Path(home, "tool-1.0.jar"), Path(home, "data"), java=java)
    jobs = [lirical_job(f"case:{n}", [f"HP:{n + 1:07d}"]) for n in range(3)]
    runner = JavaToolRunner(tool, Path(root), 1, Limits(timeout=600.0, grace=0.2))
    runner.run(jobs, lambda job, folder: len(lirical_diseases(folder, "result")))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_resumes_and_its_orphans_are_ended(java, make_runner, tmp_path, how):
    java.plan({TERMS[1]: "hang with a child"})
    arguments = [java.java, str(tmp_path / "home"), str(tmp_path / "results")]
    runner = make_runner()  # lays out the installation
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), *arguments], stderr=subprocess.DEVNULL
    )
    limit = time.monotonic() + 30
    while not (java.folder / "child").exists() and time.monotonic() < limit:
        time.sleep(0.02)
    os.kill(parent.pid, how)
    assert parent.wait(20) != 0
    hung = java.calls[1]["pid"]
    assert psutil.pid_exists(hung) or how == signal.SIGINT  # a kill leaves an orphan, an interruption does not
    assert bool(leftovers(tmp_path / "results")) == (how == signal.SIGKILL)

    java.plan({})
    outcomes = runner.run(jobs(3), read)
    assert [outcome.value for outcome in outcomes] == [40, 40, 40]
    assert [event.state for event in make_runner.events] == ["reused", "made", "made"]
    assert gone(hung)
    assert gone(java.child)
    assert leftovers(tmp_path / "results") == []


def test_another_running_process_keeps_its_scratch_directory(java, make_runner, tmp_path):
    java.plan({TERMS[0]: "hang"})
    slow = make_runner(limits=Limits(timeout=3.0, grace=0.2))
    thread = threading.Thread(target=slow.run, args=(jobs(1), read))
    thread.start()
    limit = time.monotonic() + 10
    while not java.calls and time.monotonic() < limit:
        time.sleep(0.02)
    assert make_runner().run(jobs(1, start=1), read)[0].value == 40
    assert psutil.pid_exists(java.calls[0]["pid"])
    assert len(leftovers(tmp_path / "results")) == 1
    thread.join()
