"""Pooling, batching, and remembering, by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes import AxisEmbedder

from genoplatform.retrieval.remembered import Remembered
from genoplatform.retrieval.sampled import spread
from genoplatform.retrieval.vectors import batches_by_length, mean_pooled, normalised


def test_pooling_leaves_padding_out():
    hidden = np.array([[[3.0, 0.0], [0.0, 3.0], [99.0, 99.0]]], dtype=np.float32)
    pooled = mean_pooled(hidden, np.array([[1, 1, 0]]))
    assert pooled[0] == pytest.approx([0.5**0.5] * 2)
    assert normalised(np.zeros((1, 2), dtype=np.float32)).tolist() == [[0.0, 0.0]]


@given(st.lists(st.integers(1, 600), max_size=60), st.integers(1, 2000))
def test_batches_hold_every_text_once_within_the_budget(lengths, budget):
    batches = batches_by_length(lengths, budget)
    assert sorted(position for batch in batches for position in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= budget


def test_batches_go_from_long_to_short():
    assert batches_by_length([5, 9, 5, 1], 10) == [[1], [0, 2], [3]]


class Counting(AxisEmbedder):
    def __init__(self):
        super().__init__()
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        return super().embed(texts)


def test_a_text_is_embedded_once_until_there_are_too_many():
    behind = Counting()
    front = Remembered(behind, most=2)
    first = front.embed(["axis 1", "axis 1", "axis 2"])
    assert first.argmax(axis=1).tolist() == [1, 1, 2]
    assert front.embed(["axis 2"]).argmax() == 2
    assert behind.asked == ["axis 1", "axis 2"]
    front.embed(["axis 3"])
    front.embed(["axis 1"])
    assert behind.asked == ["axis 1", "axis 2", "axis 3", "axis 1"]
    assert front.embed([]).shape == (0, 8)


def test_the_sample_of_an_article_is_its_first_chunk_and_others_evenly():
    assert spread(list("abcdefgh"), 2) == ["a", "e"]
    assert spread(list("abcdefgh"), 3) == ["a", "c", "f"]
    assert spread(list("ab"), 3) == ["a", "b"]
