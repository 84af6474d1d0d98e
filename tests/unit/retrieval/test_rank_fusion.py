"""Reciprocal-rank fusion by hand, and against the engine's own."""

import numpy as np
import pytest
import qdrant_edge as edge
from hypothesis import given
from hypothesis import strategies as st
from indexes import DIMENSION, SETTINGS, chunk_id, point

from genoplatform.resources.vector_index.edge import EdgeIndex, _request
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.fusion import reciprocal_ranks
from genoplatform.retrieval.index import IndexQuery


def test_scores_by_hand():
    # b: ranks 1 and 0, 1/3 + 1/2; a: rank 0, 1/2; c: rank 1, 1/3. The paper's constant, 2, over zero-based ranks.
    assert reciprocal_ranks([["a", "b"], ["b", "c"]]) == [("b", 1 / 3 + 1 / 2), ("a", 1 / 2), ("c", 1 / 3)]
    assert reciprocal_ranks([["a"], ["b"]], constant=60) == [("a", 1 / 60), ("b", 1 / 60)], "ties by id"
    assert reciprocal_ranks([[], []]) == []


@given(st.permutations(list("abcdef")), st.permutations(list("cdefgh")))
def test_order_of_the_lists_does_not_matter(one, other):
    assert dict(reciprocal_ranks([one, other])) == pytest.approx(dict(reciprocal_ranks([other, one])))


def test_the_engine_fuses_alike(tmp_path):
    index = EdgeIndex(tmp_path / "collection", SETTINGS, DIMENSION)
    rng = np.random.default_rng(5)
    words = ["gene", "variant", "protein", "ataxia", "seizure"]
    texts = [" ".join(rng.choice(words, size=1 + n % 7)) + f" word{n}" * (1 + n % 3) for n in range(40)]
    index.upsert([point(n, text, dense=rng.normal(size=DIMENSION)) for n, text in enumerate(texts)])
    sides = [rng.normal(size=DIMENSION).astype(np.float32), Bm25().query("ataxia seizure word7 word9 word11")]
    queries = [IndexQuery(side, 20) for side in sides]
    ours = reciprocal_ranks([[found.chunk_id for found in answer] for answer in index.query(queries)], 2)
    prefetches = [edge.Prefetch(limit=20, query=_request(query).query) for query in queries]
    theirs = index._shard.query(edge.QueryRequest(limit=40, prefetches=prefetches, query=edge.Fusion.Rrf(k=2)))
    assert {str(p.id): p.score for p in theirs} == pytest.approx(dict(ours), rel=1e-6)
    assert len(ours) > 20
    assert chunk_id(7) in dict(ours)
    index.close()
