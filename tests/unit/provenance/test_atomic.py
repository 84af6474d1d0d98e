"""Atomic writes under exceptions and kills between any two steps."""

import os
import signal
import sys
import threading

import pytest

from genoplatform.provenance import atomic

OLD, NEW = b"old " * 5_000, b"new " * 7_000


class BrokenOffError(Exception):
    """Raised at a chosen step."""


def at_step(number, action):
    """Trace function that runs `action` at the n-th line executed inside atomic.py (counted from 1)."""
    executed = 0

    def trace(frame, event, argument):
        nonlocal executed
        if frame.f_code.co_filename != atomic.__file__:
            return None
        if event == "line":
            executed += 1
            if executed == number:
                action()
        return trace

    return trace


def killed_at(number, write):
    """Run `write` in a child that kills itself at step `number`; False once the child got to its end."""
    child = os.fork()
    if child == 0:
        sys.settrace(at_step(number, lambda: os.kill(os.getpid(), signal.SIGKILL)))
        write()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def interrupted_at(number, write):
    def interrupt():
        raise BrokenOffError

    before = sys.gettrace()
    sys.settrace(at_step(number, interrupt))
    try:
        write()
    except BrokenOffError:
        return True
    finally:
        sys.settrace(before)
    return False


def write_directory(target, content):
    with atomic.atomic_path(target) as temporary:
        (temporary / "sub").mkdir(parents=True)
        (temporary / "one").write_bytes(content)
        (temporary / "sub" / "two").write_bytes(content)


def content_of(target):
    """The content of a file, or of both files of a directory if they agree; None if there is nothing."""
    if not target.exists():
        return None
    if target.is_file():
        return target.read_bytes()
    found = {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert set(found) == {"one", "sub/two"}
    assert found["one"] == found["sub/two"]
    return found["one"]


def leftovers(folder):
    return [path for path in folder.rglob("*") if path.name.startswith(".")]


@pytest.fixture
def no_sync(monkeypatch):
    """The steps stay, the disk's waiting time does not: these tests kill processes, not the machine."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


WRITERS = {"file": atomic.write_bytes, "directory": write_directory}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("exists", [False, True], ids=["first write", "rewrite"])
@pytest.mark.usefixtures("no_sync")
@pytest.mark.parametrize("breakdown", [killed_at, interrupted_at])
def test_a_breakdown_at_any_step_leaves_the_old_or_the_new(tmp_path, kind, exists, breakdown):
    write, seen, step = WRITERS[kind], set(), 0
    while True:
        step += 1
        target = tmp_path / str(step) / "target"
        if exists:
            write(target, OLD)
        broken = breakdown(step, lambda target=target: write(target, NEW))
        seen.add(content_of(target))
        atomic.sweep_partials(target.parent)
        assert breakdown is interrupted_at or leftovers(target.parent) == []
        if not broken:
            break
    assert step > 15  # a directory's replacement and its clean-up take that many lines at least
    assert seen == {OLD if exists else None, NEW}


@pytest.mark.usefixtures("no_sync")
@pytest.mark.parametrize("breakdown", [killed_at, interrupted_at])
def test_without_an_atomic_exchange_the_sweep_puts_the_old_directory_back(tmp_path, monkeypatch, breakdown):
    monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    seen, step, broken = set(), 0, True
    while broken:
        step += 1
        target = tmp_path / str(step) / "target"
        write_directory(target, OLD)
        broken = breakdown(step, lambda target=target: write_directory(target, NEW))
        atomic.sweep_partials(target.parent)
        seen.add(content_of(target))
    assert seen == {OLD, NEW}


def test_a_body_that_fails_leaves_the_old_file_and_no_temporary(tmp_path):
    target = tmp_path / "target"
    atomic.write_bytes(target, OLD)

    def fail_half_way():
        with atomic.atomic_path(target) as temporary:
            temporary.write_bytes(NEW[:100])
            raise BrokenOffError

    with pytest.raises(BrokenOffError):
        fail_half_way()
    assert target.read_bytes() == OLD
    assert leftovers(tmp_path) == []


def test_a_directory_can_take_the_place_of_a_file_and_the_other_way_round(tmp_path):
    target = tmp_path / "target"
    atomic.write_bytes(target, OLD)
    write_directory(target, NEW)
    assert content_of(target) == NEW
    atomic.write_bytes(target, OLD)
    assert content_of(target) == OLD
    assert leftovers(tmp_path) == []


def test_a_reader_never_sees_a_replaced_directory_missing_or_mixed(tmp_path):
    target = tmp_path / "target"
    write_directory(target, OLD)
    stop, wrong = threading.Event(), []

    def read():
        while not stop.is_set():
            if not target.is_dir():
                wrong.append("missing")

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(50):
        write_directory(target, NEW if turn % 2 else OLD)
    stop.set()
    reader.join()
    assert wrong == []


def test_content_is_on_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    steps = []
    monkeypatch.setattr(atomic, "_sync", lambda path: steps.append(path.name))
    place = atomic._put_in_place
    monkeypatch.setattr(atomic, "_put_in_place", lambda *paths: (steps.append("in place"), place(*paths)))
    write_directory(tmp_path / "target", NEW)
    assert {"one", "sub", "two"} < set(steps[: steps.index("in place")])
    assert steps[-1] == tmp_path.name
    steps.clear()
    atomic.write_bytes(tmp_path / "file", NEW)
    assert steps[0].startswith(".file.pid")
    assert steps[1:] == ["in place", tmp_path.name]


def test_parents_are_made_and_text_is_utf8(tmp_path):
    atomic.write_text(tmp_path / "a" / "b" / "c.txt", "Bärbel")
    assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == "Bärbel".encode()


def test_the_sweep_spares_temporaries_of_living_processes(tmp_path):
    go, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        with atomic.atomic_path(tmp_path / "target") as temporary:
            temporary.write_bytes(NEW)
            os.write(done[1], b"!")
            os.read(go[0], 1)  # the sweep happens now
        os._exit(0)
    os.read(done[0], 1)
    assert atomic.sweep_partials(tmp_path) == []
    assert len(leftovers(tmp_path)) == 1
    os.write(go[1], b"!")
    os.waitpid(child, 0)
    assert (tmp_path / "target").read_bytes() == NEW


def test_the_sweep_spares_the_temporaries_of_its_own_process(tmp_path):
    with atomic.atomic_path(tmp_path / "target") as temporary:
        temporary.write_bytes(NEW)
        assert atomic.sweep_partials(tmp_path) == []
    assert (tmp_path / "target").read_bytes() == NEW


def test_the_sweep_removes_only_what_dead_writers_left(tmp_path):
    target = tmp_path / "core" / "table.parquet"
    atomic.write_bytes(target, OLD)
    kept = [tmp_path / ".hidden", tmp_path / ".notes.partial", tmp_path / "core" / "download.partial"]
    for path in kept:
        path.write_bytes(b"mine")

    def die_in_the_body():
        with atomic.atomic_path(tmp_path / "core" / "folder") as temporary:
            (temporary / "deep" / "deeper").mkdir(parents=True)
            (temporary / "deep" / "file").write_bytes(NEW)
            os.kill(os.getpid(), signal.SIGKILL)

    assert killed_at(10**9, die_in_the_body)
    (left,) = [path for path in (tmp_path / "core").iterdir() if ".pid" in path.name]
    assert atomic.sweep_partials(tmp_path) == [left]
    assert not left.exists()
    assert target.read_bytes() == OLD
    assert all(path.read_bytes() == b"mine" for path in kept)


def test_an_old_directory_left_aside_is_dropped_once_the_new_one_is_in(tmp_path):
    dead = os.fork()
    if dead == 0:
        os._exit(0)
    os.waitpid(dead, 0)
    write_directory(tmp_path / "target", NEW)
    aside = tmp_path / f".target.pid{dead}-0123456789ab.old.partial"
    write_directory(tmp_path / "other", OLD)
    (tmp_path / "other").rename(aside)
    assert atomic.sweep_partials(tmp_path) == [aside]
    assert content_of(tmp_path / "target") == NEW
    assert not aside.exists()


def test_a_sweep_of_nothing(tmp_path):
    assert atomic.sweep_partials(tmp_path / "not there") == []


def test_many_writers_of_one_file_leave_one_whole_version(tmp_path):
    target, contents = tmp_path / "target", [bytes([n]) * 200_000 for n in range(1, 5)]
    children = []
    for content in contents:
        child = os.fork()
        if child == 0:
            for _ in range(5):
                atomic.write_bytes(target, content)
            os._exit(0)
        children.append(child)
    while children:
        if target.exists():
            assert target.read_bytes() in contents
        done, status = os.waitpid(children[0], os.WNOHANG)
        if done:
            assert status == 0
            children.remove(done)
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
