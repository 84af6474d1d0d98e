"""Shards of vectors: content, sampling, resuming after a kill, and what is thrown away."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from chunked import articles, write_chunks
from indexes import DIMENSION, AxisEmbedder

from genoplatform.errors import BadInputError
from genoplatform.literature.chunk_table import CHUNK_COLUMNS
from genoplatform.literature.fingerprint import chunk_pairs, fingerprint
from genoplatform.provenance import file_sha256
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.embedding_shards import dense_of, embed_chunks, made_with, sparse_of

HERE = Path(__file__).parent


class Hashing(AxisEmbedder):
    """The vector depends on the text alone."""

    def embed(self, texts):
        rows = [np.random.default_rng(list(text.encode())).normal(size=DIMENSION) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(-1, DIMENSION)


def embed(chunks, work, embedder=None, **options):
    options = {"plan": "one", "block_rows": 4} | options
    return embed_chunks(chunks, work, embedder or Hashing(), Bm25(), **options)


@pytest.fixture
def chunks(tmp_path):
    return write_chunks(tmp_path / "chunks", articles(9))  # 36 rows: shards of 10, 10, 10 and 6


def test_shards_hold_the_chunks_columns_and_both_vectors(chunks, tmp_path):
    made = embed(chunks, tmp_path / "work")
    assert [path.name for path in sorted(made.glob("shard_*"))] == [f"shard_000{n}.parquet" for n in range(4)]
    for shard in sorted(made.glob("shard_*")):
        before, after = pq.read_table(chunks / shard.name), pq.read_table(shard)
        assert after.select(list(CHUNK_COLUMNS)).equals(before)
        texts = before["text"].to_pylist()
        assert np.array_equal(dense_of(after["dense_embedding"], DIMENSION), Hashing().embed(texts))
        found = sparse_of(after["bm25_indices"], after["bm25_values"])
        for text, vector in zip(texts, found, strict=True):
            assert vector.indices.tolist() == Bm25().document(text).indices.tolist()
            assert vector.values.tolist() == Bm25().document(text).values.tolist()


def test_only_the_sample_is_embedded(chunks, tmp_path):
    made = embed(chunks, tmp_path / "work", per_article=2)
    rows = [row for shard in sorted(made.glob("shard_*")) for row in pq.read_table(shard).to_pylist()]
    assert [(row["pmcid"], row["chunk_index"]) for row in rows] == [
        (f"PMC{article}", place) for article in range(1, 10) for place in (0, 2)
    ]


def test_block_size_and_order_of_work_do_not_change_a_byte(chunks, tmp_path):
    one, other = embed(chunks, tmp_path / "one"), embed(chunks, tmp_path / "other")
    assert file_sha256(one) == file_sha256(other)
    fewer = embed(chunks, tmp_path / "fewer", block_rows=7)
    assert [pq.read_table(a).equals(pq.read_table(b)) for a, b in zip(*map(_shards, (one, fewer)), strict=True)]


def _shards(folder):
    return sorted(folder.glob("shard_*"))


def test_a_kill_in_the_middle_of_a_shard_loses_a_block_at_most_and_doubles_nothing(chunks, tmp_path):
    whole = embed(chunks, tmp_path / "whole")
    work = tmp_path / "work"
    code = (
        "import os, signal, sys; from pathlib import Path; sys.path.insert(0, sys.argv[3])\n"
        "import test_embedding_shards as t\n"
        "class Dying(t.Hashing):\n"
        "    left = 3\n"
        "    def embed(self, texts):\n"
        "        self.left -= 1\n"
        "        if self.left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return super().embed(texts)\n"
        "t.embed(Path(sys.argv[1]), Path(sys.argv[2]), Dying())"
    )
    done = subprocess.run([sys.executable, "-c", code, chunks, work, HERE], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr
    # Shard 0 has three blocks: the kill came in the first of shard 1.
    assert [path.name for path in _shards(work / "shards")] == ["shard_0000.parquet"]
    told = []
    resumed = embed(chunks, work, progress=told.append)
    assert sum(told) == 36 - 10
    assert file_sha256(resumed) == file_sha256(whole)
    prints = [fingerprint(chunk_pairs([folder]), tmp_path) for folder in (whole, resumed, chunks)]
    assert prints[0] == prints[1] == prints[2]
    assert prints[0].distinct == 36


def test_half_a_shard_is_found_again(chunks, tmp_path):
    class Failing(Hashing):
        left = 2

        def embed(self, texts):
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().embed(texts)

    with pytest.raises(KeyboardInterrupt):
        embed(chunks, tmp_path / "work", Failing())
    told = []
    embed(chunks, tmp_path / "work", progress=told.append)
    assert told[0] == 2, "two blocks of four were there; shard 0 has ten rows"
    assert sum(told) == 36 - 8


def test_what_was_staged_from_other_input_is_thrown_away(chunks, tmp_path):
    work = tmp_path / "work"
    (work / "shards").mkdir(parents=True)
    (work / "shards" / "shard_0000.parquet").write_bytes(b"of another model")
    (work / "plan.json").write_text('"other"')
    assert pq.read_table(_shards(embed(chunks, work))[0]).num_rows == 10


def test_directories_of_different_models_are_not_joined(chunks, tmp_path):
    one, other = embed(chunks, tmp_path / "one"), embed(chunks, tmp_path / "other")
    assert made_with([one, other]) == {"backend": "test", "dimension": DIMENSION}
    (other / "embedder.json").write_text('{"backend": "another"}')
    with pytest.raises(BadInputError, match="different models"):
        made_with([one, other])
