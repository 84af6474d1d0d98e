"""`genoplatform sources`: what it prints and how it exits."""

import hashlib
import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

from genoplatform.cli.download_progress import DownloadProgress
from genoplatform.cli.sources import sources_app
from genoplatform.errors import SettingsError
from genoplatform.settings.sources import Licence, LocalMirror, Source, SourceCatalogue

FREE = Licence(id="CC0-1.0", url="https://example.org/licence")
FILES = {"alpha": b"alpha\n", "beta": b"beta beta\n"}


def pin(name, content, size):
    return Source(
        id=f"{name}@1",
        title=name,
        version="1",
        file=f"{name}.txt",
        licence=FREE,
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=size,
        mirrors=(LocalMirror(kind="local", name=f"{name}.txt"),),
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The command on a catalogue of two pins, of which the local mirror has only the first."""
    catalogue = SourceCatalogue((pin("alpha", FILES["alpha"], 6), pin("beta", FILES["beta"], None)))
    monkeypatch.setattr("genoplatform.resources.sources.fetch.load_catalogue", lambda: catalogue)
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "alpha.txt").write_bytes(FILES["alpha"])
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(mirror))

    def call(*arguments):
        return CliRunner().invoke(sources_app, [*arguments, "--home", str(tmp_path / "home")])

    return call


def rot(tmp_path):
    (path,) = (tmp_path / "home").rglob("alpha.txt")
    path.chmod(0o644)
    path.write_bytes(b"rot\n\n\n")


def test_list_as_a_table(run, tmp_path):
    assert run("list").output.splitlines() == [
        "id       version  licence  bytes    cached",
        "alpha@1  1        CC0-1.0  6        no",
        "beta@1   1        CC0-1.0  unknown  no",
        f"2 sources, 0 cached below {tmp_path / 'home'}",
    ]


def test_list_as_json_is_one_array_on_stdout(run):
    run("fetch", "alpha@1")
    assert json.loads(run("list", "--json").stdout) == [
        {"id": "alpha@1", "title": "alpha", "version": "1", "licence": "CC0-1.0", "bytes": 6, "cached": True},
        {"id": "beta@1", "title": "beta", "version": "1", "licence": "CC0-1.0", "bytes": None, "cached": False},
    ]


def test_fetch_prints_where_the_file_is(run, tmp_path):
    result = run("fetch", "alpha@1")
    assert result.exit_code == 0, result.output
    line, summary = result.stdout.splitlines()
    path = tmp_path / "home" / "cache" / "sha256"
    assert line.startswith(f"alpha@1  {path}")
    assert line.endswith("/alpha.txt")
    assert summary == "1 of 1 sources in the cache"


def test_fetch_all_keeps_what_it_got_and_fails(run):
    result = run("fetch", "--all")
    assert result.exit_code == 1
    assert "1 of 2 sources in the cache" in result.stdout
    assert "beta@1  FAILED\nfetching beta@1: no mirror delivered it\n  local beta.txt: no such file in" in result.stderr


def test_fetch_profile(run, monkeypatch):
    profiles = {"small": SimpleNamespace(source_ids=["alpha@1"])}
    monkeypatch.setattr("genoplatform.settings.profiles.load_profile", profiles.__getitem__)
    result = run("fetch", "--profile", "small")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "1 of 1 sources in the cache")


@pytest.mark.parametrize("arguments", [(), ("alpha@1", "--all"), ("--all", "--profile", "embedded")])
def test_fetch_wants_one_way_of_choosing(run, arguments):
    result = run("fetch", *arguments)
    assert result.exit_code == 2
    assert "ids, or --profile NAME, or --all" in result.stderr


def test_fetch_of_an_unknown_id_obtains_nothing(run, tmp_path):
    result = run("fetch", "alpha@1", "gamma@1")
    assert isinstance(result.exception, SettingsError)
    assert not (tmp_path / "home").exists()


def test_verify(run, tmp_path):
    run("fetch", "alpha@1")
    good = run("verify")
    assert (good.exit_code, good.stdout) == (0, "alpha@1  ok\n1 ok, 0 corrupt, 1 missing\n")
    missing = run("verify", "beta@1")
    assert (missing.exit_code, missing.stdout.splitlines()[0]) == (1, "beta@1  missing")
    rot(tmp_path)
    bad = run("verify")
    assert bad.exit_code == 1
    assert f"alpha@1  CORRUPT  expected {hashlib.sha256(FILES['alpha']).hexdigest()}, found" in bad.stdout
    assert "genoplatform sources fetch alpha@1" in bad.stderr


def test_fetch_repairs_what_verify_found(run, tmp_path):
    run("fetch", "alpha@1")
    rot(tmp_path)
    result = run("fetch", "alpha@1")
    assert result.exit_code == 0
    assert "moved aside" in result.stderr
    assert run("verify", "alpha@1").exit_code == 0


def test_prune(run):
    run("fetch", "alpha@1")
    assert "0 bytes freed" in run("prune").stdout
    assert run("verify", "alpha@1").exit_code == 0


def test_importing_the_command_is_light():
    heavy = "{'dagster', 'pandas', 'yaml', 'pydantic'}"
    code = f"import sys, genoplatform.cli.sources; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("terminal", [True, False])
def test_bar_on_a_terminal_only_and_notes_everywhere(terminal):
    screen = io.StringIO()
    progress = DownloadProgress(Console(file=screen, force_terminal=terminal, width=100))
    progress.begin("alpha@1 (https)", 6)
    progress.update(6)
    progress.note("alpha@1: trying again")
    progress.end()
    assert ("alpha@1 (https)" in screen.getvalue()) is terminal
    assert "alpha@1: trying again" in screen.getvalue()
