"""How chunks become vectors, an index and answers (rare_disease.md sections 2.3 to 2.7), as sections of a profile.

Three of them, so that what is searched differently is not embedded again: `embedding`, `index` and `retrieval`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from genoplatform.settings.section import Section


class EmbedderSettings(Section):
    """The dense model.

    Attributes:
        backend: what runs it.
        model: its name; for `torch`, without a pinned directory, the id on the model hub.
        revision: the hub's revision (`torch`).
        dimension: of its vectors.
        max_tokens: longest input, the two special tokens included; what is longer is cut off. Set it to the chunk
            length: models declare shorter ones (all-MiniLM-L6-v2: 256), and half a chunk would silently be lost.
        batch_tokens: padded tokens a batch, where batches do not change the result (`openvino`, `torch`).
        vram_mib: most memory the model may take on a GPU (`torch`).
    """

    backend: Literal["onnx", "openvino", "torch"]
    model: str
    revision: str = ""
    dimension: PositiveInt
    max_tokens: PositiveInt
    batch_tokens: PositiveInt = 16384
    vram_mib: PositiveInt = 4096


class Bm25Settings(Section):
    """The sparse side; the defaults are those of fastembed 0.8.0's "Qdrant/bm25", on which its document side rests.

    Attributes:
        k: term-frequency saturation.
        b: length normalisation.
        average_length: length of the average document, in tokens kept.
        longest_token: longer tokens are left out, in characters.
    """

    k: NonNegativeFloat = 1.2
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    average_length: PositiveFloat = 256.0
    longest_token: PositiveInt = 40


class IndexSettings(Section):
    """Section `index`: the collection (rare_disease.md section 2.4).

    Attributes:
        engine: `edge`, the engine embedded in the process, or `server`, a Qdrant server.
        collection: its name, to which the digest of what it holds is appended.
        hnsw_m: edges a node of the graph.
        ef_construct: candidates while building it.
        full_scan_threshold: vectors of fewer KB are compared one by one.
        indexing_threshold: segments of fewer KB have no graph.
        on_disk: whether vectors and payload are kept on disk, cached.
        batch: points an upsert.
        parallel: upserts at a time (`server`).
    """

    engine: Literal["edge", "server"]
    collection: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+$")]
    hnsw_m: PositiveInt = 16
    ef_construct: PositiveInt = 200
    full_scan_threshold: NonNegativeInt = 10000
    indexing_threshold: NonNegativeInt = 20000
    on_disk: bool = True
    batch: PositiveInt = 256
    parallel: PositiveInt = 4


class SearchSettings(Section):
    """Hybrid search.

    Attributes:
        rrf_constant: a chunk scores the sum of 1 / (constant + zero-based rank). The paper's engine has 2 built in.
        prefetch_factor: depth of either side before fusion, as a multiple of the hits asked for.
    """

    rrf_constant: PositiveInt = 2
    prefetch_factor: PositiveInt = 4


class RetrievalEvaluationSettings(Section):
    """How the index is validated (sections 2.7 and 4.5).

    Attributes:
        min_articles: articles a gene must find to be covered.
        depths: of recall.
        depth: chunks a query finds, for coverage, source recall and symbol grounding.
        grounding_genes: genes sampled for symbol grounding.
        known_items: queries of either kind for known-item search, at most.
        seed: of the samples.
        preview: queries shown in the collection's metadata.
    """

    min_articles: PositiveInt = 5
    depths: list[PositiveInt] = [10, 50, 100]
    depth: PositiveInt = 100
    grounding_genes: PositiveInt = 100
    known_items: PositiveInt = 150
    seed: int = 42
    preview: list[str] = []


class EmbeddingSettings(Section):
    """Section `embedding`: what decides the vectors.

    Attributes:
        chunks_per_article: embed only so many chunks of an article, the first and others spread evenly over it; null
            embeds all.
        block_rows: chunks embedded between two writes to disk: what a kill can cost.
    """

    embedder: EmbedderSettings
    bm25: Bm25Settings = Bm25Settings()
    chunks_per_article: PositiveInt | None
    block_rows: PositiveInt


class RetrievalSettings(Section):
    """Section `retrieval`: how the index is searched and validated."""

    search: SearchSettings = SearchSettings()
    evaluation: RetrievalEvaluationSettings = RetrievalEvaluationSettings()
