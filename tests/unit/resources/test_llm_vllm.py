"""vLLM's command lines, and that version, revision and GPU memory are what was declared. vLLM itself is not needed."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from genoplatform.errors import SettingsError
from genoplatform.provenance import tree_sha256
from genoplatform.resources.llm import vllm
from genoplatform.resources.llm.address import Endpoint
from genoplatform.resources.llm.errors import LlmError
from genoplatform.resources.llm.managed import ManagedServer
from genoplatform.resources.llm.server import VllmServer, identity_of
from genoplatform.resources.llm.vllm import Budget, VllmPlace, launch
from genoplatform.settings.llm import ModelSettings

COMMIT = "b968826d9c46dd6066d109eabc6255188de91218"


def settings(**changed):
    fields = {
        "server": "vllm",
        "model": "Qwen/Qwen3-8B",
        "revision": COMMIT,
        "version": "0.20.1",
        "evidence": "science",
        "context_tokens": 32768,
        "max_concurrency": 8,
        "dtype": "float16",
        "reasoning_parser": "qwen3",
    }
    return ModelSettings(**{**fields, **changed})


def words(argv, first):
    return argv[argv.index(first) :]


COMMON = [
    "--model", "Qwen/Qwen3-8B", "--served-model-name", "Qwen/Qwen3-8B", "--seed", "42",
    "--revision", COMMIT, "--tokenizer-revision", COMMIT,
    "--dtype", "float16", "--max-model-len", "32768", "--max-num-seqs", "8", "--generation-config", "vllm",
    "--gpu-memory-utilization", "0.75", "--reasoning-parser", "qwen3",
]  # fmt: skip


@pytest.fixture
def python(monkeypatch):
    monkeypatch.setattr(vllm, "installed_version", lambda python: "0.20.1+cu128" if python == "/opt/python" else "")
    return VllmPlace(python="/opt/python")


def test_a_process_listens_on_loopback_only_and_its_key_is_no_argument(python):
    started = launch(settings(), python, Budget(1, 18000, 0.75), 8123, "secret")
    assert started.argv == [
        *["/opt/python", "-m", "vllm.entrypoints.openai.api_server", "--host", "127.0.0.1", "--port", "8123"],
        *COMMON,
    ]
    assert started.environment == {
        "VLLM_API_KEY": "secret",
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "CUDA_VISIBLE_DEVICES": "1",
    }
    assert started.facts == {
        "revision": COMMIT,
        "context_tokens": 32768,
        "gpu": 1,
        "vram_mb": 18000,
        "share": 0.75,
    }
    assert started.cleanup is None
    assert "secret" not in repr(started)


def test_a_container_is_published_on_loopback_only_and_removed_by_name():
    place = VllmPlace(image="vllm/vllm-openai:v0.20.1", model_dir="")
    started = launch(settings(), place, Budget(0, 18000, 0.75), 8123, "0123456789abcdef")
    argv = started.argv
    name = "genoplatform-llm-0123456789ab"
    assert argv[:8] == ["docker", "run", "--rm", "--name", name, "--ipc", "host", "--publish"]
    assert argv[8] == "127.0.0.1:8123:8000"
    assert argv[9:11] == ["--gpus", "device=0"]
    inside = ["--host", "0.0.0.0", "--port", "8000"]  # noqa: S104 - inside the container
    assert words(argv, "vllm/vllm-openai:v0.20.1")[1:] == [*inside, *COMMON]
    assert started.cleanup == ["docker", "rm", "--force", name]
    assert "0123456789abcdef" not in " ".join(argv)
    assert argv[argv.index("VLLM_API_KEY") - 1] == "--env"


def test_on_a_cpu_there_is_no_share_of_a_gpu(python):
    argv = launch(settings(reasoning_parser=None, arguments=["--enforce-eager"]), python, None, 1, "k").argv
    assert "--gpu-memory-utilization" not in argv
    assert "--reasoning-parser" not in argv
    assert argv[-1] == "--enforce-eager"


def test_a_directory_of_weights_must_be_the_declared_revision(tmp_path, python):
    snapshot = tmp_path / COMMIT
    snapshot.mkdir()
    (snapshot / "config.json").write_text("{}")
    place = VllmPlace(python="/opt/python", model_dir=str(snapshot))
    started = launch(settings(), place, None, 1, "k")
    assert words(started.argv, "--model")[1] == str(snapshot)
    assert "--revision" not in started.argv
    assert started.environment["HF_HUB_OFFLINE"] == "1"
    other = tmp_path / "weights"
    snapshot.rename(other)
    place = VllmPlace(python="/opt/python", model_dir=str(other))
    with pytest.raises(SettingsError, match=f"is weights, the profile declares {COMMIT}"):
        launch(settings(), place, None, 1, "k")
    declared = f"sha256:{tree_sha256(other)}"
    assert launch(settings(revision=declared), place, None, 1, "k").argv
    (other / "config.json").write_text("{ }")
    with pytest.raises(SettingsError, match=r"sha256:.* the profile declares sha256:"):
        launch(settings(revision=declared), place, None, 1, "k")
    with pytest.raises(SettingsError, match="no directory"):
        launch(settings(), VllmPlace(python="/opt/python", model_dir=str(snapshot)), None, 1, "k")


def test_where_vllm_is_must_be_said_and_true(python):
    with pytest.raises(LlmError, match=vllm.PYTHON_VARIABLE):
        launch(settings(), VllmPlace(), None, 1, "k")
    with pytest.raises(LlmError, match="has no vLLM"):
        launch(settings(), VllmPlace(python="/usr/bin/false"), None, 1, "k")
    with pytest.raises(LlmError, match=r"version 0.20.1\+cu128, the profile declares 0.19"):
        launch(settings(version="0.19"), python, None, 1, "k")


def test_an_interpreter_without_vllm_or_none_at_all_has_no_version():
    assert vllm.installed_version("/no/such/python") == ""
    assert vllm.installed_version(sys.executable) == ""


def test_the_identity_needs_no_server(python):
    place = VllmPlace()
    assert identity_of(settings(), COMMIT, place) == {
        "server": "vllm",
        "version": "0.20.1",
        "model": "Qwen/Qwen3-8B",
        "revision": COMMIT,
        "evidence": "science",
    }
    with pytest.raises(LlmError, match="declare `version`"):
        identity_of(settings(version=None), COMMIT, place)
    assert identity_of(settings(version=None), COMMIT, python)["version"] == "0.20.1+cu128"


@pytest.mark.parametrize("runs", ["0.20.1", "0.21.0"])
def test_the_running_version_decides_and_the_gpu_is_given_back(tmp_path, monkeypatch, runs):
    held = []

    @contextmanager
    def lease():
        held.append(True)
        yield Budget(0, 100, 0.5)
        held.pop()

    started = Endpoint("http://127.0.0.1:1/v1", "m"), {"version": runs}
    monkeypatch.setattr(ManagedServer, "start", lambda self: started)
    server = VllmServer(settings(), VllmPlace(image="x"), Path(tmp_path), lease)
    if runs == "0.20.1":
        assert server.start() == started
        assert held == [True]
        server.stop()
    else:
        with pytest.raises(LlmError, match=r"version 0.21.0, the profile declares 0.20.1"):
            server.start()
    assert held == []
