"""Containers: the same packets from every kind, nothing extracted, nothing unsafe, no silent truncation."""

import gzip
import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

from genoplatform.cohort.archives import MAX_MEMBER_BYTES, Skipped, iter_json
from genoplatform.errors import BadInputError

FILES = {"0.1/AAA/one.json": b'{"id": 1}', "0.1/BBB/two.json": b'{"id": 2}', "0.1/README.md": b"no json"}
WANTED = {"0.1/AAA/one.json": b'{"id": 1}', "0.1/BBB/two.json": b'{"id": 2}'}


def tar_bytes(files: dict[str, bytes], links: dict[str, str] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, target in (links or {}).items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return buffer.getvalue()


def zip_file(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def read(path: Path) -> tuple[dict[str, bytes], Skipped]:
    skipped: Skipped = []
    return dict(iter_json(path, skipped)), skipped


@pytest.mark.parametrize("kind", ["dir", "zip", "tar", "tar.gz", "tar.xz"])
def test_every_container_yields_the_same_json_members(tmp_path, kind):
    if kind == "dir":
        path = tmp_path / "release"
        for name, data in FILES.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    elif kind == "zip":
        path = zip_file(tmp_path / "release.zip", FILES)
    else:
        pack = {"tar": bytes, "tar.gz": gzip.compress, "tar.xz": lzma.compress}[kind]
        path = write(tmp_path / f"release.{kind}", pack(tar_bytes(FILES)))
    assert read(path) == (WANTED, [])


def test_kind_is_told_by_content_not_by_name(tmp_path):
    assert read(write(tmp_path / "release.bin", lzma.compress(tar_bytes(FILES))))[0] == WANTED


def test_climbing_absolute_and_drive_paths_are_listed_not_read(tmp_path):
    files = {"../AAA/x.json": b"{}", "/etc/AAA/x.json": b"{}", "C:\\AAA\\x.json": b"{}", "ok/AAA/x.json": b"{}"}
    for path in (zip_file(tmp_path / "a.zip", files), write(tmp_path / "a.tar", tar_bytes(files))):
        found, skipped = read(path)
        assert list(found) == ["ok/AAA/x.json"]
        assert [reason for _, reason, _ in skipped] == ["unsafe-path"] * 3


def test_links_hidden_files_and_giants_are_listed_not_read(tmp_path):
    giant = b" " * (MAX_MEMBER_BYTES + 1)
    files = {"r/AAA/._x.json": b"{}", "__MACOSX/AAA/x.json": b"{}", "r/AAA/big.json": giant}
    path = write(tmp_path / "a.tar.gz", gzip.compress(tar_bytes(files, {"r/AAA/l.json": "/etc/passwd"})))
    found, skipped = read(path)
    assert found == {}
    assert {name: reason for name, reason, _ in skipped} == {
        "r/AAA/._x.json": "hidden",
        "__MACOSX/AAA/x.json": "hidden",
        "r/AAA/big.json": "too-large",
        "r/AAA/l.json": "link",
    }


def test_a_symlink_out_of_the_directory_is_not_followed(tmp_path):
    (tmp_path / "secret.json").write_text("{}")
    directory = tmp_path / "release" / "AAA"
    directory.mkdir(parents=True)
    (directory / "x.json").symlink_to(tmp_path / "secret.json")
    assert read(tmp_path / "release") == ({}, [("AAA/x.json", "link", "points outside the directory")])


@pytest.mark.parametrize("cut", ["compressed", "between members", "no end marker"])
def test_a_truncated_archive_is_an_error_not_fewer_cases(tmp_path, cut):
    whole = tar_bytes(WANTED)
    data = {
        "compressed": lzma.compress(whole)[:-40],
        "between members": whole[:1024],  # header and data of the first member: a valid start of a tar
        "no end marker": whole[:2048],
    }[cut]
    with pytest.raises(BadInputError, match=r"broken, truncated"):
        read(write(tmp_path / "a.tar", data))


def test_a_damaged_zip_member_is_an_error(tmp_path):
    path = zip_file(tmp_path / "a.zip", {"r/AAA/x.json": json.dumps({"id": "x" * 50}).encode()})
    path.write_bytes(path.read_bytes().replace(b"xxxxx", b"yyyyy", 1))
    with pytest.raises(BadInputError, match="CRC"):
        read(path)


def test_no_such_path_and_no_archive(tmp_path):
    with pytest.raises(BadInputError, match="does not exist"):
        read(tmp_path / "nowhere")
    with pytest.raises(BadInputError, match="unknown kind"):
        read(write(tmp_path / "a.zip", b"certainly no archive" * 100))
