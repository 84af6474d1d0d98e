"""Retrieval on the 122 PLOS articles with the embedded profile's own model, sample and engine."""

import numpy as np
import pytest

from genoplatform.literature.chunking import chunk_package
from genoplatform.literature.packages import Package
from genoplatform.literature.precedence import decide, kept_positions
from genoplatform.literature.reading import ReadOptions, read_package
from genoplatform.literature.staging import Staging
from genoplatform.literature.windows import Chunker, Windowing
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.vector_index.edge import EdgeIndex
from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.collection import fill
from genoplatform.retrieval.embedding_shards import embed_chunks
from genoplatform.retrieval.known_item import known_item_search, known_items
from genoplatform.retrieval.points import embedding_shards
from genoplatform.retrieval.remembered import Remembered
from genoplatform.retrieval.searcher import IndexSearcher
from genoplatform.settings.profiles import load_profile

pytestmark = pytest.mark.network
NAME = "plos-articles@0.11.1"


@pytest.fixture(scope="module")
def settings():
    return load_profile("embedded")


@pytest.fixture(scope="module")
def embedder(pinned, settings):
    files = (pinned(settings.slots.embedding_model), pinned(settings.slots.embedding_tokenizer))
    with EmbedderResource().open(settings.embedding.embedder, *files) as opened:
        yield opened


@pytest.fixture(scope="module")
def chunks(pinned, settings, tmp_path_factory):
    """The embedded profile's chunks."""
    folder, declared = tmp_path_factory.mktemp("plos"), settings.literature
    read, decided, made = (Staging(folder / name, {}) for name in ("read", "decided", "chunks"))
    read_package(pinned(NAME), Package.named(NAME), read, ReadOptions(declared.identified_by, declared.only_relevant))
    decide({NAME: read.folder}, decided, only_relevant=declared.only_relevant, retracted_everywhere=True)
    chunker = Chunker(
        pinned(settings.slots.chunk_tokenizer), Windowing(declared.window_tokens, declared.overlap_tokens)
    )
    positions = kept_positions(decided.folder, NAME)
    chunk_package(read.folder, positions, "local", chunker, made, shard_rows=declared.shard_rows)
    return made.folder


@pytest.fixture(scope="module")
def searchers(chunks, settings, embedder, tmp_path_factory):
    """Of the graph and of exact search, over the declared sample."""
    folder = tmp_path_factory.mktemp("index")
    made = embed_chunks(
        chunks,
        folder / "work",
        embedder,
        Bm25(),
        plan="",
        block_rows=settings.embedding.block_rows,
        per_article=settings.embedding.chunks_per_article,
    )
    shards = embedding_shards([made])
    index = EdgeIndex(folder / "index", settings.index, embedder.dimension)
    labelled = [(shard.name, shard) for shard in shards]
    points = fill(index, labelled, embedder.dimension, batch=256, done=folder / "done.json")
    assert points == 122 * settings.embedding.chunks_per_article - short_articles(chunks, settings)
    front = Remembered(embedder)
    yield shards, IndexSearcher(index, front, Bm25()), IndexSearcher(index, front, Bm25(), exact=True)
    index.close()


def short_articles(chunks, settings):
    """Chunks the sample lacks because an article has fewer."""
    from collections import Counter

    from genoplatform.literature.fingerprint import chunk_pairs

    counts = Counter(pmcid for _, pmcid in chunk_pairs([chunks]))
    return sum(max(0, settings.embedding.chunks_per_article - count) for count in counts.values())


def test_known_items_among_the_articles(searchers):
    """The issue's bounds: at least 200 queries, hybrid no more than .02 below the better side, graph against exact."""
    shards, searcher, exact = searchers
    table = known_item_search(searcher, exact, known_items(shards, 150, 42)).set_index(["mode", "kind"])
    recall = table["recall_at_10"]
    assert table.loc[("hybrid", "all"), "queries"] >= 200
    assert recall["hybrid", "all"] >= max(recall["dense", "all"], recall["sparse", "all"]) - 0.02
    assert min(recall["dense", "all"], recall["sparse", "all"]) >= 0.95
    assert table.loc[("dense", "all"), "exact_overlap"] >= 0.98


def test_a_vector_depends_on_its_text_alone(embedder):
    texts = ["Frameshift variants in NDUFAF5.", "A longer sentence about early-onset ataxia in two siblings.", "x"]
    together = embedder.embed(texts)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 1], abs=1e-6)
    for text, vector in zip(texts, together, strict=True):
        assert embedder.embed([text])[0].tobytes() == vector.tobytes()


def test_the_second_half_of_a_chunk_counts(embedder):
    """The model's own default is 256 tokens: with it these two texts would have one vector."""
    common = "the gene is expressed in the brain of adult mice . " * 30  # 330 tokens
    one, other = embedder.embed([common + "ataxia " * 100, common + "diabetes " * 100])
    assert float(one @ other) < 0.97
    cut = common + common
    assert embedder.embed([cut])[0].tobytes() == embedder.embed([cut + " tail beyond the longest input"])[0].tobytes()


def test_meaning_is_nearer_than_words(embedder):
    query, near, far = embedder.embed(
        [
            "inherited loss of vision in children",
            "Leber congenital amaurosis is a hereditary blindness of infancy.",
            "Children inherited the farm at a loss.",
        ]
    )
    assert float(query @ near) > float(query @ far)
