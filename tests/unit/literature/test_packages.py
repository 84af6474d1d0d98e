"""Packages: their names, their order, what a directory of them holds, their file lists, and their members."""

import random

import pytest
from tiny_literature import file_list, jats, tar_gz, zipped

from genoplatform.errors import BadInputError
from genoplatform.literature import members as members_module
from genoplatform.literature.file_list import read_file_list
from genoplatform.literature.members import DamagedPackageError, file_list_of, iter_members
from genoplatform.literature.packages import Package, file_list_beside, newest_first, packages_in
from genoplatform.literature.xml_input import ArticleError

BASELINE = "oa_comm_xml.PMC010xxxxxx.baseline.2026-01-23"


def test_what_a_name_says():
    assert Package.named(BASELINE) == Package(BASELINE, "oa_comm", "2026-01-23", baseline=True)
    update = Package.named("oa_other_xml.incr.2026-02-01")
    assert (update.tier, update.date, update.baseline) == ("oa_other", "2026-02-01", False)
    assert Package.named("my-articles") == Package("my-articles", "local", "", baseline=False)


def test_newest_first_baselines_behind_increments_of_their_day_and_undated_last():
    order = [
        "oa_comm_xml.incr.2026-05-02",
        "oa_noncomm_xml.incr.2026-05-02",
        "oa_comm_xml.incr.2026-01-23",
        BASELINE,
        "oa_other_xml.PMC000xxxxxx.baseline.2026-01-23",
        "a",
        "b",
    ]
    for seed in range(5):
        shuffled = random.Random(seed).sample(order, len(order))
        assert [package.name for package in newest_first(shuffled)] == order


def test_packages_of_a_directory(tmp_path):
    for name in ("a.tar.gz", "a.filelist.csv", "b.zip", ".c.zip", "notes.txt", "d-1.0.whl"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "e").mkdir()
    found = packages_in(tmp_path)
    assert {name: path.name for name, path in found.items()} == {
        "a": "a.tar.gz", "b": "b.zip", "d-1.0": "d-1.0.whl", "e": "e",
    }  # fmt: skip
    assert file_list_beside(found["a"]) == tmp_path / "a.filelist.csv"
    assert file_list_beside(found["b"]) is None
    (tmp_path / "a").mkdir()
    with pytest.raises(BadInputError, match=r"a and a\.tar\.gz are one package by name"):
        packages_in(tmp_path)


def test_loose_articles_are_not_overlooked(tmp_path):
    (tmp_path / "x.nxml").write_bytes(b"")
    with pytest.raises(BadInputError, match="lies outside a package"):
        packages_in(tmp_path)


def test_a_file_list(tmp_path):
    path = tmp_path / "a.filelist.csv"
    rows = [("d/PMC1.xml", "PMC1", "no"), ("./d/PMC2.xml", "PMC2", "YES"), ("d/PMC3.xml", "PMC3", " Yes ")]
    path.write_bytes(b"\xef\xbb\xbf" + file_list(rows))
    found = read_file_list(path)
    assert found.given
    assert found.retracted == {"PMC2", "PMC3"}
    assert found.meet("./d/PMC1.xml") == "PMC1"
    assert found.meet("d/PMC1.xml") is None, "met once"
    assert found.meet("d/PMC9.xml") is None
    assert set(found.articles) == {"d/PMC2.xml", "d/PMC3.xml"}
    assert not read_file_list(None).given


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "no column Article File, AccessionID, Retracted"),
        (b"Article File,AccessionID\na,b\n", "no column Retracted"),
        (file_list([("a.xml", "PMC1", "no")])[:-20], "line 2 is cut short"),
        (file_list([("a.xml", "", "no")]), "line 2 is cut short"),
        (b"\xff\xfe" + file_list([]), "codec can't decode"),
    ],
)
def test_a_file_list_that_cannot_be_trusted_is_refused(tmp_path, content, fault):
    path = tmp_path / "a.filelist.csv"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=fault):
        read_file_list(path)


FILES = {"z/1.xml": b"<one/>", "a/2.nxml": b"<two/>", "a/figure.jpg": b"no"}


def read_all(path):
    return [(member.name, member.read()) for member in iter_members(path)]


def test_members_of_every_kind_of_package(tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(tar_gz(FILES))
    assert read_all(tmp_path / "a.tar.gz") == [("z/1.xml", b"<one/>"), ("a/2.nxml", b"<two/>")], "as they lie"
    (tmp_path / "a.whl").write_bytes(zipped(FILES))
    assert read_all(tmp_path / "a.whl") == [("a/2.nxml", b"<two/>"), ("z/1.xml", b"<one/>")], "by name"
    folder = tmp_path / "folder"
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    assert read_all(folder) == [("a/2.nxml", b"<two/>"), ("z/1.xml", b"<one/>")]
    view = tmp_path / "view"
    view.mkdir()
    (view / "a.tar.gz").symlink_to(tmp_path / "a.tar.gz")
    (view / "a.filelist.csv").write_bytes(file_list([]))
    assert [name for name, _ in read_all(view)] == ["z/1.xml", "a/2.nxml"]
    assert file_list_of(view) == view / "a.filelist.csv"
    assert file_list_of(tmp_path / "a.tar.gz") is None


def test_links_in_an_archive_are_not_followed(tmp_path):
    import io
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            entry = tarfile.TarInfo(f"{kind.decode()}.xml")
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    (tmp_path / "a.tar.gz").write_bytes(buffer.getvalue())
    assert read_all(tmp_path / "a.tar.gz") == []


@pytest.mark.parametrize("keep", [0, 1, 10, 200, -700, -30, -8, -1])
def test_an_archive_cut_anywhere_gives_what_is_whole_and_says_so(tmp_path, keep):
    rng = random.Random(1)
    files = {f"{n}.xml": jats(n, abstract=rng.randbytes(600).hex()) for n in range(1, 20)}
    content = tar_gz(files)
    (tmp_path / "a.tar.gz").write_bytes(content[:keep])
    got = []
    with pytest.raises(DamagedPackageError):
        got.extend((member.name, member.read()) for member in iter_members(tmp_path / "a.tar.gz"))
    assert got == list(files.items())[: len(got)]


def test_damage_in_the_middle_of_an_archive_is_not_its_end(tmp_path):
    import gzip

    content = bytearray(gzip.decompress(tar_gz({f"{n}.xml": b"<a/>" * 100 for n in range(9)})))
    content[1024 * 3 : 1024 * 3 + 512] = b"\xff" * 512  # the fourth header
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(bytes(content)))
    with pytest.raises(DamagedPackageError):
        read_all(tmp_path / "a.tar.gz")


def test_one_damaged_file_of_a_zip_does_not_lose_the_others(tmp_path):
    content = bytearray(zipped({"a.xml": b"<a/>" * 99, "b.xml": b"<b/>"}))
    content[40] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(content)
    members = iter_members(tmp_path / "a.zip")
    with pytest.raises(ArticleError) as caught:
        next(members).read()
    assert caught.value.reason == "damaged_file"
    assert next(members).read() == b"<b/>"
    (tmp_path / "a.zip").write_bytes(content[:-30])
    with pytest.raises(DamagedPackageError):
        read_all(tmp_path / "a.zip")


def test_a_member_beyond_the_bound_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(members_module, "MAX_ARTICLE_BYTES", 10)
    (tmp_path / "a.tar.gz").write_bytes(tar_gz({"a.xml": b"<a>" + b"x" * 99 + b"</a>", "b.xml": b"<b/>"}))
    sizes = []
    for member in iter_members(tmp_path / "a.tar.gz"):
        try:
            sizes.append(len(member.read()))
        except ArticleError as error:
            sizes.append(error.reason)
    assert sizes == ["too_large", 4]
