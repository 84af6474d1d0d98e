"""From a package to records and claims: each file gets one outcome, nothing retracted passes, killed runs go on."""

import json
import tracemalloc

import pyarrow.parquet as pq
import pytest
from corpora import OPTIONS, claims, notices, read
from tiny_literature import file_list, jats, tar_gz, told_article

from genoplatform.errors import BadInputError
from genoplatform.literature import reading
from genoplatform.literature.chunking import iter_articles
from genoplatform.literature.packages import Package
from genoplatform.literature.reading import ReadOptions, read_outcomes, read_package, retracted_in
from genoplatform.literature.staging import Staging

IRRELEVANT = jats(50, title="Knees of horses", abstract=None, body="<p>Nothing of interest here.</p>")
FILES = {
    "d/PMC1.xml": told_article(1),
    "d/PMC2.xml": told_article(2),
    "d/PMC50.xml": IRRELEVANT,
    "d/empty.xml": b"",
    "d/broken.xml": told_article(3)[:-20],
    "d/latin.xml": told_article(4).replace(b"disease 4", "maladie héritée".encode("latin-1")),
    "d/front.xml": b"<article><body/></article>",
    "d/bomb.xml": b'<!DOCTYPE article [<!ENTITY a "b">]><article><front/></article>',
    "d/noid.xml": jats(5, ids={"doi": "10.1/5"}),
    "d/PMC1-again.xml": told_article(1),
}
OUTCOMES = {
    "d/PMC1.xml": "parsed",
    "d/PMC2.xml": "parsed",
    "d/PMC50.xml": "parsed",
    "d/empty.xml": "empty_file",
    "d/broken.xml": "xml_syntax",
    "d/latin.xml": "xml_syntax",
    "d/front.xml": "no_front",
    "d/bomb.xml": "entity_declaration",
    "d/noid.xml": "no_id",
    "d/PMC1-again.xml": "parsed",
}


def lay(folder, files, listed=None):
    folder.mkdir(exist_ok=True)
    (folder / "a.tar.gz").write_bytes(tar_gz(files))
    if listed is not None:
        (folder / "a.filelist.csv").write_bytes(file_list(listed))
    return folder


def records(folder):
    return [article.pmcid for article in iter_articles(folder, list(range(100)))]


def test_every_file_has_one_outcome(tmp_path):
    found = read(lay(tmp_path / "p", FILES), tmp_path / "out")
    assert claims(found) == OUTCOMES
    assert records(found) == ["PMC1", "PMC2", "PMC1"], "which PMC1 counts is decided over all packages"
    assert notices(found) == {}
    assert dict(read_outcomes(found))["parsed"] == 4
    everything = read(tmp_path / "p", tmp_path / "all", options=ReadOptions(("pmc", "doi"), only_relevant=False))
    assert records(everything) == ["PMC1", "PMC2", "PMC50", "doi:10.1/5", "PMC1"]


def test_a_retracted_article_never_gets_further(tmp_path):
    files = {"d/PMC1.xml": told_article(1), "d/other-name.xml": told_article(2), "d/PMC3.xml": told_article(3)}
    listed = [("d/PMC1.xml", "PMC1", "Yes"), ("elsewhere.xml", "PMC2", "yes"), ("d/PMC3.xml", "PMC3", "no")]
    found = read(lay(tmp_path / "p", files, listed), tmp_path / "out", "oa_comm_xml.incr.2026-02-01")
    assert claims(found) == {"d/PMC1.xml": "retracted", "d/other-name.xml": "retracted", "d/PMC3.xml": "parsed"}
    assert records(found) == ["PMC3"]
    assert retracted_in(found) == ["PMC1", "PMC2"]
    first, _ = (found / "skipped_retractions.jsonl").read_text().splitlines()
    assert json.loads(first) == {
        "pmc_id": "PMC1", "tier": "oa_comm", "tarball": "oa_comm_xml.incr.2026-02-01", "reason": "retracted",
    }  # fmt: skip


def test_a_retracted_article_is_not_even_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "parse_article", lambda *arguments: pytest.fail("parsed"))
    found = read(lay(tmp_path / "p", {"d/PMC1.xml": b"<"}, [("d/PMC1.xml", "PMC1", "yes")]), tmp_path / "out")
    assert claims(found) == {"d/PMC1.xml": "retracted"}


def test_a_list_without_the_file_and_a_file_without_the_list(tmp_path):
    listed = [("d/PMC1.xml", "PMC1", "no"), ("d/PMC8.xml", "PMC8", "no")]
    found = read(
        lay(tmp_path / "p", {"d/PMC1.xml": told_article(1), "d/PMC2.xml": told_article(2)}, listed), tmp_path / "o"
    )
    assert notices(found) == {"d/PMC8.xml": "listed_but_absent"}
    assert records(found) == ["PMC1", "PMC2"]
    (table,) = found.glob("claims_*")
    assert pq.read_table(table)["listed"].to_pylist() == [True, False]


def test_a_broken_file_list_stops_the_package(tmp_path):
    folder = lay(tmp_path / "p", {"d/PMC1.xml": told_article(1)})
    (folder / "a.filelist.csv").write_text("nonsense\n")
    with pytest.raises(BadInputError, match="no column"):
        read(folder, tmp_path / "out")


def test_a_truncated_archive_keeps_what_is_whole_and_says_so(tmp_path):
    files = {f"d/PMC{n}.xml": told_article(n) for n in range(1, 40)}
    content = tar_gz(files)
    (tmp_path / "a.tar.gz").write_bytes(content[: len(content) // 2])
    found = read(tmp_path / "a.tar.gz", tmp_path / "out")
    assert notices(found) == {"package": "package_damaged"}
    whole = records(found)
    assert 0 < len(whole) < 39
    assert whole == [f"PMC{n}" for n in range(1, len(whole) + 1)]


class KilledError(Exception):
    """Stands for the end of a process at an inconvenient moment."""


@pytest.mark.parametrize("fatal", range(1, 13))
def test_a_run_that_ends_anywhere_is_continued(tmp_path, monkeypatch, fatal):
    """Every write in turn is the last of a run; the second run ends with the very files of an undisturbed one."""
    monkeypatch.setattr(reading, "BLOCK", 3)
    source = lay(tmp_path / "p", FILES, [("d/PMC1.xml", "PMC1", "no"), ("d/PMC2.xml", "PMC2", "yes")])
    undisturbed = read(source, tmp_path / "whole")
    commit, writes = Staging.commit, iter(range(1, 1000))

    def failing(self, *arguments):
        if next(writes) == fatal:
            raise KilledError
        commit(self, *arguments)

    monkeypatch.setattr(Staging, "commit", failing)
    try:
        read(source, tmp_path / "out")
    except KilledError:
        parsed = []
        parse = reading.parse_article
        monkeypatch.setattr(reading, "parse_article", lambda *given: parsed.append(1) or parse(*given))
        read(source, tmp_path / "out")
        assert len(parsed) <= max(0, len(FILES) - 3 * ((fatal - 1) // 2)), "blocks that are whole are not parsed again"
    assert contents(tmp_path / "out") == contents(undisturbed)


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_second_reading_changes_nothing(tmp_path):
    source = lay(tmp_path / "p", FILES)
    before = contents(read(source, tmp_path / "out"))
    assert contents(read(source, tmp_path / "out")) == before


def test_memory_does_not_grow_with_the_package(tmp_path, monkeypatch):
    """Ten times the articles in blocks of ten: what is held at a time stays, in bytes that Python allocates."""
    monkeypatch.setattr(reading, "BLOCK", 10)
    peaks = {}
    for number, size in enumerate((40, 40, 400)):  # the first warms caches
        (tmp_path / "a.tar.gz").write_bytes(tar_gz({f"d/PMC{n}.xml": told_article(n) for n in range(1, size + 1)}))
        tracemalloc.start()
        read(tmp_path / "a.tar.gz", tmp_path / str(number))
        peaks[size] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peaks[400] < 1.2 * peaks[40] + 20_000


def test_parts_made_by_another_plan_are_thrown_away(tmp_path):
    read_package(lay(tmp_path / "p", FILES), Package("package"), Staging(tmp_path / "out", {"plan": 1}), OPTIONS)
    (tmp_path / "out" / "claims_0001.parquet").write_bytes(b"stale")
    staging = Staging(tmp_path / "out", {"plan": 2})
    assert [path.name for path in staging.folder.iterdir()] == ["plan.json"]
