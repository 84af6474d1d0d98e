"""Sparse vectors against fastembed 0.8.0 (recorded), the Qdrant engine's own BM25, and the formula by hand."""

import json
from pathlib import Path

import pytest
import qdrant_edge

from genoplatform.retrieval.bm25 import Bm25, token_id
from genoplatform.retrieval.stopwords import ENGLISH

RECORDED = json.loads(Path(__file__).with_name("fastembed_bm25.json").read_text())


@pytest.mark.parametrize("case", RECORDED["cases"], ids=lambda case: case["text"][:20])
def test_document_and_query_side_are_fastembeds(case):
    document = Bm25().document(case["text"])
    assert document.indices.tolist() == [index for index, _ in case["document"]]
    assert document.values.tolist() == pytest.approx([value for _, value in case["document"]], abs=1e-6)
    query = Bm25().query(case["text"])
    assert query.indices.tolist() == case["query"]
    assert set(query.values.tolist()) <= {1.0}


def test_the_formula_by_hand():
    # "gene gene variant": three tokens, f = 2 and 1; k 1.2, b 0.75, average 256.
    floor = 1.2 * (1 - 0.75 + 0.75 * 3 / 256)
    found = dict(zip(*(array.tolist() for array in vars(Bm25().document("gene gene variant")).values()), strict=True))
    assert found == pytest.approx(
        {token_id("gene"): 2 * 2.2 / (2 + floor), token_id("variant"): 1 * 2.2 / (1 + floor)}, rel=1e-6
    )


def test_parameters_change_the_document_side_only():
    other = Bm25(k=2.0, b=0.0, average_length=10.0)
    assert other.document("gene").values.tolist() == pytest.approx([1 * 3.0 / (1 + 2.0)])
    assert other.query("gene").values.tolist() == [1.0]


def test_stopwords_are_those_of_the_engine():
    engine = qdrant_edge.Bm25()
    assert len(ENGLISH) == 179
    assert [word for word in sorted(ENGLISH) if engine.embed_query(word).indices] == []
    content = ["gene", "protein", "between", "us", "would", "could", "may", "might", "upon", "however", "one"]
    assert [word for word in content if not engine.embed_query(word).indices] == ["between"]
    assert [word for word in content if word in ENGLISH] == ["between"]


def test_the_engines_own_bm25_agrees_where_no_underscore_joins_words():
    text = "Heterozygous mutations in BRCA1 and HLA-A; p.Arg123Gly (c.367C>T) were found in 12 of 40 families."
    theirs, ours = qdrant_edge.Bm25().embed_document(text), Bm25().document(text)
    assert ours.indices.tolist() == list(theirs.indices)
    assert ours.values.tolist() == pytest.approx(list(theirs.values), abs=1e-6)


def test_memory_of_stems_is_bounded(monkeypatch):
    monkeypatch.setattr("genoplatform.retrieval.bm25._REMEMBERED", 3)
    bm25 = Bm25()
    assert bm25.stems("genes variants patients families genes") == ["gene", "variant", "patient", "famili", "gene"]
    assert len(bm25._stems) <= 3
