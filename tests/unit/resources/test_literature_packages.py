"""Packages as partitions: their keys by profile, and views that make one thing of an archive and its file list."""

import pytest
from tiny_literature import file_list, tar_gz

from genoplatform.errors import SettingsError
from genoplatform.provenance import PinRef, file_sha256
from genoplatform.resources.literature_packages import package_keys, package_view
from genoplatform.resources.partition_keys import LITERATURE_PACKAGE, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.settings.profiles import load_profile


@pytest.fixture
def directory(tmp_path):
    folder = tmp_path / "pmc"
    folder.mkdir()
    for name in ("b", "a"):
        (folder / f"{name}.tar.gz").write_bytes(tar_gz({f"{name}.xml": b"<a/>"}))
    (folder / "a.filelist.csv").write_bytes(file_list([("a.xml", "PMC1", "no")]))
    (folder / "plain").mkdir()
    (folder / "plain" / "x.xml").write_bytes(b"<a/>")
    return folder


def test_keys_of_the_shipped_profiles(directory, monkeypatch, tmp_path):
    monkeypatch.setenv("GENOPLATFORM_PMC_OA", str(directory))
    assert package_keys(load_profile("embedded")) == ["plos-articles@0.11.1"]
    assert package_keys(load_profile("workstation")) == ["a", "b", "plain"]
    assert package_keys(load_profile("released")) == []
    platform = PlatformResource(home=str(tmp_path), profile="workstation")
    assert keys_of(LITERATURE_PACKAGE, platform) == ["a", "b", "plain"]


@pytest.mark.parametrize("value", [None, "", "/no/such/directory"])
def test_no_directory_no_packages(monkeypatch, value):
    monkeypatch.delenv("GENOPLATFORM_PMC_OA", raising=False)
    if value is not None:
        monkeypatch.setenv("GENOPLATFORM_PMC_OA", value)
    assert package_keys(load_profile("workstation")) == []


def test_a_view_holds_the_archive_and_its_list(directory, tmp_path):
    view = package_view(directory, "a", tmp_path / "views")
    assert {path.name: path.readlink() for path in view.iterdir()} == {
        "a.tar.gz": directory / "a.tar.gz", "a.filelist.csv": directory / "a.filelist.csv",
    }  # fmt: skip
    assert package_view(directory, "plain", tmp_path / "views") == directory / "plain"


def test_a_view_follows_the_directory(directory, tmp_path):
    views = tmp_path / "views"
    before = file_sha256(package_view(directory, "a", views))
    assert file_sha256(package_view(directory, "a", views)) == before
    (directory / "a.filelist.csv").write_bytes(file_list([("a.xml", "PMC1", "yes")]))
    retracted = file_sha256(package_view(directory, "a", views))
    (directory / "a.filelist.csv").unlink()
    assert len({before, retracted, file_sha256(package_view(directory, "a", views))}) == 3
    (directory / "a.tar.gz").rename(directory / "a.tgz")
    assert [path.name for path in package_view(directory, "a", views).iterdir()] == ["a.tgz"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.tgz").write_bytes(b"")
    (link,) = package_view(other, "a", views).iterdir()
    assert link.readlink() == other / "a.tgz"


@pytest.mark.parametrize("name", ["c", "../pmc/a", "a.tar.gz"])
def test_a_package_that_is_not_there(directory, tmp_path, name):
    with pytest.raises(SettingsError, match="no package"):
        package_view(directory, name, tmp_path / "views")


def test_a_package_is_pinned_and_found_again(directory, tmp_path, monkeypatch):
    monkeypatch.setenv("GENOPLATFORM_PMC_OA", str(directory))
    platform = PlatformResource(home=str(tmp_path / "home"), profile="workstation")
    pin = platform.pin("articles", "a")
    assert isinstance(pin, PinRef)
    assert (pin.kind, pin.source_id) == ("directory", "directory:GENOPLATFORM_PMC_OA/a")
    located = platform.locate(pin)
    assert file_sha256(located) == pin.sha256
    assert pin.bytes == sum(path.stat().st_size for path in directory.glob("a.*"))
    monkeypatch.delenv("GENOPLATFORM_PMC_OA")
    assert platform.locate(pin) is None
