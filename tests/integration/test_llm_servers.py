"""The real servers: the small model on llama.cpp, and vLLM where this machine has one. Real HTTP, real processes."""

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
from genoplatform.provenance import tree_sha256
from genoplatform.resources.llm import records, vllm
from genoplatform.resources.llm.call_log import read_log
from genoplatform.resources.llm.errors import ServerStartError
from genoplatform.resources.llm.server import identity_of, server_for
from genoplatform.resources.llm.session import LlmSession
from genoplatform.resources.llm.vllm import VllmPlace
from genoplatform.settings.llm import ModelSettings

PIN = "smollm2-135m-instruct-q4_1@0.1.2"
SCHEMA = {
    "type": "object",
    "properties": {"gene": {"enum": ["FBN1", "TTN"]}, "confidence": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["gene", "confidence"],
    "additionalProperties": False,
}
RANK = ChatRequest("You are a geneticist.", "Which of FBN1 and TTN causes Marfan syndrome?", 80, SCHEMA, "rank")
FREE = ChatRequest("", "The capital of France is", 8, None, "free")
LONG = ChatRequest("", "word " * 3000, 8, None, "long")
COMMAND_LINES = ("llamacpp_server.py", "vllm.entrypoints.openai.api_server", "VLLM::")


@pytest.fixture
def weights(pinned):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed (pip install 'genoplatform[llm]')")
    return pinned(PIN)


def small(**changed):
    fields = {"server": "xllamacpp", "model": PIN, "evidence": "plumbing", "context_tokens": 1024, "timeout_s": 300}
    return ModelSettings(**{**fields, **changed})


def session_of(settings, home, path, place=None, **options):
    place = place or VllmPlace()
    identity = identity_of(settings, settings.revision or "pin", place)
    return LlmSession(settings, identity, server_for(settings, home, lambda pin: path, place), home, **options)


def servers():
    found = []
    for process in psutil.process_iter(["cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        if any(part in line for part in COMMAND_LINES):
            found.append(process.pid)
    return set(found)


def as_bytes(answers):
    """What may be written of answers, without the seconds of this machine."""
    kept = ("text", "parsed", "error", "finish_reason", "tokens_in", "tokens_out")
    return json.dumps([{part: getattr(answer, part) for part in kept} for answer in answers]).encode()


@pytest.mark.network
def test_the_small_model_answers_in_the_asked_form_and_replays_without_a_model(weights, tmp_path):
    before = servers()
    with session_of(small(), tmp_path, weights) as session:
        answers = session.complete([RANK, FREE, LONG])
        assert len(servers() - before) == 2, "the server and its warden"
    assert servers() == before
    ranked, free, too_long = answers
    assert ranked.parsed["gene"] in {"FBN1", "TTN"}
    assert ranked.error == ""
    assert free.text
    assert free.finish_reason == "length"
    assert (too_long.error, too_long.text) == ("context_overflow", "")
    detail = session.tally.first_details["context_overflow"]
    assert "exceeds the available context size (1024 tokens)" in detail
    (started,) = session.tally.starts
    assert started["context_tokens"] == 1024

    with session_of(small(), tmp_path, Path("/no/such/weights"), replay_only=True) as replayed:
        again = replayed.complete([RANK, FREE, LONG])
    assert as_bytes(again) == as_bytes(answers)
    assert all(answer.cached for answer in again)
    assert replayed.tally.starts == []
    log = read_log(tmp_path)
    assert len(log) == 6
    assert set(log["evidence"]) == {"plumbing"}
    assert set(log.loc[log["purpose"] == "rank", "structured"]) == {"json_schema"}


@pytest.mark.network
def test_two_servers_give_the_same_bytes_in_whatever_order_they_are_asked(weights, tmp_path):
    answers = []
    for name, requests in (("one", [RANK, FREE]), ("two", [FREE, RANK])):
        with session_of(small(), tmp_path / name, weights) as session:
            answers.append(session.complete(requests))
    assert as_bytes(answers[0]) == as_bytes(answers[1][::-1])


@pytest.mark.network
def test_the_small_model_killed_in_the_middle_is_started_again_once(weights, tmp_path):
    before = servers()
    with session_of(small(), tmp_path, weights) as session:
        session.require_ready()
        for pid in servers() - before:
            if "llamacpp_server.py" in " ".join(psutil.Process(pid).cmdline()[:3]):
                os.kill(pid, signal.SIGKILL)
        died, answered = session.complete([FREE, ChatRequest("", "Hello", 3)])
        assert (died.error, answered.error) == ("server_died", "")
    assert servers() == before


@pytest.mark.network
def test_weights_that_are_none_are_a_clear_error(weights, tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with session_of(small(), tmp_path, broken) as session:
        (answer,) = session.complete([FREE])
        assert answer.error == "server_start"
        with pytest.raises(ServerStartError, match=r"broken\.gguf"):
            session.require_ready()


PARENT = """
import sys, time
sys.path.insert(0, {here!r})
from pathlib import Path
from test_llm_servers import session_of, small
session = session_of(small(), Path({home!r}), Path({weights!r}))
session.require_ready()
print("ready", flush=True)
time.sleep(600)
"""


@pytest.mark.network
def test_a_killed_platform_leaves_no_server(weights, tmp_path):
    before = servers()
    code = PARENT.format(here=str(Path(__file__).parent), home=str(tmp_path), weights=str(weights))
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout.readline() == b"ready\n"
    assert len(servers() - before) == 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while servers() - before:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    (stale,) = (tmp_path / records.FOLDER).glob("*.json")
    assert records.clear_leftovers(stale.parent) == [stale]


@pytest.fixture
def vllm_place():
    place = VllmPlace.of_environment()
    if not (place.python and place.model_dir):
        pytest.skip(f"{vllm.PYTHON_VARIABLE} and {vllm.MODEL_VARIABLE} name no vLLM and no weights for it")
    return place


def test_vllm_starts_answers_stops_and_leaves_no_process(vllm_place, tmp_path, monkeypatch, record_property):
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
    before = servers()
    revision = f"sha256:{tree_sha256(Path(vllm_place.model_dir))}"
    settings = ModelSettings(
        server="vllm",
        model="small",
        revision=revision,
        evidence="plumbing",
        context_tokens=1024,
        max_concurrency=4,
        timeout_s=300,
        start_timeout_s=900,
        arguments=["--enforce-eager"],
    )
    many = [ChatRequest("", f"Tell me of gene {number}.", 20, None, "many") for number in range(8)]
    with session_of(settings, tmp_path, Path(), vllm_place) as session:
        answers = session.complete([RANK, FREE, LONG, *many])
        assert len(servers() - before) >= 2
    assert servers() == before
    assert answers[0].parsed is not None
    assert [answer.error for answer in answers] == ["", "", "context_overflow", *[""] * 8]
    (started,) = session.tally.starts
    assert started["version"].partition("+")[0] == session.identity["version"].partition("+")[0]
    assert started["revision"] == revision
    record_property("vllm", json.dumps(session.tally.facts()))
    with session_of(settings, tmp_path, Path(), vllm_place, replay_only=True) as replayed:
        assert as_bytes(replayed.complete([RANK, FREE, LONG, *many])) == as_bytes(answers)
