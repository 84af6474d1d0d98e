"""The one code location: assets, their checks, resources and the store's IO managers, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

from genoplatform.assets import all_assets
from genoplatform.assets.index_check import index_checks
from genoplatform.dbt_like_checks.claims import claim_checks
from genoplatform.dbt_like_checks.compile import all_checks
from genoplatform.dbt_like_checks.guard import PublishingGuard
from genoplatform.resources.alerts import Alerts
from genoplatform.resources.embedder import EmbedderResource
from genoplatform.resources.exomiser import ExomiserResource
from genoplatform.resources.geo import GeoResource
from genoplatform.resources.gpu import GpuResource
from genoplatform.resources.lirical import LiricalResource
from genoplatform.resources.llm.resource import LlmResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.reranker.resource import RerankerResource
from genoplatform.resources.store_io import store_io_managers
from genoplatform.resources.vector_index import VectorIndexResource
from genoplatform.sensors import JOBS, SCHEDULES, all_sensors


def build_defs(
    *,
    platform: PlatformResource | None = None,
    checks: Sequence[dg.AssetChecksDefinition] | None = None,
    resources: Mapping[str, Any] | None = None,
) -> dg.Definitions:
    """Definitions of the code location.

    Args:
        platform: home and profile; by default taken from the environment when a run starts.
        checks: replaces the declared checks.
        resources: replaces resources by key (tests override parts instead of patching).
    """
    platform = platform or PlatformResource()
    declared = [*all_checks(), *claim_checks(), *index_checks] if checks is None else checks
    return dg.Definitions(
        assets=all_assets(),
        asset_checks=declared,
        jobs=JOBS,
        schedules=SCHEDULES,
        sensors=all_sensors(),
        resources={
            "platform": platform,
            "guard": PublishingGuard.of(declared),
            "exomiser": ExomiserResource(),
            "lirical": LiricalResource(),
            "geo": GeoResource(),
            "alerts": Alerts(),
            "llm": LlmResource(platform=platform, gpu=GpuResource()),
            "embedder": EmbedderResource(),
            "vector_index": VectorIndexResource(wait_s=3600.0),
            "reranker": RerankerResource(platform=platform),
            **store_io_managers(platform),
            **(resources or {}),
        },
        executor=dg.in_process_executor,
    )


defs = build_defs()
