"""Dagster pools: what a machine has one of. Limits are set in dagster.yaml, one slot each unless it says otherwise."""

from genoplatform.resources.java_tool import JAVA_POOL
from genoplatform.resources.llm import LLM_POOL

GPU_POOL = "gpu"  # embedding, reranking, a served model: one at a time on a card
IO_POOL = "io"  # large reads and writes of one disk
POOLS = (GPU_POOL, LLM_POOL, IO_POOL, JAVA_POOL)

__all__ = ["GPU_POOL", "IO_POOL", "JAVA_POOL", "LLM_POOL", "POOLS"]
