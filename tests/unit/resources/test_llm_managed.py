"""Managed servers: they come up or say why not, and whatever happens to us, they are gone afterwards."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from genoplatform.agents.llm import ChatRequest
from genoplatform.resources.llm import managed, records
from genoplatform.resources.llm.errors import ServerStartError
from genoplatform.resources.llm.managed import Launch, ManagedServer
from genoplatform.resources.llm.session import LlmSession
from genoplatform.settings.llm import ModelSettings

TOY = Path(__file__).with_name("llm_toy_server.py")
IDENTITY = {"server": "vllm", "version": "9.9", "model": "toy", "revision": "r", "evidence": "plumbing"}


def gone(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def toy(tmp_path):
    """Makes servers with a habit; stops them."""
    made = []

    def make(habit="", start_timeout_s=20.0, **more):
        children = str(tmp_path / "children")

        def launcher(port, key):
            argv = [sys.executable, "-I", "-S", str(TOY), str(port), "toy", habit]
            return Launch(argv, "toy", key, environment={"CHILDREN": children}, version_path="/version", **more)

        server = ManagedServer(launcher, tmp_path, start_timeout_s, "the toy")
        made.append(server)
        return server

    yield make
    for server in made:
        server.stop()


def processes(server):
    return [server._warden.pid, int(server._server[0])]


def left(home):
    return sorted(path.suffix for path in (home / records.FOLDER).iterdir())


def test_a_server_starts_answers_and_is_gone_after_a_stop(toy, tmp_path):
    server = toy()
    assert not server.alive()
    endpoint, facts = server.start()
    pids = processes(server)
    assert server.alive()
    assert endpoint.url.startswith("http://127.0.0.1:")
    assert facts["version"] == "9.9"
    assert facts["start_seconds"] > 0
    assert left(tmp_path) == [".json", ".log"]
    server.stop()
    assert all(map(gone, pids))
    assert not server.alive()
    assert left(tmp_path) == []
    server.stop()


def test_all_that_a_server_started_is_gone_too(toy, tmp_path):
    server = toy("children")
    server.start()
    pids = [*map(int, (tmp_path / "children").read_text().split()), *processes(server)]
    assert not any(map(gone, pids))
    server.stop()
    assert all(map(gone, pids))


def test_a_server_that_ignores_the_polite_signal_is_killed(toy, monkeypatch):
    monkeypatch.setattr(managed, "_GRACE_SECONDS", 0.3)
    server = toy("stubborn")
    server.start()
    pids = processes(server)
    server.stop()
    assert all(map(gone, pids))


@pytest.mark.parametrize(
    ("habit", "why"),
    [
        ("crash", "ended before it answered; its log ends:\nno such model: toy"),
        ("never healthy", "did not answer in the time"),
        ("another model", "another server answers"),
        ("deaf", "warm-up was answered by status 500"),
    ],
)
def test_a_server_that_does_not_come_up_says_why_and_is_gone(toy, tmp_path, habit, why):
    server = toy(habit, start_timeout_s=1.5 if habit == "never healthy" else 20.0)
    with pytest.raises(ServerStartError) as caught:
        server.start()
    assert why in str(caught.value)
    assert not server.alive()
    assert left(tmp_path) == [".log"], "the log stays to be read"
    assert not [each for each in psutil.process_iter(["cmdline"]) if str(TOY) in (each.info["cmdline"] or [])]


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    server = ManagedServer(lambda port, key: Launch(["/no/such/program"], "toy", key), tmp_path, 5.0, "the toy")
    with pytest.raises(ServerStartError, match="could not be started"):
        server.start()


def test_a_port_that_was_taken_meanwhile_is_another_try(toy):
    server = toy("port taken once")
    server.start()
    assert server.alive()


def test_what_lies_outside_the_process_tree_is_cleaned_up(toy, tmp_path):
    mark = tmp_path / "cleaned"
    server = toy(cleanup=["touch", str(mark)])
    server.start()
    server.stop()
    assert mark.exists()


PARENT = """
import json, sys, time
from pathlib import Path
from genoplatform.resources.llm.managed import Launch, ManagedServer
launch = lambda port, key: Launch(
    [sys.executable, "-I", "-S", {toy!r}, str(port), "toy", "children"], "toy", key,
    environment={{"CHILDREN": {children!r}}}, version_path="/version")
server = ManagedServer(launch, Path({home!r}), 20.0)
server.start()
print(json.dumps([server._warden.pid, int(server._server[0])]), flush=True)
{then}
"""


def parent_of_a_server(tmp_path, then):
    children = tmp_path / "children"
    code = PARENT.format(toy=str(TOY), home=str(tmp_path), children=str(children), then=then)
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    pids = json.loads(parent.stdout.readline()) + [int(pid) for pid in children.read_text().split()]
    return parent, pids


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_parent_leaves_no_process(tmp_path, number):
    parent, pids = parent_of_a_server(tmp_path, "time.sleep(600)")
    assert not any(map(gone, pids))
    parent.send_signal(number)
    parent.wait()
    wait_until(lambda: all(map(gone, pids)))
    parent.stdout.close()


@pytest.mark.parametrize("then", ["", "1 / 0"])
def test_a_parent_that_forgets_to_stop_leaves_no_process(tmp_path, then):
    parent, pids = parent_of_a_server(tmp_path, then)
    parent.wait()
    wait_until(lambda: all(map(gone, pids)))
    assert left(tmp_path) == []
    parent.stdout.close()


def test_a_parent_and_a_warden_killed_together_leave_no_server(tmp_path):
    parent, (warden, server, *_) = parent_of_a_server(tmp_path, "time.sleep(600)")
    parent.kill()
    os.kill(warden, signal.SIGKILL)
    parent.wait()
    wait_until(lambda: gone(server))
    parent.stdout.close()


def test_a_killed_warden_is_a_dead_server_and_stop_clears_up(toy):
    server = toy()
    server.start()
    warden, child = processes(server)
    os.kill(warden, signal.SIGKILL)
    wait_until(lambda: not server.alive())
    server.stop()
    assert gone(child)


def test_a_forked_child_does_not_stop_its_parents_server(toy):
    server = toy()
    server.start()
    pid = os.fork()
    if pid == 0:
        server.stop()
        os._exit(0)
    os.waitpid(pid, 0)
    assert server.alive()


def sleeper():
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)


def write_leftover(folder, owner, process, **changed):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "1-abc.json"
    records.write_record(path, process.pid, None, None)
    record = json.loads(path.read_text()) | {"owner": owner} | changed
    path.write_text(json.dumps(record))
    return path


def test_the_next_start_ends_what_a_dead_owner_left(toy, tmp_path):
    folder = tmp_path / records.FOLDER
    process = sleeper()
    write_leftover(folder, [process.pid, 1.0], process)  # that id once was another process
    server = toy()
    server.start()
    process.wait(10)
    assert left(tmp_path) == [".json", ".log"], "its own record, not the stale one"


@pytest.mark.parametrize("why", ["its owner lives", "another host"])
def test_others_servers_are_left_alone(tmp_path, why):
    process = sleeper()
    try:
        owner = records.named(os.getpid()) if why == "its owner lives" else None
        changed = {"host": "elsewhere"} if why == "another host" else {}
        path = write_leftover(tmp_path, owner, process, **changed)
        assert records.clear_leftovers(tmp_path) == []
        assert path.exists()
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_a_used_up_process_id_is_not_killed(tmp_path):
    process = sleeper()
    try:
        path = write_leftover(tmp_path, None, process, processes=[[process.pid, 1.0]])
        assert records.clear_leftovers(tmp_path) == [path]
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def test_a_damaged_record_is_left_alone(tmp_path):
    (tmp_path / "x.json").write_text("{")
    assert records.clear_leftovers(tmp_path) == []


def test_a_session_over_a_real_process_survives_its_death_once(toy, tmp_path):
    settings = ModelSettings(
        server="vllm", model="toy", revision="r", evidence="plumbing", context_tokens=10, timeout_s=10
    )
    words = ["hello", "kill yourself", "again", "kill yourself now", "too late"]
    with LlmSession(settings, IDENTITY, toy(), tmp_path) as session:
        answers = session.complete([ChatRequest("", word, 5) for word in words])
        assert [answer.error for answer in answers] == ["", "server_died", "", "server_died", "server_died"]
        assert answers[0].text.startswith("Bearer ")
        assert answers[0].text != answers[2].text, "another process has another key"
        assert len(session.tally.starts) == 2
    assert left(tmp_path) == []
