"""What doctor finds, on machines made up for it: programs that are there, missing, old or broken; servers too."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from genoplatform.cli import app
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.health import Finding, look
from genoplatform.runner.health.card import card
from genoplatform.runner.health.instance import instance, postgres
from genoplatform.runner.health.pins import directories
from genoplatform.runner.health.programs import java, programs
from genoplatform.runner.health.vectors import server, vectors
from genoplatform.settings.profiles import load_profile

EMBEDDED, WORKSTATION = load_profile("embedded"), load_profile("workstation")
OPENJDK = 'openjdk version "{}" 2025-04-15\\nOpenJDK Runtime Environment'


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with nothing on its path, and a way of putting programs there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    for name in [name for name in os.environ if name.startswith(("GENOPLATFORM_", "DAGSTER_", "POSTGRES_"))]:
        monkeypatch.delenv(name)

    def put(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return put


def says(text: str, code: int = 0) -> str:
    """A script that prints to stderr, as Java does."""
    return f"printf '{text}\\n' >&2; exit {code}"


@pytest.mark.parametrize(
    ("script", "ok", "found"),
    [
        (says(OPENJDK.format("17.0.15")), True, '"17.0.15"'),
        (says(OPENJDK.format("21")), True, '"21"'),
        (says(OPENJDK.format("11.0.2")), False, '"11.0.2"'),
        (says(OPENJDK.format("1.8.0_392")), False, '"1.8.0_392"'),
        (says("Error: could not find libjava.so", 1), False, "fails: Error: could not find libjava.so"),
        (says("what is this"), False, "fails: what is this"),
    ],
)
def test_java_is_17_or_newer_and_starts(machine, script, ok, found):
    machine("java", script)
    finding = java(needed=True)
    assert finding.ok is ok
    assert found in finding.found
    assert finding.fix == "apt-get install openjdk-17-jre-headless"


def test_programs_are_needed_where_the_profile_ranks_with_them(machine, tmp_path, monkeypatch):
    assert [(item.what, item.ok, item.lacks) for item in programs(EMBEDDED)] == [
        ("Java", False, False), ("Exomiser", False, False), ("LIRICAL", False, False),
    ]  # fmt: skip
    assert [item.lacks for item in programs(WORKSTATION)] == [True, True, True]
    home = tmp_path / "lirical-cli-2.4.0"
    (home / "data").mkdir(parents=True)
    (home / "lirical-cli-2.4.0.jar").touch()
    monkeypatch.setenv("GENOPLATFORM_LIRICAL_HOME", str(home))
    lirical = programs(WORKSTATION)[2]
    assert "lacks hp.json" in lirical.found
    assert "download" in lirical.fix
    for name in ("hp.json", "phenotype.hpoa", "mim2gene_medgen", "en_product6.xml"):
        (home / "data" / name).touch()
    assert programs(WORKSTATION)[2].found == str(home / "lirical-cli-2.4.0.jar")


def test_no_card_is_not_a_broken_driver(machine):
    (none,) = card(WORKSTATION)
    assert (none.ok, none.found, none.needed) == (False, "none", False)
    assert card(EMBEDDED)[0].ok, "this profile needs none"
    machine("nvidia-smi", "echo 'NVIDIA-SMI has failed because it could not communicate with the driver'; exit 9")
    (broken,) = card(WORKSTATION)
    assert broken.found.startswith("the driver does not answer: NVIDIA-SMI has failed")
    assert broken.lacks
    assert "driver may be broken" in broken.fix
    assert not card(EMBEDDED)[0].ok
    assert not card(EMBEDDED)[0].lacks


@pytest.mark.parametrize(("total", "ok"), [(24564, True), (6144, False)])
def test_a_card_is_shown_with_its_memory_and_measured_against_the_embedder(machine, total, ok):
    machine("nvidia-smi", f"echo '0, NVIDIA RTX A5000, {total}, 4096'")
    (found,) = card(WORKSTATION)
    assert found.found.startswith(f"NVIDIA RTX A5000, 4096 MiB free, budget {total} MiB, held by ")
    assert found.ok is ok, "the embedder of the profile takes 8192 MiB"


@contextmanager
def answering(content: bytes) -> Iterator[str]:
    """A server on this machine that answers everything with `content`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    web = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{web.server_port}"
    finally:
        web.shutdown()
        web.server_close()


@pytest.mark.parametrize(
    ("content", "ok", "lacks", "found"),
    [
        (b'{"title": "qdrant", "version": "1.14.1"}', True, False, "1.14.1 at "),
        (b'{"title": "qdrant", "version": "1.9.0"}', False, False, "1.9.0 at "),
        (b"<html>hello</html>", False, True, "is no Qdrant"),
    ],
)
def test_the_vector_server_s_version(machine, monkeypatch, content, ok, lacks, found):
    with answering(content) as url:
        monkeypatch.setenv("GENOPLATFORM_QDRANT_URL", url)
        finding = server()
    assert (finding.ok, finding.lacks) == (ok, lacks)
    assert found in finding.found


def test_no_vector_server(machine, monkeypatch, tmp_path):
    monkeypatch.setenv("GENOPLATFORM_QDRANT_URL", f"http://127.0.0.1:{closed_port()}")
    (finding,) = vectors(PlatformResource(home=str(tmp_path), profile="workstation"))
    assert finding.lacks
    assert "does not answer" in finding.found
    assert "qdrant/qdrant:v1.14.1" in finding.fix
    monkeypatch.setenv("GENOPLATFORM_QDRANT_URL", "file:///etc/passwd")
    assert "no http address" in server().found


def test_an_index_that_was_recorded_and_is_gone(machine, tmp_path):
    from genoplatform.provenance.formats import FORMATS
    from genoplatform.resources.store_io import Envelope, write_with_provenance

    platform = PlatformResource(home=str(tmp_path), profile="embedded")
    assert [item.found for item in vectors(platform)][1:] == ["not built yet"]
    path = platform.artefact("core/retrieval/collection", None, "json")
    empty = {key: {} for key in ("fingerprint", "embedder", "bm25", "hnsw", "corpus")}
    value = {"engine": "edge", "collection": "genoplatform_embedded_0123", "points": 5, **empty}
    write_with_provenance(path, FORMATS["json"], "core/retrieval/collection", None, Envelope(value, "v", "1"))
    gone = vectors(platform)[1]
    assert gone.found == "genoplatform_embedded_0123 is recorded, but not on this disk"
    assert gone.fix.startswith("genoplatform run --select")
    path.write_text("{}")
    assert "sha256 recorded" in vectors(platform)[1].found


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_instance(machine, tmp_path, monkeypatch):
    assert [item.found for item in instance(tmp_path)] == ["made by the first run"]
    folder = tmp_path / "dagster"
    folder.mkdir()
    (folder / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    assert instance(tmp_path)[0].found.startswith("SQLite in ")
    (folder / "dagster.yaml").write_text("- not\n- settings\n")
    assert instance(tmp_path)[0].lacks
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "elsewhere"))
    assert instance(tmp_path)[0].found == f"no dagster.yaml in {tmp_path / 'elsewhere'}"


def test_a_database_that_cannot_be_reached(machine, monkeypatch):
    pytest.importorskip("psycopg2")
    names = {"hostname": "HOST", "username": "USER", "password": "PASSWORD", "db_name": "DB", "port": "PORT"}
    declared = {"postgres_db": {key: {"env": f"POSTGRES_{name}"} for key, name in names.items()}}
    missing = postgres(declared)
    assert missing.lacks
    assert missing.found.startswith("not set: POSTGRES_DB, POSTGRES_HOST")
    for name, value in {"HOST": "127.0.0.1", "USER": "u", "PASSWORD": "secret", "DB": "d"}.items():
        monkeypatch.setenv(f"POSTGRES_{name}", value)
    monkeypatch.setenv("POSTGRES_PORT", str(closed_port()))
    refused = postgres(declared)
    assert refused.lacks
    assert "Connection refused" in refused.found
    assert "secret" not in refused.found


def test_directories_of_the_user_s_that_a_profile_wants():
    assert directories(EMBEDDED) == []
    assert {"GENOPLATFORM_EXPRESSION", "GENOPLATFORM_PMC_OA"} <= set(directories(WORKSTATION))
    assert directories(load_profile("released")) == ["GENOPLATFORM_RELEASED"]


def test_every_lack_comes_with_what_mends_it(machine, tmp_path):
    for profile in ("embedded", "workstation", "released"):
        findings = look(PlatformResource(home=str(tmp_path), profile=profile))
        assert [item.what for item in findings if not item.ok and not item.fix] == []
        assert len({item.what for item in findings}) == len(findings)


@pytest.mark.parametrize(("profile", "code"), [("embedded", 0), ("workstation", 1)])
def test_the_command(machine, tmp_path, monkeypatch, profile, code):
    monkeypatch.setattr("genoplatform.runner.health.machine.MEMORY_GB", 0.0)  # of the machine that runs the tests
    asked = ["doctor", "--home", str(tmp_path / "home"), "--profile", profile]
    told = CliRunner().invoke(app, [*asked, "--json"])
    report = json.loads(told.stdout)
    assert (told.exit_code, report["ok"]) == (code, not code)
    assert {"what", "ok", "found", "needed", "fix"} == set(report["findings"][0])
    lines = CliRunner().invoke(app, asked).stdout.splitlines()
    assert len(lines) == len(report["findings"])
    lacks = [item["what"] for item in report["findings"] if item["needed"] and not item["ok"]]
    assert [line.split("  ")[1].strip() for line in lines if line.startswith("LACK")] == lacks
    assert not Path(tmp_path / "home").exists(), "looking changes nothing"


def test_a_finding_lacks_only_what_is_needed():
    assert Finding("a", False, "", True).lacks
    assert not Finding("a", False, "", False).lacks
    assert not Finding("a", True, "", True).lacks
