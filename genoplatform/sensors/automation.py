"""The sensor behind the automation conditions of `core` and `eval`, and the weekly look at the pinned bytes.

Both give their runs the limits of background work: people come first, a run that hangs ends, and a run whose worker
died (not one whose step failed) is tried once more.
"""

import dagster as dg

from genoplatform.assets import all_assets
from genoplatform.assets.automation import FOLLOWED

MAX_RUNTIME_S = 24 * 3600
BACKGROUND = {"dagster/priority": "-1", "dagster/max_runtime": str(MAX_RUNTIME_S), "dagster/max_retries": "1"}

follow_inputs = dg.AutomationConditionSensorDefinition(
    name="follow_inputs",
    target=dg.AssetSelection.all(),
    run_tags=BACKGROUND,
    minimum_interval_seconds=60,
    description=f"Makes {' and '.join(FOLLOWED)} assets whose inputs have other content; off until somebody starts it.",
)


def pins_to_obtain() -> list[dg.AssetKey]:
    """Raw assets that a schedule can ask for: those without partitions."""
    return [asset.key for asset in all_assets() if asset.key.path[0] == "raw" and asset.partitions_def is None]


obtain_pins = dg.define_asset_job(
    name="obtain_pins",
    selection=dg.AssetSelection.assets(*pins_to_obtain()),
    description="Obtain every pin again, from cache or mirror, and hash it: what freshness counts.",
    tags=BACKGROUND,
)
weekly_pins = dg.ScheduleDefinition(
    name="weekly_pins",
    job=obtain_pins,
    cron_schedule="0 3 * * 1",
    execution_timezone="UTC",
    description="Mondays at 3 UTC, before the audit: every pin is obtained and hashed again.",
)
