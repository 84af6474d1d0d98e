"""The stand-in reranker against BM25 worked out by hand, and what the cross-encoder says without its engine."""

import sys
from math import log

import numpy as np
import pytest

from genoplatform.resources.reranker.cross_encoder import CrossEncoder, RerankerError
from genoplatform.resources.reranker.lexical import LexicalDenseReranker, bm25
from genoplatform.settings.llm import RerankerSettings

TEXTS = ["FBN1 causes Marfan syndrome", "TTN is long", "syndrome syndrome syndrome FBN1 of the mouse"]


class Letters:
    """An embedder of one dimension a text of its own: texts that start alike are alike."""

    def __init__(self):
        self.embedded = []

    identity = {"model": "letters"}  # noqa: RUF012
    dimension = 26

    def embed(self, texts):
        self.embedded += texts
        vectors = np.zeros((len(texts), 26), np.float32)
        for row, text in enumerate(texts):
            vectors[row, ord(text[0].lower()) - 97] = 1
        return vectors


def test_bm25_by_hand():
    # Three texts of 4, 3 and 7 words, mean 14/3. "fbn1" is in two of them: idf = log(1 + 1.5/2.5).
    idf = log(1.6)
    expected = [
        idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / (14 / 3))),
        0.0,
        idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 7 / (14 / 3))),
    ]
    assert bm25("fbn1 FBN1", TEXTS) == pytest.approx(expected)
    # "syndrome" is in the same two, three times in the third.
    third = expected[2] + idf * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 7 / (14 / 3)))
    assert bm25("FBN1 syndrome", TEXTS)[2] == pytest.approx(third)


def test_hyphens_hold_words_together_and_parts_of_words_do_not_count():
    assert bm25("HLA-B", ["hla-b", "hla b", "hla-b27"])[1:] == [0.0, 0.0]


def test_scores_are_scaled_to_the_best_and_the_best_is_right():
    scores = LexicalDenseReranker(0.5).score("FBN1 Marfan syndrome", TEXTS)
    assert scores[0] == max(scores) == 1.0
    assert scores[1] == 0.0
    assert LexicalDenseReranker(1.0).score("nothing of it", ["a", "b"]) == [0.0, 0.0]
    assert LexicalDenseReranker(1.0).score("q", []) == []
    assert LexicalDenseReranker(1.0).score("q", ["", ""]) == [0.0, 0.0]


def test_the_cosine_takes_its_share_and_vectors_are_remembered():
    embedder = Letters()
    reranker = LexicalDenseReranker(0.25, embedder)
    texts = ["gene x", "other gene"]
    lexical = LexicalDenseReranker(1.0).score("gene", texts)
    expected = [0.25 * lexical[0] + 0.75, 0.25 * lexical[1]]  # "gene" and "gene x" start alike
    assert reranker.score("gene", texts) == pytest.approx(expected)
    assert reranker.score("gene", texts) == reranker.score("gene", list(texts))
    assert embedder.embedded == ["gene", "gene x", "other gene"]


def test_the_identity_says_that_it_is_a_stand_in():
    assert LexicalDenseReranker(0.25).identity == {
        "kind": "lexical_dense",
        "model": "bm25",
        "revision": "k1=1.2,b=0.75,lexical=1",
    }
    dense = LexicalDenseReranker(0.25, Letters()).identity
    assert (dense["model"], dense["revision"]) == ("bm25+letters", "k1=1.2,b=0.75,lexical=0.25")
    assert LexicalDenseReranker(1.0, Letters()).identity["model"] == "bm25"


def test_a_cross_encoder_without_torch_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    settings = RerankerSettings(kind="cross_encoder", model="ncbi/MedCPT-Cross-Encoder", revision="x")
    with pytest.raises(RerankerError, match=r"genoplatform\[torch\]"):
        CrossEncoder(settings).score("q", ["t"])


def test_settings_of_models_are_checked_when_they_are_read():
    with pytest.raises(ValueError, match="model and revision"):
        RerankerSettings(kind="cross_encoder")
    assert RerankerSettings(kind="lexical_dense").lexical_weight == 0.5
