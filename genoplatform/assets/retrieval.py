"""Retrieval: chunks to vectors, vectors to a collection, and what the collection is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import dagster as dg

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.assets.partitions import PACKAGES
from genoplatform.assets.upstream import Upstream
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import GPU_POOL
from genoplatform.resources.vector_index import VectorIndexResource

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from genoplatform.resources.store_io import PinnedInput
    from genoplatform.settings.profiles import Profile

EMBEDDINGS, COLLECTION = "core/retrieval/embeddings", "core/retrieval/collection"
_UNUSED = {"retrieval": "not used by this profile"}


def _evaluation(name: str, **ins: str | Upstream) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Declare a table that is made by searching the collection."""
    return platform_asset(
        f"eval/retrieval/{name}",
        ins={"found": COLLECTION, **ins},
        io="parquet",
        version="1",
        kinds=["parquet", "table"],
        reads=["embedding", "index", "retrieval"],
        needs=["embedder", "vector_index"],
        pool=GPU_POOL,
    )


@platform_asset(
    EMBEDDINGS,
    ins={
        "chunks": "core/literature/chunks",
        "model": "raw/retrieval/embedding_model",
        "tokenizer": "raw/retrieval/embedding_tokenizer",
    },
    io="directory",
    version="1",
    kinds=["parquet"],
    reads=["embedding"],
    partitions=PACKAGES,
    needs=["embedder"],
    pool=GPU_POOL,
)
def embeddings(
    chunks: Path,
    model: PinnedInput | None,
    tokenizer: PinnedInput | None,
    settings: Profile,
    partition: str,
    platform: PlatformResource,
    embedder: EmbedderResource,
) -> Made:
    """Dense and sparse vectors of a package's chunks, beside the chunks' own columns, in shards."""
    from genoplatform.provenance import file_sha256
    from genoplatform.provenance.canonical import content_sha256
    from genoplatform.resources.vector_index.opening import declared_retrieval, make_bm25
    from genoplatform.retrieval.embedding_shards import embed_chunks

    declared = declared_retrieval(platform).embedding
    rows: list[int] = []
    with embedder.open(declared.embedder, *(None if pin is None else pin.path for pin in (model, tokenizer))) as opened:
        plan = [file_sha256(chunks), dict(opened.identity), declared.bm25.model_dump(), declared.chunks_per_article]
        made = embed_chunks(
            chunks,
            platform.work_dir(EMBEDDINGS, partition),
            opened,
            make_bm25(declared),
            plan=content_sha256(plan),
            block_rows=declared.block_rows,
            per_article=declared.chunks_per_article,
            progress=rows.append,
        )
        shown = {name: str(value) for name, value in {**opened.identity, **opened.usage}.items()}
    return Made(made, {"embedded now": sum(rows), **shown}, recorded={"usage": dict(opened.usage)})


@platform_asset(
    COLLECTION,
    ins={"embedded": Upstream(EMBEDDINGS), "corpus": "core/literature/fingerprint"},
    io="json",
    version="1",
    kinds=["json", "qdrant"],
    reads=["embedding", "index"],
    needs=["embedder", "vector_index"],
    pool=GPU_POOL,
)
def collection(
    embedded: dict[str, Path],
    corpus: Path,
    settings: Profile,
    platform: PlatformResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """The hybrid index: which engine holds which chunks by which model; the engine's data lie in the home's index/."""
    if not _used(settings, embedded):
        return Made({}, _UNUSED)
    from genoplatform.resources.vector_index.building import build_collection
    from genoplatform.resources.vector_index.opening import open_searcher

    built = build_collection(platform, embedded, corpus, vector_index)
    value = built.record.as_json()
    with open_searcher(platform, value, embedder=embedder, vector_index=vector_index) as searcher:
        preview = _preview(searcher, settings.retrieval.evaluation.preview if settings.retrieval else [])
    shown = {
        "engine": built.engine,
        "collection": built.record.collection,
        "points": built.record.points,
        "articles": built.record.fingerprint["articles"],
        "chunks of the corpus": built.record.corpus["distinct"],
        "removed": ", ".join(built.removed) or "none",
        "a look": preview,
    }
    return Made(value, shown, recorded={"engine": built.engine})


def _preview(searcher: Any, queries: list[str]) -> Any:
    from genoplatform.retrieval.passages import article_link, passage

    lines = []
    for query, hits in zip(queries, searcher.search(queries, limit=3) if queries else [], strict=True):
        lines += [f"**{query}**", ""]
        for hit in hits:
            text = passage(hit.text, query, searcher.bm25).marked("**", "**")
            link = article_link(hit.pmcid)
            title = f"[{hit.title}]({link})" if link else hit.title
            lines.append(f"- {title}, {hit.section_heading or hit.section_type}, {hit.score:.3f}: {text}")
        lines.append("")
    return dg.MetadataValue.md("\n".join(lines) or "no preview declared")


@_evaluation("known_item", embedded=Upstream(EMBEDDINGS))
def known_item(
    found: dict[str, Any],
    embedded: dict[str, Path],
    settings: Profile,
    platform: PlatformResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """Known-item search: titles and sentences as queries, the article they come from as the answer, by search mode."""
    from genoplatform.retrieval.known_item import known_item_search, known_items, nothing_searched

    if not found or settings.retrieval is None:
        return Made(nothing_searched(), _UNUSED)
    from genoplatform.assets.shown import markdown_table
    from genoplatform.resources.vector_index.opening import declared_retrieval, make_searcher, open_searcher
    from genoplatform.retrieval.points import embedding_shards

    declared = settings.retrieval.evaluation
    items = known_items(embedding_shards(embedded.values()), declared.known_items, declared.seed)
    with open_searcher(platform, found, embedder=embedder, vector_index=vector_index) as searcher:
        sections = declared_retrieval(platform)
        exact = make_searcher(searcher.index, searcher.embedder, sections, exact=True)
        table = known_item_search(searcher, exact, items)
    return Made(table, {"recall": markdown_table(table)})


@_evaluation(
    "source_recall",
    embedded=Upstream(EMBEDDINGS),
    cases="core/cohort/cases",
    hpo_terms="core/ontology/hpo_terms",
)
def source_recall(
    found: dict[str, Any],
    embedded: dict[str, Path],
    cases: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    settings: Profile,
    platform: PlatformResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """Whether a case's gene, and its phenotype, find the article it was published in (check A of section 2.7)."""
    from genoplatform.retrieval import validation

    if not found or settings.retrieval is None:
        return Made(validation.source_recall(validation.NothingFound(), [], [], 1), _UNUSED)
    from genoplatform.assets.shown import markdown_table
    from genoplatform.resources.vector_index.opening import open_searcher
    from genoplatform.retrieval.articles import articles_by_pmid
    from genoplatform.retrieval.points import embedding_shards

    declared = settings.retrieval.evaluation
    wanted = {pmid.removeprefix("PMID:") for pmid in cases["source_pmid"] if pmid}
    articles = articles_by_pmid(embedding_shards(embedded.values()), wanted)
    labels = dict(zip(hpo_terms["id"], hpo_terms["name"], strict=True))
    eligible = validation.eligible_cases(cases, labels, articles)
    with open_searcher(platform, found, embedder=embedder, vector_index=vector_index) as searcher:
        table = validation.source_recall(searcher, eligible, declared.depths, declared.depth)
    shown = {"cases": len(cases), "with their publication in the index": len(eligible)}
    return Made(table, {**shown, "recall": markdown_table(table)})


@_evaluation("symbol_grounding", cases="core/cohort/cases")
def symbol_grounding(
    found: dict[str, Any],
    cases: pd.DataFrame,
    settings: Profile,
    platform: PlatformResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """Of the chunks found for a gene symbol, the share that names it, for sampled genes (check B of section 2.7)."""
    from genoplatform.retrieval import validation

    if not found or settings.retrieval is None:
        return Made(validation.symbol_grounding(validation.NothingFound(), [], 1), _UNUSED)
    from genoplatform.resources.vector_index.opening import open_searcher

    declared = settings.retrieval.evaluation
    genes = validation.sampled_genes(list(cases["causal_gene"]), declared.grounding_genes, declared.seed)
    with open_searcher(platform, found, embedder=embedder, vector_index=vector_index) as searcher:
        table = validation.symbol_grounding(searcher, genes, declared.depth)
    shares = {name: float(table[name].mean()) for name in ("share", "share_any_case") if len(table)}
    return Made(table, {"genes": len(table), **{f"mean {name}": share for name, share in shares.items()}})


@_evaluation("pmc_coverage", cases="core/cohort/cases")
def pmc_coverage(
    found: dict[str, Any],
    cases: pd.DataFrame,
    settings: Profile,
    platform: PlatformResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """How many articles a causal gene's symbol finds, and whether they are enough (section 4.5); no case is dropped."""
    from genoplatform.retrieval import validation

    if not found or settings.retrieval is None:
        return Made(validation.article_coverage(validation.NothingFound(), [], 1, 1), _UNUSED)
    from genoplatform.resources.vector_index.opening import open_searcher

    declared = settings.retrieval.evaluation
    genes = list(cases["causal_gene"])
    with open_searcher(platform, found, embedder=embedder, vector_index=vector_index) as searcher:
        table = validation.article_coverage(searcher, genes, declared.depth, declared.min_articles)
    shown = {"genes": len(table), "not covered": int((~table["covered"]).sum())}
    return Made(table, {**shown, "median articles": float(table["articles"].median()) if len(table) else 0.0})


def _used(settings: Profile, embedded: dict[str, Path]) -> bool:
    return None not in (settings.embedding, settings.index, settings.retrieval) and bool(embedded)


retrieval_assets = [embeddings, collection, known_item, source_recall, symbol_grounding, pmc_coverage]
