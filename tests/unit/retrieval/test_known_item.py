"""Known-item search on articles whose answers are known."""

import pytest
from chunked import articles, chunk, write_chunks
from indexes import DIMENSION, AxisEmbedder
from test_embedding_shards import embed

from genoplatform.retrieval.articles import articles_by_pmid
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.collection import fill
from genoplatform.retrieval.known_item import agreement, known_item_search, known_items, middle_sentence
from genoplatform.retrieval.searcher import IndexSearcher


@pytest.fixture
def shards(tmp_path):
    made = embed(write_chunks(tmp_path / "chunks", articles(9)), tmp_path / "work", AxisEmbedder())
    return sorted(made.glob("shard_*"))


def test_queries_are_titles_and_sentences_of_the_middle(shards):
    items = known_items(shards, 100, 42)
    assert [(item.kind, item.pmcid) for item in items[:4]] == [
        ("title", "PMC1"),
        ("sentence", "PMC1"),
        ("title", "PMC2"),
        ("sentence", "PMC2"),
    ]
    assert items[0].query == "About thing1 and others"
    assert items[1].query == "The middle of part2 tells of thing1 and of nothing else at all."
    assert len(items) == 18


def test_the_sample_of_articles_depends_on_the_seed_alone(shards):
    chosen = {seed: [item.pmcid for item in known_items(shards, 3, seed)] for seed in (1, 2)}
    assert chosen[1] == [item.pmcid for item in known_items(list(reversed(shards)), 3, 1)]
    assert chosen[1] != chosen[2]
    assert len(set(chosen[1])) == 3


def test_the_middle_sentence_has_a_readable_length():
    long, short = " ".join(["word"] * 61) + ".", "Too short. "
    assert middle_sentence([long]) == ""
    assert (
        middle_sentence([short + "This one has just eight words in it. " + long])
        == "This one has just eight words in it."
    )
    assert middle_sentence(["a", short, "c"]) == ""


def test_recall_is_of_the_article_and_counts_every_query(index, shards, tmp_path):
    fill(index, [(path.name, path) for path in shards], DIMENSION, batch=10, done=tmp_path / "done.json")
    searcher = IndexSearcher(index, AxisEmbedder(), Bm25())
    table = known_item_search(searcher, searcher, known_items(shards, 100, 42)).set_index(["mode", "kind"])
    assert list(table["queries"]) == [18, 9, 9] * 3
    # thingN stands in the texts of its article alone, so the sparse side must put it first.
    assert table.loc["sparse", ["recall_at_1", "recall_at_10", "mrr"]].to_numpy().tolist() == [[1, 1, 1]] * 3
    # All dense vectors are the same: ten chunks by their ids, whatever is asked.
    first = [row["pmcid"] for row in sorted(articles(9), key=lambda row: row["chunk_id"])][:10]
    assert table.loc[("dense", "title"), "recall_at_10"] == pytest.approx(len(set(first)) / 9)
    assert table.loc[("dense", "title"), "mrr"] == pytest.approx(sum(1 / (first.index(a) + 1) for a in set(first)) / 9)
    assert table.loc[("dense", "all"), "exact_overlap"] == 1.0
    assert table["exact_overlap"].isna().sum() == 8
    assert agreement(searcher, searcher, []) == 1.0


def test_articles_by_their_pmid(shards):
    assert articles_by_pmid(shards, {"902", "905", "1"}) == {"902": "PMC2", "905": "PMC5"}


def test_an_article_without_a_title_or_sentence_gives_fewer_queries(tmp_path):
    rows = [chunk(1, 0, "No sentence here", title=None), chunk(2, 0, "Neither here")]
    made = embed(write_chunks(tmp_path / "chunks", rows), tmp_path / "work", AxisEmbedder())
    assert [item.query for item in known_items(sorted(made.glob("shard_*")), 9, 1)] == ["About thing2 and others"]
