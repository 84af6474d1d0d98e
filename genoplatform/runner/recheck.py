"""Checks again on what is stored, outside a run: records and the instance are told, nothing is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import dagster as dg

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.errors import BadInputError
from genoplatform.resources.claims import CLAIMS_CHECK
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.execute import exclusive, prepare_home

if TYPE_CHECKING:
    from genoplatform.dbt_like_checks.listing import ListedCheck


def recheck(platform: PlatformResource, checks: Sequence[ListedCheck]) -> None:
    """Run checks on every stored artefact of their assets; Dagster's instance shows the new outcomes too.

    Raises:
        HomeBusyError: another command is running in the home.
        FileNotFoundError: an asset is not in the store.
    """
    with exclusive(platform.home_path):
        prepare_home(platform.home_path, platform.settings().name)
        with dg.DagsterInstance.get() as instance:
            for result in _results(platform, checks):
                instance.report_runless_asset_event(_evaluation(result))


def _results(platform: PlatformResource, checks: Sequence[ListedCheck]) -> Iterator[dg.AssetCheckResult]:
    from genoplatform.dbt_like_checks.claims import check_claims
    from genoplatform.dbt_like_checks.results import check_results

    for asset in sorted({check.asset for check in checks}):
        mine = [check for check in checks if check.asset == asset]
        tests = [check.test for check in mine if check.test is not None]
        if tests:
            yield from check_results(platform, declared_tables()[asset], tests)
        if any(check.name == CLAIMS_CHECK for check in mine):
            result = check_claims(platform, asset)
            yield result._replace(check_name=CLAIMS_CHECK, asset_key=dg.AssetKey(asset.split("/")))


def _evaluation(result: dg.AssetCheckResult) -> dg.AssetCheckEvaluation:
    return dg.AssetCheckEvaluation(
        asset_key=result.asset_key or dg.AssetKey([]),
        check_name=str(result.check_name),
        passed=result.passed,
        metadata=result.metadata,
        severity=result.severity,
        description=result.description,
        blocking=result.severity == dg.AssetCheckSeverity.ERROR,
    )


def accept_drift(platform: PlatformResource, asset: str, partition: str | None = None) -> list[str]:
    """Take stored states as last good although they drifted, and check them again; labels of what was accepted.

    Raises:
        BadInputError: the asset has no drift test, is not stored, or another blocking check has not passed.
    """
    from genoplatform.dbt_like_checks.listing import list_checks
    from genoplatform.dbt_like_checks.results import remember_if_good
    from genoplatform.dbt_like_checks.stored import stored_partitions
    from genoplatform.dbt_like_checks.vocabulary import Drift
    from genoplatform.provenance import read_sidecar

    tried = f"accepting the state of {asset}"
    table = declared_tables().get(asset)
    drifts = [test.name for test in table.declared_tests() if isinstance(test.arguments, Drift)] if table else []
    if table is None or not drifts:
        raise BadInputError(tried, "it has no drift test", "see `genoplatform checks list`")
    paths = [path for path in stored_partitions(platform, asset) if partition in (None, path.stem)]
    if not paths:
        raise BadInputError(tried, "it is not in the store", "run it first")
    checks = list_checks(platform, [asset])
    others = [check for check in checks if check.severity == "error" and check.name not in drifts]
    labels = [read_sidecar(path).label for path in paths]
    for check in others:
        for label in labels:
            outcome = check.outcomes[label]
            if outcome is None or outcome.blocks:
                raise BadInputError(tried, f"{check.name} has not passed on {label}", "only drift can be accepted")
    with exclusive(platform.home_path):
        for path in paths:
            remember_if_good(platform, path, table, by_hand=True)
    recheck(platform, [check for check in checks if check.name in drifts])
    return labels
