"""`SourceStore`: cache first, mirrors in order, the hash decides, and several processes at once are safe."""

import hashlib
import pickle
import subprocess
import sys

import pytest

from genoplatform.errors import SettingsError
from genoplatform.resources.sources.errors import HashMismatchError, SourceError, SourceUnavailableError
from genoplatform.resources.sources.fetch import SourceStore, mirror_from_environment
from genoplatform.settings.sources import HttpsMirror, LocalMirror, SourceCatalogue

CONTENT = b"format-version: 1.2\n" * 40
LOCAL = LocalMirror(kind="local", name="hp.obo")


@pytest.fixture
def mirror(tmp_path):
    path = tmp_path / "mirror"
    path.mkdir()
    return path


@pytest.fixture
def open_store(tmp_path, mirror, progress, retry):
    def make(*sources, **options):
        options = {"mirror_dir": mirror, "progress": progress, "retry": retry} | options
        return SourceStore(tmp_path / "home", SourceCatalogue(sources), **options)

    return make


def files_below(path):
    return [p.name for p in path.rglob("*") if p.is_file() and p.suffix != ".lock"]


def test_first_mirror_that_delivers_wins(open_store, mirror, pin, web):
    web.content = CONTENT
    source = pin(CONTENT, [LOCAL, HttpsMirror(kind="https", url=web.url)], name="hp.obo")
    store = open_store(source)
    assert store.fetch("data@1").path.read_bytes() == CONTENT
    assert len(web.ranges) == 1, "the local mirror is empty, so the address is asked"
    (mirror / "hp.obo").write_bytes(b"something else")
    assert store.fetch("data@1").path.read_bytes() == CONTENT
    assert len(web.ranges) == 1, "a cached file asks nobody"


def test_wrong_hash_names_everything_and_keeps_nothing(open_store, mirror, pin, web, tmp_path):
    forged = CONTENT.replace(b"1.2", b"1.3")
    (mirror / "hp.obo").write_bytes(forged)
    store = open_store(pin(CONTENT, [LOCAL, HttpsMirror(kind="https", url=web.url)], name="hp.obo"))
    expected, actual = (hashlib.sha256(c).hexdigest() for c in (CONTENT, forged))
    with pytest.raises(HashMismatchError) as caught:
        store.fetch("data@1")
    assert str(caught.value).startswith(
        f"fetching data@1 from local hp.obo: sha256 expected {expected}, found {actual}\n  -> nothing was kept"
    )
    assert files_below(tmp_path / "home") == []
    assert web.ranges == [], "no other mirror covers up for one that carries another file"


def test_all_mirrors_failed_lists_each_with_its_reason(open_store, pin, web, mirror):
    web.statuses = [404]
    store = open_store(pin(CONTENT, [LOCAL, HttpsMirror(kind="https", url=web.url)], name="hp.obo"))
    with pytest.raises(SourceUnavailableError) as caught:
        store.fetch("data@1")
    assert str(caught.value) == (
        "fetching data@1: no mirror delivered it"
        f"\n  local hp.obo: no such file in {mirror}"
        f"\n  https {web.url}: HTTP 404 Not Found"
        "\n  -> or put the file as hp.obo into a directory and set GENOPLATFORM_MIRROR to it"
    )
    assert not caught.value.transient


def test_a_transient_reason_makes_the_failure_transient(open_store, pin, web):
    web.statuses = [503] * 4
    with pytest.raises(SourceUnavailableError) as caught:
        open_store(pin(CONTENT, [LOCAL, HttpsMirror(kind="https", url=web.url)])).fetch("data@1")
    assert caught.value.transient
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (str(again), again.transient) == (str(caught.value), True)
    assert [f.found for _, f in again.failures] == [f.found for _, f in caught.value.failures]


def test_offline_asks_the_local_mirror_only(open_store, pin, web, mirror):
    source = pin(CONTENT, [HttpsMirror(kind="https", url=web.url), LOCAL], name="hp.obo")
    store = open_store(source, offline=True)
    with pytest.raises(SourceUnavailableError, match=r"not asked \(offline\)"):
        store.fetch("data@1")
    (mirror / "hp.obo").write_bytes(CONTENT)
    assert store.fetch("data@1").path.read_bytes() == CONTENT
    assert web.ranges == []


def test_corrupted_cache_entry_is_named_set_aside_and_obtained_again(open_store, pin, mirror, progress, tmp_path):
    (mirror / "hp.obo").write_bytes(CONTENT)
    store = open_store(pin(CONTENT, [LOCAL], name="hp.obo"))
    location = store.fetch("data@1").path
    location.chmod(0o644)
    location.write_bytes(b"rotten")
    assert [v.state for v in store.verify()] == ["corrupt"]
    assert store.fetch("data@1").path.read_bytes() == CONTENT
    assert progress.notes[0].startswith("reading data@1 from the cache: sha256 expected")
    assert [p.read_bytes() for p in (tmp_path / "home" / "cache" / "corrupt").iterdir()] == [b"rotten"]
    assert [v.state for v in store.verify()] == ["ok"]


def test_corrupted_entry_is_never_used_when_no_mirror_helps(open_store, pin, mirror):
    (mirror / "hp.obo").write_bytes(CONTENT)
    store = open_store(pin(CONTENT, [LOCAL], name="hp.obo"))
    location = store.fetch("data@1").path
    location.chmod(0o644)
    location.write_bytes(b"rotten")
    (mirror / "hp.obo").unlink()
    with pytest.raises(SourceUnavailableError):
        store.fetch("data@1")
    assert not location.exists()


def test_status_and_verify_before_and_after(open_store, pin, mirror):
    (mirror / "hp.obo").write_bytes(CONTENT)
    store = open_store(pin(CONTENT, [LOCAL], name="hp.obo"))
    assert [(s.id, s.licence, s.bytes, s.cached) for s in store.status()] == [("data@1", "CC0-1.0", 800, False)]
    assert [(v.state, v.actual) for v in store.verify(["data@1"])] == [("missing", "")]
    store.fetch("data@1")
    assert store.status()[0].cached
    assert [(v.state, v.actual == v.expected) for v in store.verify()] == [("ok", True)]


def test_unknown_source(open_store, pin):
    with pytest.raises(SettingsError, match="no source 'data@2'\n  -> known: data@1"):
        open_store(pin(CONTENT)).fetch("data@2")


def test_home_that_cannot_be_written(pin, tmp_path):
    (tmp_path / "home").write_text("a file, not a directory")
    store = SourceStore(tmp_path / "home", SourceCatalogue((pin(CONTENT),)))
    with pytest.raises(SourceError, match="check free space and permissions"):
        store.fetch("data@1")


def test_mirror_directory_is_read_from_the_environment_when_asked(monkeypatch, tmp_path):
    monkeypatch.delenv("GENOPLATFORM_MIRROR", raising=False)
    assert mirror_from_environment() is None
    monkeypatch.setenv("GENOPLATFORM_MIRROR", str(tmp_path))
    assert mirror_from_environment() == tmp_path


CHILD = """
import sys
from pathlib import Path
from genoplatform.resources.sources.fetch import SourceStore
from genoplatform.settings.sources import Source, SourceCatalogue
store = SourceStore(Path(sys.argv[1]), SourceCatalogue((Source.model_validate_json(sys.argv[2]),)))
print(store.fetch("data@1").path)
"""


def test_processes_that_fetch_at_once_download_once(pin, web, tmp_path):
    source = pin(web.content, [HttpsMirror(kind="https", url=web.url)])
    command = [sys.executable, "-c", CHILD, str(tmp_path / "home"), source.model_dump_json()]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    paths = {child.communicate(timeout=60)[0].strip() for child in children}
    assert [child.returncode for child in children] == [0, 0]
    assert len(paths) == 1
    assert web.ranges == [None]
