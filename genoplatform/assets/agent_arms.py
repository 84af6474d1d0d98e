"""What a cell's figures depend on: its own paper among the sources, the prompt's wording, the model; and a judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.assets.agents import CASES, MODEL_CELLS, SEARCHED, WORDS
from genoplatform.assets.declare import COHORT_LISTS, Made, platform_asset
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import GPU_POOL, LLM_POOL
from genoplatform.resources.reranker.resource import RerankerResource
from genoplatform.resources.vector_index import VectorIndexResource

if TYPE_CHECKING:
    import pandas as pd

    from genoplatform.settings.profiles import Profile

LOPO, SENSITIVITY, ABLATION, JUDGE = (f"eval/agents/{name}" for name in ("lopo", "sensitivity", "ablation", "judge"))
_REPLAYED = {**CASES, "model_cells": MODEL_CELLS}


@platform_asset(
    LOPO,
    ins={**CASES, **WORDS, **SEARCHED},
    io="directory",
    version="1",
    kinds=["json"],
    reads=["agents", "llm", "reranker", "embedding", "index", "retrieval"],
    partitions=COHORT_LISTS,
    needs=["reranker", "embedder", "vector_index", "llm"],
    pool=GPU_POOL,
)
def lopo(
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
    """Cell S with and without the case's own publication among its sources, and whether it was among them at all."""
    from genoplatform.assets.agent_replays import run_lopo
    from genoplatform.assets.agent_runs import CellRun, not_used

    declared = settings.agents
    if declared is None or not declared.leave_one_paper_out or partition != "standard":
        return not_used(platform, LOPO, partition)
    run = CellRun(LOPO, partition, settings, platform, reranker, llm, embedder, vector_index)
    return run_lopo(run, (cases, candidates), (hpo_terms, genes), collection)


@platform_asset(
    SENSITIVITY,
    ins=_REPLAYED,
    io="directory",
    version="1",
    kinds=["json"],
    reads=["agents", "llm"],
    partitions=COHORT_LISTS,
    needs=["llm"],
    pool=LLM_POOL,
)
def sensitivity(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    model_cells: Path,
    partition: str,
    settings: Profile,
    platform: PlatformResource,
    llm: LlmResource,
) -> Made:
    """Cell S's prompts asked again, in the words of production and two paraphrases; one record a case and wording."""
    from genoplatform.assets.agent_replays import Replays
    from genoplatform.assets.agent_runs import not_used

    declared = settings.agents
    if declared is None or declared.sensitivity is None or partition != "standard":
        return not_used(platform, SENSITIVITY, partition)
    return Replays(SENSITIVITY, partition, declared, platform, llm).sensitivity((cases, candidates), model_cells)


@platform_asset(
    ABLATION,
    ins=_REPLAYED,
    io="directory",
    version="1",
    kinds=["json"],
    reads=["agents", "llm"],
    partitions=COHORT_LISTS,
    needs=["llm"],
    pool=LLM_POOL,
)
def ablation(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    model_cells: Path,
    partition: str,
    settings: Profile,
    platform: PlatformResource,
    llm: LlmResource,
) -> Made:
    """Cell S's prompts asked of other models of the profile; one record a case and model, errors as they were."""
    from genoplatform.assets.agent_replays import Replays
    from genoplatform.assets.agent_runs import not_used

    declared = settings.agents
    if declared is None or declared.ablation is None or partition != "standard":
        return not_used(platform, ABLATION, partition)
    return Replays(ABLATION, partition, declared, platform, llm).ablation((cases, candidates), model_cells)


@platform_asset(
    JUDGE,
    ins=_REPLAYED,
    io="directory",
    version="1",
    kinds=["json"],
    reads=["agents", "llm"],
    partitions=COHORT_LISTS,
    needs=["llm"],
    pool=LLM_POOL,
)
def judge(
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    model_cells: Path,
    partition: str,
    settings: Profile,
    platform: PlatformResource,
    llm: LlmResource,
) -> Made:
    """A model's judgement of cell S's answers: faithfulness, context precision and recall, in the released file."""
    from genoplatform.assets.agent_replays import Replays
    from genoplatform.assets.agent_runs import not_used

    declared = settings.agents
    if declared is None or declared.judge is None:
        return not_used(platform, JUDGE, partition)
    return Replays(JUDGE, partition, declared, platform, llm).judge((cases, candidates), model_cells)


@platform_asset(
    "eval/agents/arms",
    ins={
        "lopo": LOPO,
        "sensitivity": SENSITIVITY,
        "ablation": ABLATION,
        "judge": JUDGE,
        "outcomes": "eval/agents/outcomes",
        "evaluation": "eval/agents/evaluation",
        "cases": "core/cohort/cases",
    },
    io="tables",
    version="1",
    kinds=["parquet"],
    reads=["agents", "inference"],
    partitions=COHORT_LISTS,
)
def arms(
    lopo: Path,
    sensitivity: Path,
    ablation: Path,
    judge: Path,
    outcomes: pd.DataFrame,
    evaluation: dict[str, pd.DataFrame],
    cases: pd.DataFrame,
    partition: str,
    settings: Profile,
) -> Made:
    """Leave-one-paper-out, prompt wording, other models and the judge in numbers, each on the cases it ran on."""
    from genoplatform.assets.shown import markdown_table
    from genoplatform.inference.arm_tables import arm_tables

    declared = settings.inference
    folders = {"lopo": lopo, "sensitivity": sensitivity, "ablation": ablation, "judge": judge}
    tables, report = arm_tables(
        folders,
        cases,
        outcomes,
        evaluation["ranks"],
        difficulty=partition,
        draws=declared.bootstrap_draws,
        seed=declared.seed,
    )
    shown = {name: markdown_table(table) for name, table in tables.items() if len(table)}
    return Made(tables, {"report": report} | shown)


arm_assets = [lopo, sensitivity, ablation, judge, arms]
