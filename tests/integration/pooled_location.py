"""A code location of trivial assets, eight a pool, for runs by the hundred: it imports Dagster and nothing else."""

import time

import dagster as dg

POOLS = ("gpu", "llm", "io", "java")
EACH = 8
BUSY_S = 0.2


def _asset(pool: str, number: int) -> dg.AssetsDefinition:
    @dg.asset(key=["pooled", f"{pool}_{number}"], pool=pool)
    def body() -> dg.MaterializeResult:
        time.sleep(BUSY_S)
        return dg.MaterializeResult(metadata={"number": number})

    return body


defs = dg.Definitions(
    assets=[_asset(pool, number) for pool in POOLS for number in range(EACH)], executor=dg.in_process_executor
)
