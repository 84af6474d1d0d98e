"""The one code location: assets, their checks, resources and the store's IO managers, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

from genoplatform.assets import all_assets
from genoplatform.dbt_like_checks.claims import claim_checks
from genoplatform.dbt_like_checks.compile import all_checks
from genoplatform.resources.exomiser import ExomiserResource
from genoplatform.resources.lirical import LiricalResource
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import store_io_managers


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
    return dg.Definitions(
        assets=all_assets(),
        asset_checks=[*all_checks(), *claim_checks()] if checks is None else checks,
        resources={
            "platform": platform,
            "exomiser": ExomiserResource(),
            "lirical": LiricalResource(),
            **store_io_managers(platform),
            **(resources or {}),
        },
        executor=dg.in_process_executor,
    )


defs = build_defs()
