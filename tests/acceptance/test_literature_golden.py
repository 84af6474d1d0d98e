"""Chunk ids against the golden vectors of the published recipe."""

import json

import pytest

from genoplatform.literature.ids import chunk_id


@pytest.mark.shared
def test_chunk_ids_are_the_golden_ones(shared):
    vectors = json.loads((shared / "released" / "golden_vectors.json").read_text())["chunk_id"]
    assert len(vectors) == 2
    for vector in vectors:
        parts = (vector["pmcid"], vector["section_type"], vector["chunk_index"], vector["text"])
        assert chunk_id(*parts) == vector["id"]
