"""The agentic workflow's cells: per-case rankings with their evidence, for the cases that the profile declares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import GPU_POOL
from genoplatform.resources.reranker.resource import RerankerResource
from genoplatform.resources.vector_index import VectorIndexResource

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.settings.profiles import Profile

CASES = {"cases": "core/cohort/cases", "candidates": "core/cohort/candidates"}
WORDS = {"hpo_terms": "core/ontology/hpo_terms", "genes": "core/ontology/genes"}
SEARCHED = {"collection": "core/retrieval/collection"}
SEARCH_CELLS, MODEL_CELLS, FUSED_CELL = "eval/agents/search_cells", "eval/agents/model_cells", "eval/agents/fused_cell"
VERSION = "1"
NOT_USED = "not used by this profile"


@platform_asset(
    SEARCH_CELLS,
    ins={**CASES, **WORDS, **SEARCHED},
    io="directory",
    version=VERSION,
    kinds=["json"],
    reads=["agents", "reranker", "embedding", "index", "retrieval"],
    partitions=COHORT_LISTS,
    needs=["reranker", "embedder", "vector_index"],
    pool=GPU_POOL,
)
def search_cells(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    genes: pd.DataFrame,
    collection: dict[str, Any],
    partition: str,
    settings: Profile,
    platform: PlatformResource,
    reranker: RerankerResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
) -> Made:
    """Cells that ask no model (A, B, D, L and ours): one released ranking a case, and what it was made of."""
    from genoplatform.assets.agent_runs import CellRun

    run = CellRun(SEARCH_CELLS, partition, settings, platform, reranker, None, embedder, vector_index)
    return run.cells((cases, candidates), (hpo_terms, genes), collection, asks_model=False)


@platform_asset(
    MODEL_CELLS,
    ins={**CASES, **WORDS, **SEARCHED},
    io="directory",
    version=VERSION,
    kinds=["json"],
    reads=["agents", "llm", "reranker", "embedding", "index", "retrieval"],
    partitions=COHORT_LISTS,
    needs=["reranker", "embedder", "vector_index", "llm"],
    pool=GPU_POOL,
)
def model_cells(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    hpo_terms: pd.DataFrame,
    genes: pd.DataFrame,
    collection: dict[str, Any],
    partition: str,
    settings: Profile,
    platform: PlatformResource,
    reranker: RerankerResource,
    embedder: EmbedderResource,
    vector_index: VectorIndexResource,
    llm: LlmResource,
) -> Made:
    """Cells that ask a language model (S, O and ours), with every prompt, answer, fallback and checked citation."""
    from genoplatform.assets.agent_runs import CellRun

    run = CellRun(MODEL_CELLS, partition, settings, platform, reranker, llm, embedder, vector_index)
    return run.cells((cases, candidates), (hpo_terms, genes), collection, asks_model=True)


@platform_asset(
    FUSED_CELL,
    ins={
        **CASES,
        "model_cells": MODEL_CELLS,
        "resnik": "eval/prioritisation/resnik_scores",
        "likelihood": "eval/prioritisation/likelihood_scores",
        "phenodigm": "eval/prioritisation/phenodigm_scores",
        "exomiser": "eval/prioritisation/exomiser_scores",
        "lirical": "eval/prioritisation/lirical_scores",
    },
    io="directory",
    version=VERSION,
    kinds=["json"],
    reads=["agents"],
    partitions=COHORT_LISTS,
)
def fused_cell(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    model_cells: Path,
    resnik: pd.DataFrame,
    likelihood: pd.DataFrame,
    phenodigm: pd.DataFrame,
    exomiser: pd.DataFrame,
    lirical: pd.DataFrame,
    partition: str,
    settings: Profile,
    platform: PlatformResource,
) -> Made:
    """Cell N: a system without literature and cell S, fused by reciprocal rank, with both ranks of every gene."""
    from genoplatform.assets.agent_runs import not_used, staged_fusion

    declared = settings.agents
    if declared is None or declared.fusion_first is None:
        return not_used(platform, FUSED_CELL, partition)
    systems = {"resnik": resnik, "likelihood": likelihood, "phenodigm": phenodigm}
    systems |= {"exomiser": exomiser, "lirical": lirical}
    return staged_fusion(platform, (cases, candidates), model_cells, systems, declared, partition)


cell_assets = [search_cells, model_cells, fused_cell]
