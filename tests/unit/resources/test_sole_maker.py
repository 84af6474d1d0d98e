"""One maker of an artefact at a time; what a killed one left is cleared away; a reader notices another maker."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from genoplatform.provenance.atomic import atomic_path
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.sole_maker import clear_leftovers, sole_maker
from genoplatform.resources.store_io import (
    Envelope,
    IntegrityError,
    read_verified,
    require_as_read,
    write_with_provenance,
)

FORK = multiprocessing.get_context("fork")


def silent(text: str) -> None:
    raise AssertionError(text)


def make(home: Path, name: str, told: list[str], inside) -> None:
    store = home / "store" / "embedded"
    with sole_maker(home, store, store / "core" / "x" / name, told.append):
        inside()


def hold(home: Path, name: str) -> None:
    """Hold the lock from when the file `ready` is there until the file `release` is."""

    def inside() -> None:
        (home / "ready").touch()
        appears(home / "release")

    make(home, name, [], inside)


def appears(path: Path) -> None:
    end = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def holder(tmp_path):
    """Another process that makes `taken.json`."""
    process = FORK.Process(target=hold, args=(tmp_path, "taken.json"))
    process.start()
    appears(tmp_path / "ready")
    yield process
    (tmp_path / "release").touch()
    process.join(30)


def test_the_second_waits_and_says_so_once(holder, tmp_path):
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        (tmp_path / "release").touch()

    store = tmp_path / "store" / "embedded"
    with sole_maker(tmp_path, store, store / "core" / "x" / "taken.json", tell):
        holder.join(30)
        assert holder.exitcode == 0, "it had let go before"
    assert told == ["another run is making core/x/taken.json; waiting for it to end"]


def test_others_do_not_wait(holder, tmp_path):
    store = tmp_path / "store" / "embedded"
    with sole_maker(tmp_path, store, store / "core" / "x" / "another.json", silent):
        pass


def test_a_killed_maker_holds_nothing(holder, tmp_path):
    os.kill(holder.pid, signal.SIGKILL)
    holder.join(30)
    make(tmp_path, "taken.json", [], lambda: None)


def test_it_is_let_go_after_an_error_too(tmp_path):
    def fails() -> None:
        raise KeyError("body")

    with pytest.raises(KeyError):
        make(tmp_path, "x.json", [], fails)
    told: list[str] = []
    make(tmp_path, "x.json", told, lambda: None)
    assert told == []


def test_locks_lie_outside_the_store(tmp_path):
    make(tmp_path, "x.json", [], lambda: None)
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()] == [
        "locks/embedded/core/x/x.json.lock"
    ]


def test_leftovers_of_one_artefact_go_and_those_of_others_stay(tmp_path):
    """A process id of another container says nothing: under the lock every temporary of the artefact is dead."""
    mine = [f".a[b].json.pid{os.getpid()}-0123456789ab.partial", ".a[b].json.provenance.json.pid7-0123456789ab.partial"]
    others = [".ab.json.pid7-0123456789ab.partial", ".a[b].jsonl.pid7-0123456789ab.partial", "a[b].json.pid7.partial"]
    for name in (*mine, *others):
        (tmp_path / name).write_text("half")
    clear_leftovers(tmp_path / "a[b].json")
    clear_leftovers(tmp_path / "a[b].json.provenance.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(others)
    clear_leftovers(tmp_path / "nowhere" / "x")


def test_an_old_version_set_aside_is_put_back_if_it_is_the_only_one(tmp_path):
    aside = ".shards.pid7-0123456789ab.old.partial"
    (tmp_path / aside).mkdir()
    (tmp_path / aside / "part").write_text("whole")
    clear_leftovers(tmp_path / "shards")
    assert (tmp_path / "shards" / "part").read_text() == "whole"
    (tmp_path / aside).mkdir()
    clear_leftovers(tmp_path / "shards")
    assert [path.name for path in tmp_path.iterdir()] == ["shards"]


def test_names_are_those_of_atomic_writes(tmp_path):
    with atomic_path(tmp_path / "x.json") as temporary:
        temporary.write_text("half")
        clear_leftovers(tmp_path / "x.json")
        assert not temporary.exists()
        temporary.write_text("whole")
    assert (tmp_path / "x.json").read_text() == "whole"


def test_what_another_run_made_again_meanwhile_is_not_recorded_as_read(tmp_path):
    """The record would name bytes that nobody computed with, and the next plan would call the result up to date."""
    path = tmp_path / "x.json"

    def write(value: list[int]) -> str:
        return write_with_provenance(path, FORMATS["json"], "core/x/x", None, Envelope(value, "v", "1")).sha256

    first = write([1])
    require_as_read(path, first)  # never read here: nothing to hold it against
    assert read_verified(path, FORMATS["json"]) == [1]
    require_as_read(path, first)
    second = write([2])
    with pytest.raises(IntegrityError, match=f"read sha256 {first}, now {second}"):
        require_as_read(path, second)
    assert read_verified(path, FORMATS["json"]) == [2]
    require_as_read(path, second)
