"""When an asset is made without being asked, and how old pinned bytes may get. The sensor that acts on it starts off.

Declared here once for whole layers: `core` and `eval` follow their inputs; `raw` is looked at every week; what is
published (`out`) is made because somebody wants it.
"""

from datetime import timedelta
from typing import Any

import dagster as dg

FOLLOWED = ("core", "eval")
# A week and a day: the weekly look may be late without anybody being woken.
FRESH = dg.FreshnessPolicy.time_window(fail_window=timedelta(days=15), warn_window=timedelta(days=8))


def follows_inputs() -> dg.AutomationCondition[dg.AssetKey | dg.AssetCheckKey]:
    """Once after an input has other content, if everything it is made from is there and has passed its blocking checks.

    * Content: the data version. A pin looked at again, or a run that gave the same bytes, starts nothing.
    * Once: a run that fails is not asked for again until an input changes again. Whoever mends the fault runs it.
    * A check that is missing, planned or red has not passed: a blocking check blocks only inside its own run, so this
      has to look itself.
    """
    wanted = dg.AutomationCondition.newly_missing() | dg.AutomationCondition.any_deps_match(
        dg.AutomationCondition.data_version_changed() | dg.AutomationCondition.will_be_requested()
    )
    return (
        dg.AutomationCondition.in_latest_time_window()
        & wanted.since_last_handled()
        & ~dg.AutomationCondition.any_deps_missing()
        & ~dg.AutomationCondition.any_deps_in_progress()
        & ~dg.AutomationCondition.in_progress()
        & dg.AutomationCondition.all_deps_blocking_checks_passed()
    ).with_label("follows_inputs")


def of_layer(layer: str, partitions: dg.PartitionsDefinition[str] | None) -> dict[str, Any]:
    """Dagster arguments that an asset has for being of its layer."""
    if layer in FOLLOWED:
        return {"automation_condition": follows_inputs()}
    # Of many partitions only the newest would count, which says nothing of the others.
    if layer == "raw" and partitions is None:
        return {"freshness_policy": FRESH}
    return {}
