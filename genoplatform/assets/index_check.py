"""The gate of the collection: it holds every distinct chunk of its fingerprint and no other, or nothing follows."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

from genoplatform.assets.retrieval import COLLECTION
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.provenance.sidecar import CheckOutcome
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.pools import GPU_POOL

POINTS_CHECK = "points_are_the_fingerprint"


@dg.asset_check(
    asset=dg.AssetKey(COLLECTION.split("/")),
    name=POINTS_CHECK,
    blocking=True,
    description="the index holds as many points as its fingerprint has distinct chunks, when built and now",
    required_resource_keys={"platform", "vector_index"},
    pool=GPU_POOL,
)
def points_check(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
    """Count the points of the live index, and record the outcome beside the collection."""
    from genoplatform.provenance.formats import FORMATS
    from genoplatform.resources.store_io import read_verified

    platform: PlatformResource = context.resources.platform
    tell("checking", COLLECTION)
    path = platform.artefact(COLLECTION, None, "json")
    value: Mapping[str, Any] = read_verified(path, FORMATS["json"])
    faults = _faults(platform, value, context.resources.vector_index) if value else []
    detail = "; ".join(faults)
    outcome = CheckOutcome(
        name=POINTS_CHECK, severity="error", passed=not faults, failing_rows=len(faults), detail=detail
    )
    record_checks(path, [outcome], {POINTS_CHECK})
    return dg.AssetCheckResult(
        passed=not faults,
        severity=dg.AssetCheckSeverity.ERROR,
        description=detail or None,
        metadata={"points": value.get("points", 0)},
    )


def _faults(platform: PlatformResource, value: Mapping[str, Any], resource: Any) -> list[str]:
    from genoplatform.resources.vector_index.building import live_faults

    return live_faults(platform, value, resource)


index_checks = [points_check]
