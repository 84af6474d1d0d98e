"""kill -9 in the middle of a run, at thirteen points of one home, each followed by another run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from homes import Home, open_home

from genoplatform.provenance import read_sidecar
from genoplatform.provenance.sidecar import iter_artefacts

SCRIPT = Path(__file__).with_name("kill_chain.py")


@pytest.fixture(scope="module")
def survivor(world, tmp_path_factory) -> tuple[Home, list]:
    """A home whose runs were all killed but the last, and how each run ended."""
    path = tmp_path_factory.mktemp("survivor")
    arguments = [world.mirror, world.catalogue, world.profiles, path]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", SCRIPT, *map(str, arguments)],
        env=os.environ | {"PYTHONHASHSEED": "4242", "PYTHONPATH": f"{SCRIPT.parents[2]}:{SCRIPT.parents[1]}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return open_home(path, world), json.loads(done.stdout)


def test_every_point_was_reached_and_the_last_run_finished(survivor):
    _, ends = survivor
    assert [end for point, end in ends if point is not None] == ["killed"] * 13
    assert ends[-1] == [None, "status 0"]


def test_the_result_is_that_of_an_uninterrupted_home_byte_for_byte(survivor, embedded):
    """Artefacts and sidecars; also two fresh homes, under two hash seeds."""
    home, _ = survivor
    assert home.files() == embedded.files()
    assert home.stale() == {}
    assert home.audit().findings == []


def test_nothing_is_left_over(survivor):
    home, _ = survivor
    root = home.platform.home_path
    assert [path.name for path in home.platform.store().rglob("*") if path.name.startswith(".")] == []
    assert (root / "run.lock").read_text() == ""
    cached = [path for path in (root / "cache" / "sha256").rglob("*") if path.is_file()]
    pins = [sidecar.pin for path in iter_artefacts(home.platform.store()) if (sidecar := read_sidecar(path)).pin]
    assert len(cached) == len({pin.sha256 for pin in pins}) > 0


def test_the_orphaned_dagster_runs_are_closed_as_failed(survivor):
    home, ends = survivor
    assert home.open_runs() == []
    failed = [run for run in home.all_runs() if run.status.value == "FAILURE"]
    assert len(failed) == sum(end == "killed" for _, end in ends)
