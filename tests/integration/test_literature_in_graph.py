"""Literature in the tiny world: packages as partitions, a directory of them that grows, a retraction that arrives."""

import json

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from homes import open_home
from tiny import write_world
from tiny_literature import file_list, jats, tar_gz, told_article

from genoplatform.literature.fingerprint import read_fingerprint

LITERATURE = "group:core_literature or group:raw_literature"
OLD, NEW = "oa_comm_xml.PMC000xxxxxx.baseline.2026-01-23", "oa_comm_xml.incr.2026-02-01"


def fates(home):
    report = pd.read_parquet(home.path("core/literature/parse_report"))
    return {(row.package, row.outcome): row.files for row in report.itertuples()}


def chunk_files(home, package):
    folder = home.path("core/literature/chunks", package, "directory")
    return {path.name: (path.stat().st_ino, path.read_bytes()) for path in sorted(folder.glob("shard_*"))}


def found_fingerprint(home):
    return read_fingerprint(home.path("core/literature/fingerprint", kind="directory"))


@pytest.fixture(scope="module")
def pinned_home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("literature")
    home = open_home(folder / "home", write_world(folder / "world"))
    home.run(LITERATURE)
    return home


def test_a_pinned_archive_is_one_package(pinned_home):
    assert fates(pinned_home) == {
        ("articles@tiny", "kept"): 30,
        ("articles@tiny", "no_id"): 1,
        ("articles@tiny", "xml_syntax"): 1,
    }
    errors = pd.read_parquet(pinned_home.path("core/literature/parse_errors"))
    assert dict(zip(errors["member"], errors["outcome"], strict=True)) == {
        "corpus/noid.xml": "no_id",
        "corpus/broken.xml": "xml_syntax",
    }
    found = found_fingerprint(pinned_home)
    assert (found.articles, found.distinct) == (30, found.chunks)
    assert found.chunks == sum(
        pq.read_metadata(path).num_rows
        for path in pinned_home.path("core/literature/chunks", "articles@tiny", "directory").glob("shard_*")
    )


def test_a_second_run_makes_nothing_and_the_audit_finds_nothing(pinned_home):
    before = pinned_home.files()
    assert pinned_home.stale(LITERATURE) == {}
    assert pinned_home.run(LITERATURE).made == []
    assert pinned_home.files() == before
    report = pinned_home.audit()
    assert report.findings == []
    assert report.pins_verified == 2


def test_making_all_of_it_again_gives_the_same_bytes(pinned_home):
    before = {name: content for name, content in pinned_home.files().items() if "provenance" not in name}
    pinned_home.run(LITERATURE, force=True)
    assert {name: content for name, content in pinned_home.files().items() if "provenance" not in name} == before


@pytest.fixture
def packages(tmp_path):
    directory = tmp_path / "packages"
    directory.mkdir()
    members = {f"PMC000xxxxxx/PMC{n}.xml": told_article(n) for n in range(1, 6)}
    (directory / f"{OLD}.tar.gz").write_bytes(tar_gz(members))
    rows = [(name, name.split("/")[1].removesuffix(".xml"), "no") for name in members]
    (directory / f"{OLD}.filelist.csv").write_bytes(file_list(rows))
    (directory / "own").mkdir()
    (directory / "own" / "a.nxml").write_bytes(told_article(77))
    return directory


@pytest.fixture
def directory_home(tmp_path, packages, monkeypatch):
    monkeypatch.setenv("TINY_PACKAGES", str(packages))
    world = write_world(tmp_path / "world")
    content = yaml.safe_load(world.profiles.read_text())
    content["embedded"]["slots"]["articles"] = "directory:TINY_PACKAGES/{partition}"
    world.profiles.write_text(yaml.safe_dump(content))
    return lambda: open_home(tmp_path / "home", world)


def test_a_directory_of_packages_grows_by_one(directory_home, packages):
    home = directory_home()
    home.run(LITERATURE)
    assert fates(home) == {(OLD, "kept"): 5, ("own", "kept"): 1}
    before, old = found_fingerprint(home), chunk_files(home, OLD)

    # A week later: a correction of article 3, a new article, and the news that article 5 is retracted.
    changed = jats(
        3, title="Gene TG04, corrected", sections=[("Results", ["A variant was found after all, it is said."])]
    )
    members = {"PMC000xxxxxx/PMC3.xml": changed, "PMC000xxxxxx/PMC6.xml": told_article(6)}
    members["PMC000xxxxxx/PMC5.xml"] = told_article(5)
    (packages / f"{NEW}.tar.gz").write_bytes(tar_gz(members))
    rows = [(name, name.split("/")[1].removesuffix(".xml"), "yes" if "PMC5" in name else "no") for name in members]
    (packages / f"{NEW}.filelist.csv").write_bytes(file_list(rows))

    home = directory_home()
    assert home.stale(LITERATURE)[f"raw/literature/articles[{NEW}]"] == "not made yet"
    assert f"core/literature/articles[{OLD}]" not in home.stale(LITERATURE)
    home.run(LITERATURE)
    assert fates(home) == {
        (NEW, "kept"): 2,
        (NEW, "retracted"): 1,
        (OLD, "kept"): 3,
        (OLD, "superseded"): 1,
        (OLD, "retracted"): 1,
        ("own", "kept"): 1,
    }
    after = found_fingerprint(home)
    assert after.articles == before.articles == 6
    counts = home.path("core/literature/fingerprint", kind="directory") / "chunks_by_article.tsv"
    assert [line.split("\t")[0] for line in counts.read_text().splitlines()] == [
        "PMC1", "PMC2", "PMC3", "PMC4", "PMC6", "PMC77"
    ]  # fmt: skip
    assert chunk_files(home, OLD) != old
    skipped = home.path("core/literature/articles", NEW, "directory") / "skipped_retractions.jsonl"
    assert json.loads(skipped.read_text()) == {
        "pmc_id": "PMC5", "tier": "oa_comm", "tarball": NEW, "reason": "retracted"
    }  # fmt: skip
    assert home.audit().ok


def test_packages_that_another_does_not_touch_keep_their_shards(directory_home, packages):
    home = directory_home()
    home.run(LITERATURE)
    old = chunk_files(home, OLD)
    (packages / f"{NEW}.tar.gz").write_bytes(tar_gz({"PMC000xxxxxx/PMC9.xml": told_article(9)}))
    home = directory_home()
    assert f"core/literature/chunks[{OLD}]" in home.run(LITERATURE).made
    assert chunk_files(home, OLD) == old, "linked, not tokenised again"
    inode = {name: node for name, (node, _) in chunk_files(home, OLD).items()}
    home.run('key:"core/literature/chunks"', partition=OLD, force=True)
    assert {name: node for name, (node, _) in chunk_files(home, OLD).items()} != inode, "forced is forced"


def test_a_retraction_that_only_the_file_list_learns_of_is_noticed(directory_home, packages):
    home = directory_home()
    home.run(LITERATURE)
    listing = packages / f"{OLD}.filelist.csv"
    listing.write_text(
        listing.read_text().replace("PMC2,2026-01-01 00:00:00,1,CC BY,no", "PMC2,2026-03-01 00:00:00,1,CC BY,Yes")
    )
    home = directory_home()
    assert home.stale(LITERATURE)[f"raw/literature/articles[{OLD}]"] == "the directory changed"
    home.run(LITERATURE)
    assert fates(home)[OLD, "retracted"] == 1


def test_a_profile_whose_directory_is_not_here_has_no_packages(directory_home, monkeypatch):
    monkeypatch.delenv("TINY_PACKAGES")
    home = directory_home()
    home.run(LITERATURE)
    assert fates(home) == {}
    assert found_fingerprint(home).chunks == 0
    assert {finding.problem for finding in home.audit().findings} <= {"no-root"}
