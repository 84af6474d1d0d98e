"""A code location for drills: the platform's way of making, storing and checking assets, with bodies that take time.

`numbers -> shards -> total`, which a blocking check adds up; beside them what a drill asks for by name.
"""

import os
import time
from pathlib import Path

import dagster as dg
import pandas as pd

from genoplatform.assets.declare import Made, platform_asset
from genoplatform.dbt_like_checks.guard import PublishingGuard
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.provenance.atomic import write_text
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import CheckOutcome
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import GPU_POOL, IO_POOL
from genoplatform.resources.store_io import read_verified, store_io_managers

NUMBERS, SHARDS, TOTAL = "core/drill/numbers", "core/drill/shards", "core/drill/total"
CHAIN = {NUMBERS: "json", SHARDS: "directory", TOTAL: "parquet"}
ALONE, FAILING, HANGING = "core/drill/alone", "core/drill/failing", "core/drill/hanging"
CHECK = "adds_up"
PARTS, EACH = 8, 200
RIGHT = sum(range(PARTS * EACH))
PAUSE_S = 0.1
TRACE, LEAVE = "trace", "leave"  # below the home: who was inside the body of `alone`; and that it may end


@platform_asset(NUMBERS, io="json", version="1", kinds=["json"], pool=IO_POOL)
def numbers() -> list[int]:
    """Numbers to be added up."""
    time.sleep(PAUSE_S)
    return list(range(PARTS * EACH))


@platform_asset(SHARDS, ins={"numbers": NUMBERS}, io="directory", version="1", kinds=["json"], pool=GPU_POOL)
def shards(numbers: list[int], platform: PlatformResource) -> Made:
    """The numbers in parts, staged so that a later run can go on."""
    folder = platform.work_dir(SHARDS)
    for part in range(PARTS):
        target = folder / f"part_{part}.txt"
        if not target.exists():
            time.sleep(PAUSE_S)
            write_text(target, " ".join(map(str, numbers[part * EACH : (part + 1) * EACH])))
    return Made(folder)


@platform_asset(TOTAL, ins={"shards": SHARDS}, io="parquet", version="1", kinds=["parquet"], pool=IO_POOL)
def total(shards: Path) -> pd.DataFrame:
    """The sum of every part."""
    time.sleep(PAUSE_S)
    parts = sorted(shards.iterdir())
    sums = [sum(map(int, part.read_text().split())) for part in parts]
    return pd.DataFrame({"part": [part.name for part in parts], "sum": sums})


@dg.asset_check(asset=TOTAL.split("/"), name=CHECK, blocking=True, required_resource_keys={"platform"})
def adds_up(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
    """The parts sum to what all numbers sum to."""
    path = context.resources.platform.artefact(TOTAL, None, "parquet")
    passed = int(read_verified(path, FORMATS["parquet"])["sum"].sum()) == RIGHT
    record_checks(path, [CheckOutcome(name=CHECK, severity="error", passed=passed)], {CHECK})
    return dg.AssetCheckResult(passed=passed)


@platform_asset(ALONE, io="json", version="1", kinds=["json"])
def alone(platform: PlatformResource) -> list[str]:
    """In no pool: only its own lock keeps two runs apart. Goes on when the drill lets it."""
    with (platform.home_path / TRACE).open("a") as trace:
        trace.write(f"in {os.getpid()}\n")
        trace.flush()
        while not (platform.home_path / LEAVE).exists():
            time.sleep(PAUSE_S)
        trace.write(f"out {os.getpid()}\n")
    return ["made"]


@platform_asset(FAILING, io="json", version="1", kinds=["json"], pool=GPU_POOL)
def failing() -> list[str]:
    """Fails, every time."""
    raise ValueError("bad data stay bad")


@platform_asset(HANGING, io="json", version="1", kinds=["json"], pool=GPU_POOL)
def hanging() -> list[str]:
    """Never ends by itself."""
    time.sleep(3600)
    return []


def build(platform: PlatformResource) -> dg.Definitions:
    """The location, on a home."""
    return dg.Definitions(
        assets=[numbers, shards, total, alone, failing, hanging],
        asset_checks=[adds_up],
        resources={"platform": platform, "guard": PublishingGuard.of([adds_up]), **store_io_managers(platform)},
        executor=dg.in_process_executor,
    )


defs = build(PlatformResource())
