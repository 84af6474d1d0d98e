"""Chunks of a package: rows as specified, the same whatever the sharding, and nothing lost or doubled by a kill."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpora import chunk
from tiny_literature import SENTENCE, jats, tar_gz, told_article, write_tokenizer

from genoplatform.literature import chunking
from genoplatform.literature.article import Article, Author, Section
from genoplatform.literature.chunk_table import CHUNK_COLUMNS, CHUNK_SCHEMA, chunk_shards, iter_chunks
from genoplatform.literature.chunking import article_chunks
from genoplatform.literature.fingerprint import chunk_pairs, fingerprint
from genoplatform.literature.ids import chunk_id
from genoplatform.literature.windows import Chunker, Windowing

HERE = Path(__file__).parent
ARTICLES = 13


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return write_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    files = {f"PMC{n}.xml": told_article(n) for n in range(1, ARTICLES)}
    files["PMC90.xml"] = jats(90, title="A gene", abstract=None, sections=[("Results", ["Too short."])])
    path = tmp_path_factory.mktemp("package") / "a.tar.gz"
    path.write_bytes(tar_gz(files))
    return path


@pytest.fixture(scope="module")
def undisturbed(source, tokenizer, tmp_path_factory):
    return chunk(source, tokenizer, tmp_path_factory.mktemp("whole"))


def table(folder):
    return pa.Table.from_batches(iter_chunks(folder), CHUNK_SCHEMA)


def shards(folder):
    return {path.name: path.read_bytes() for path in chunk_shards(folder)}


def test_rows_are_as_specified(tokenizer):
    long = "one two three four five six seven eight nine ten " * 4
    article = Article(
        pmcid="PMC1",
        pmid="2",
        title="T",
        pub_year=2020,
        mesh_terms=("Genetics",),
        authors=(Author("Doe", "Jane"), Author("Roe", "")),
        issns=(("ppub", "1"),),
        journal_title="J",
        sections=(Section("abstract", "Abstract", "x" * 49), Section("results", None, long)),
    )
    chunker = Chunker(tokenizer, Windowing(60, 10))
    (texts,) = chunker.split([long])
    rows = [dict(zip(CHUNK_COLUMNS, row, strict=True)) for row in article_chunks([article], "oa_comm", chunker)]
    assert len(rows) == len(texts) == 3
    assert rows[2] == {
        "pmcid": "PMC1",
        "pmid": "2",
        "doi": None,
        "title": "T",
        "article_type": None,
        "pub_year": 2020,
        "journal_title": "J",
        "issn": "1",
        "publisher": None,
        "license_url": None,
        "tier": "oa_comm",
        "mesh_terms": ["Genetics"],
        "authors": ["Doe, Jane", "Roe"],
        "chunk_id": chunk_id("PMC1", "results", 2, texts[2]),
        "section_type": "results",
        "section_heading": None,
        "chunk_index": 2,
        "total_chunks_in_section": 3,
        "text": texts[2],
    }
    assert [row["chunk_index"] for row in rows] == [0, 1, 2]


def test_counts_and_shards(undisturbed):
    folder, counts = undisturbed
    sizes = [pq.read_metadata(path).num_rows for path in chunk_shards(folder)]
    assert set(sizes[:-1]) == {7}
    assert 0 < sizes[-1] <= 7
    assert counts.chunks == sum(sizes)
    assert (counts.articles, counts.articles_without_chunk) == (ARTICLES, 1)
    assert {
        row.compression for path in chunk_shards(folder) for row in [pq.read_metadata(path).row_group(0).column(0)]
    } == {"ZSTD"}
    assert table(folder).schema == CHUNK_SCHEMA


def test_sections_are_numbered_and_complete(undisturbed):
    by_section = {}
    for row in table(undisturbed[0]).to_pylist():
        by_section.setdefault((row["pmcid"], row["section_type"]), []).append(row)
    assert {kind for _, kind in by_section} == {"abstract", "introduction", "results", "discussion"}
    for chunks in by_section.values():
        assert [row["chunk_index"] for row in chunks] == list(range(len(chunks)))
        assert {row["total_chunks_in_section"] for row in chunks} == {len(chunks)}
    results = by_section["PMC1", "results"]
    letters = [row["text"].replace("#", "").replace(" ", "") for row in results]  # one letter a token
    assert {len(text) for text in letters[:-1]} == {60}
    whole = letters[0] + "".join(text[10:] for text in letters[1:])
    assert whole == "".join(SENTENCE.format(n=2, m=m, k=m % 5 + 1) for m in range(2, 12)).lower().replace(" ", "")


@pytest.mark.parametrize(("shard_rows", "row_group", "batch"), [(9, 4, 1), (1000, 2, 7), (50, 2000, 32)])
def test_shards_and_batches_do_not_change_the_chunks(
    undisturbed, source, tokenizer, tmp_path, monkeypatch, shard_rows, row_group, batch
):
    monkeypatch.setattr(chunking, "ROW_GROUP", row_group)
    monkeypatch.setattr(chunking, "BATCH", batch)
    folder, _ = chunk(source, tokenizer, tmp_path, shard_rows)
    assert table(folder).equals(table(undisturbed[0]))


def test_ids_do_not_depend_on_the_order_of_the_package(undisturbed, tokenizer, tmp_path):
    files = {f"PMC{n}.xml": told_article(n) for n in reversed(range(1, ARTICLES))}
    (tmp_path / "a.tar.gz").write_bytes(tar_gz(files))
    folder, _ = chunk(tmp_path / "a.tar.gz", tokenizer, tmp_path)
    assert Counter(chunk_pairs([folder])) == Counter(chunk_pairs([undisturbed[0]]))


def test_a_second_run_adds_nothing(undisturbed, source, tokenizer, tmp_path, monkeypatch):
    folder, _ = chunk(source, tokenizer, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in chunk_shards(folder)}
    again, counts = chunk(source, tokenizer, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in chunk_shards(again)} == before
    assert counts == undisturbed[1]


@pytest.mark.parametrize("shards_left", [0, 1, 5])
def test_what_was_lost_with_a_machine_is_made_again(undisturbed, source, tokenizer, tmp_path, shards_left):
    folder, _ = chunk(source, tokenizer, tmp_path)
    for path in chunk_shards(folder)[shards_left:]:
        path.unlink()
    assert shards(chunk(source, tokenizer, tmp_path)[0]) == shards(undisturbed[0])


@pytest.mark.parametrize(("shard_rows", "row_group", "killed_at"), [(7, 3, (1, 2, 9)), (40, 6, (4, 12))])
def test_kill_9_loses_nothing_and_doubles_nothing(
    undisturbed, source, tokenizer, tmp_path, shard_rows, row_group, killed_at
):
    """A process is killed again and again, within row groups and within shards; the fingerprint is that of no kill."""
    folder = tmp_path / "out"
    for lines in killed_at:
        assert run_and_kill(source, tokenizer, folder, lines, shard_rows, row_group), "it was killed before it was done"
        left = [path.name for path in (folder / "chunks").iterdir() if path.suffix == ".partial"]
        assert len(left) <= 1
    chunks, counts = chunk(source, tokenizer, folder, shard_rows)
    assert [path.name for path in chunks.iterdir() if path.suffix == ".partial"] == []
    assert counts == undisturbed[1]
    for name in ("killed", "whole"):
        (tmp_path / name).mkdir()
    whole = fingerprint(chunk_pairs([undisturbed[0]]), tmp_path / "whole")
    assert fingerprint(chunk_pairs([chunks]), tmp_path / "killed") == whole
    assert table(chunks).equals(table(undisturbed[0])), "and in the same order"


def run_and_kill(source, tokenizer, folder, lines, shard_rows, row_group) -> bool:
    """Run the child until it has said so many lines, then kill it; whether that was before its end."""
    child_code = str(HERE / "kill_chunking.py")
    command = [sys.executable, child_code, source, tokenizer, folder, str(shard_rows), str(row_group)]
    path = os.pathsep.join([str(HERE), str(HERE.parents[1]), str(HERE.parents[2])])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}) as child:
        said = [child.stdout.readline().strip() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        assert "" not in said, "the child failed"
        return "done" not in said
