"""What every engine must do alike: upserts, counts, filters, ties; and what one opener means."""

import subprocess
import sys

import numpy as np
import pytest
from indexes import DIMENSION, SETTINGS, AxisEmbedder, chunk_id, open_engine, point
from qdrant_client import QdrantClient
from qdrant_client.http.exceptions import ResponseHandlingException

from genoplatform.errors import BadInputError
from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.resources.vector_index.one_opener import IndexInUseError
from genoplatform.resources.vector_index.qdrant import CollectionMismatchError, IndexUnavailableError, QdrantIndex
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.index import Filter, IndexQuery
from genoplatform.retrieval.searcher import IndexSearcher
from genoplatform.retrieval.settled import settled, symbol_pattern

TEXTS = {
    0: "BRCA1 variants in families",
    1: "the brca1 gene and hla - a typing",
    2: "BRCA10 is another symbol; HLA here, and a there",
    3: "HLA-A binds",
    4: "nothing of the kind",
}


def filled(index):
    index.upsert([point(n, text, year=2008 + n) for n, text in TEXTS.items()])
    index.finish()
    return index


def searcher(index):
    return IndexSearcher(filled(index), AxisEmbedder(), Bm25())


def found(hits):
    return [int(hit.chunk_id[-2:], 16) for hit in hits]


def test_doing_it_again_changes_nothing_and_newer_content_replaces(index):
    filled(index)
    filled(index)
    assert index.count() == 5
    index.upsert([point(4, "replaced text")])
    assert index.count() == 5
    payload = index.payloads([chunk_id(4), chunk_id(99)])
    assert list(payload) == [chunk_id(4)]
    assert payload[chunk_id(4)]["text"] == "replaced text"
    assert payload[chunk_id(4)]["section_heading"] is None
    assert payload[chunk_id(4)]["authors"] == ["One, A"]


def test_dense_scores_are_cosines(index):
    (hits,) = searcher(index).search(["axis 3"], mode="dense", limit=5)
    assert found(hits)[0] == 3
    assert hits[0].score == pytest.approx(1.0)
    assert [hit.score for hit in hits[1:]] == pytest.approx([0.0] * 4)
    assert found(hits)[1:] == [0, 1, 2, 4], "equal scores by chunk id"
    assert hits[0].score_dense == hits[0].score
    assert hits[0].score_bm25 is None
    assert hits[0].score_rrf is None


def test_sparse_scores_are_bm25_with_the_engines_idf(index):
    (hits,) = searcher(index).search(["typing of families"], mode="sparse", limit=5)
    assert found(hits) == [0, 1]
    # Each word is in one of five texts: idf = ln(1 + (5 - 1 + .5) / (1 + .5)).
    idf = np.log(1 + 4.5 / 1.5)
    lengths = {0: 3, 1: 4}  # brca1 variant famili; brca1 gene hla type: `the`, `and`, `in`, `a` are stopwords
    for hit, number in zip(hits, (0, 1), strict=True):
        value = 2.2 / (1 + 1.2 * (0.25 + 0.75 * lengths[number] / 256))
        assert hit.score_bm25 == pytest.approx(idf * value, rel=1e-5)


def test_hybrid_hits_carry_all_scores(index):
    (hits,) = searcher(index).search(["axis 4 families"], limit=3)
    by_number = dict(zip(found(hits), hits, strict=True))
    assert by_number[4].score == by_number[4].score_rrf == pytest.approx(1 / 2)
    assert by_number[4].score_bm25 is None
    # Families: first of the sparse side, and by its id first of the dense side's zeros, after 4.
    assert by_number[0].score_rrf == pytest.approx(1 / 2 + 1 / 3)
    assert by_number[0].score_bm25 > 0
    assert by_number[0].title == "Title 0"
    assert by_number[0].pub_year == 2008


def test_a_gene_is_found_as_a_word_in_any_case(index):
    search = searcher(index).search
    assert sorted(found(search(["axis 0"], gene="BRCA1")[0])) == [0, 1]
    assert sorted(found(search(["axis 0"], gene="HLA-A")[0])) == [1, 3], "also as the tokenizer writes it"
    assert sorted(found(search(["axis 0"], gene="HLA", mode="dense")[0])) == [1, 2, 3]
    assert search(["axis 0"], gene="TP53") == [[]]


def test_a_gene_filter_reaches_as_deep_as_it_must(index):
    # Forty texts hold the words of the symbol apart and are nearer; the one that names it comes last.
    near = [point(n, "HLA here and a there", dense=np.eye(DIMENSION)[0]) for n in range(10, 50)]
    index.upsert([*near, point(50, "HLA-A named", dense=np.eye(DIMENSION)[1])])
    (hits,) = IndexSearcher(index, AxisEmbedder(), Bm25()).search(["axis 0"], mode="dense", gene="HLA-A", limit=1)
    assert found(hits) == [50]


def test_years_are_a_closed_range_and_either_end_may_be_open(index):
    search = searcher(index).search
    assert sorted(found(search(["axis 0"], years=(2009, 2010))[0])) == [1, 2]
    assert sorted(found(search(["axis 0"], years=(2011, None))[0])) == [3, 4]
    assert sorted(found(search(["axis 0"], years=(None, 2008))[0])) == [0]
    index.upsert([point(60, "without a year", year=None)])
    assert 60 not in found(search(["axis 0"], years=(None, 2030), limit=50)[0])


def test_ties_at_the_end_of_a_list_are_settled_by_id(index):
    index.upsert([point(n, "one text", dense=np.eye(DIMENSION)[0]) for n in range(80, 20, -1)])
    for query in (np.eye(DIMENSION, dtype=np.float32)[0], Bm25().query("text")):
        (answer,) = settled(index, [IndexQuery(query, 5)])
        assert [item.chunk_id for item in answer] == [chunk_id(n) for n in range(21, 26)]


def test_queries_that_say_nothing_find_nothing_on_the_sparse_side(index):
    search = searcher(index)
    assert search.search(["the of and"], mode="sparse") == [[]]
    assert len(search.search(["the of and"], mode="hybrid", limit=2)[0]) == 2
    assert search.search([]) == []
    with pytest.raises(BadInputError, match="limit 0"):
        search.search(["x"], limit=0)


def test_several_queries_keep_their_order(index):
    lists = searcher(index).search(["axis 2", "axis 1", "axis 2"], mode="dense", limit=1)
    assert [found(hits) for hits in lists] == [[2], [1], [2]]


def test_exact_and_filtered_requests_reach_the_engine(index):
    filled(index)
    query = IndexQuery(np.eye(DIMENSION, dtype=np.float32)[0], 5, Filter(first=2010), exact=True)
    assert sorted(int(item.chunk_id[-2:], 16) for item in index.query([query])[0]) == [2, 3, 4]
    assert index.query([]) == []


def test_an_embedded_index_is_still_there_after_closing(tmp_path):
    index = filled(open_engine("edge", tmp_path))
    index.close()
    again = open_engine("edge", tmp_path)
    assert again.count() == 5
    assert again.payloads([chunk_id(3)])[chunk_id(3)]["text"] == "HLA-A binds"
    again.close()


def test_one_opener_at_a_time_here_and_across_processes(tmp_path):
    index = open_engine("edge", tmp_path)
    with pytest.raises(IndexInUseError, match=r"process [0-9]+ has it open"):
        open_engine("edge", tmp_path)
    code = (
        "import sys; from pathlib import Path; from genoplatform.resources.vector_index.one_opener import *\n"
        "try: OneOpener(Path(sys.argv[1]))\n"
        "except IndexInUseError as error: print(error.exit_code, error.found)"
    )
    folder = str(tmp_path / "collection")
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("3 process ")
    index.close()
    open_engine("edge", tmp_path).close()


def test_a_failed_opening_lets_go_of_the_lock(tmp_path):
    folder = tmp_path / "collection"
    folder.mkdir()
    (folder / "edge_config.json").write_text("{")
    for _ in range(2):
        with pytest.raises(Exception, match=r"(?i)config|json|load|expected|EOF"):
            EdgeIndex(folder, SETTINGS, DIMENSION)


def test_a_collection_of_other_vectors_is_refused():
    client = QdrantClient(":memory:")
    QdrantIndex(client, "name", SETTINGS, DIMENSION, "memory")
    with pytest.raises(CollectionMismatchError, match="declared 16, Cosine, idf"):
        QdrantIndex(client, "name", SETTINGS, 16, "memory")


def test_a_server_that_does_not_answer_is_tried_six_times_with_growing_pauses():
    class Silent:
        def collection_exists(self, name):
            raise ResponseHandlingException(OSError("refused"))

    waits = []
    with pytest.raises(IndexUnavailableError, match="refused"):
        QdrantIndex(Silent(), "name", SETTINGS, DIMENSION, "server", sleep=waits.append)
    assert waits == [1, 2, 4, 8, 16]


def test_symbols_as_words():
    assert symbol_pattern("NKX2-1").search("the nkx2 - 1 gene")
    assert symbol_pattern("NKX2-1").search("(NKX2-1)")
    assert not symbol_pattern("NKX2-1").search("NKX2-10")
    assert not symbol_pattern("AR").search("ARX and STAR")
    assert symbol_pattern("C9orf72").search("C9ORF72-related")
