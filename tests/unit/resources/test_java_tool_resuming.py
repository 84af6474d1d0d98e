"""Finding finished cases again, with a stand-in for Java (tests/stand_in_java.py); the real jars are not run."""

import dataclasses
import gzip
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import psutil
import pytest
from stand_in_java import LIRICAL, Bench, gone

from genoplatform.prioritisation.baselines.lirical import lirical_job
from genoplatform.prioritisation.baselines.lirical_output import lirical_diseases

TERMS = [f"HP:{n:07d}" for n in range(1, 10)]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def jobs(count, start=0):
    return [lirical_job(f"case:{n}", [TERMS[n]]) for n in range(start, start + count)]


def read(job, folder):
    return len(lirical_diseases(folder, "result"))


def test_finished_cases_are_found_again_and_failed_ones_tried_again(bench):
    bench.java.plan({TERMS[1]: "crash"})
    bench.runner().run(jobs(3), read)
    bench.java.plan({})
    outcomes = bench.runner().run(jobs(4), read)
    assert [outcome.value for outcome in outcomes] == [40, 40, 40, 40]
    asked = [call["argv"][5] for call in bench.java.calls]
    assert asked == [TERMS[0], TERMS[1], TERMS[2], TERMS[1], TERMS[3]]
    states = [(event.case_id, event.state, event.done, event.total) for event in bench.events[3:]]
    assert states == [
        ("case:0", "reused", 1, 4),
        ("case:2", "reused", 2, 4),
        ("case:1", "made", 3, 4),
        ("case:3", "made", 4, 4),
    ]


@pytest.mark.parametrize("changed", ["terms", "jar", "data", "result", "record"])
def test_a_result_is_found_again_only_for_the_same_case_program_and_data_and_only_whole(bench, changed):
    bench.runner().run([lirical_job("c", [TERMS[0]])], read)
    (folder,) = (bench.results).glob("*/done/c")
    job = lirical_job("c", [TERMS[0], TERMS[1]] if changed == "terms" else [TERMS[0]])
    if changed == "jar":
        (bench.jar).write_bytes(b"another jar")
    elif changed == "data":
        (bench.data / "hp.json").write_text("[]  ")
    elif changed == "result":
        (folder / "result.json.gz").write_bytes(gzip.compress(LIRICAL.replace("0.5", "0.6").encode()))
    elif changed == "record":
        (folder / "record.json").write_text("{")
    assert bench.runner().run([job], read)[0].value == 40
    assert len(bench.java.calls) == 2


def test_published_results_are_the_same_bytes_every_time(bench, tmp_path):
    packed = []
    for name in ("one", "two"):
        bench.runner(root=tmp_path / name).run(jobs(1), read)
        packed += [path.read_bytes() for path in (tmp_path / name).rglob("result.json.gz")]
    assert packed[0] == packed[1]


INTERRUPTED = """
    import json, sys
    from pathlib import Path
    from genoplatform.prioritisation.baselines.tool import ToolJob
    from genoplatform.resources.java_tool import JavaTool, JavaToolRunner, Limits

    java, home, root, jobs = sys.argv[1:]
    tool = JavaTool("tool", "1.0", Path(home, "tool-1.0.jar"), Path(home, "data"), java=java)
    jobs = [ToolJob(**job) for job in json.loads(jobs)]
    runner = JavaToolRunner(tool, Path(root), 1, Limits(timeout=600.0, grace=0.2))
    runner.run(jobs, lambda job, folder: 40)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_resumes_and_its_orphans_are_ended(bench, tmp_path, how):
    bench.java.plan({TERMS[1]: "hang with a child"})
    asked = [dataclasses.asdict(job) for job in jobs(3)]
    arguments = [bench.java.java, str(bench.home), str(bench.results), json.dumps(asked)]
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED), *arguments], stderr=subprocess.DEVNULL
    )
    limit = time.monotonic() + 30
    while not (bench.java.folder / "child").exists() and time.monotonic() < limit:
        time.sleep(0.02)
    os.kill(parent.pid, how)
    assert parent.wait(20) != 0
    hung = bench.java.calls[1]["pid"]
    assert psutil.pid_exists(hung) or how == signal.SIGINT  # a kill leaves an orphan, an interruption does not
    assert bool(bench.scratch()) == (how == signal.SIGKILL)

    bench.java.plan({})
    outcomes = bench.runner().run(jobs(3), read)
    assert [outcome.value for outcome in outcomes] == [40, 40, 40]
    assert [event.state for event in bench.events] == ["reused", "made", "made"]
    assert gone(hung)
    assert gone(bench.java.child)
    assert bench.scratch() == []


def test_a_running_process_keeps_its_scratch_directory(bench):
    bench.java.plan({TERMS[0]: "company", TERMS[1]: "company"})
    first = threading.Thread(target=bench.runner().run, args=(jobs(1), read))
    first.start()
    limit = time.monotonic() + 10
    while not bench.java.calls and time.monotonic() < limit:
        time.sleep(0.02)
    assert bench.runner().run(jobs(1, start=1), read)[0].value == 40
    first.join()
    assert sorted(event.state for event in bench.events) == ["made", "made"]
    assert max(bench.java.together) == 2
