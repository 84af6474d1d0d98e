"""Claims as regression gates: an asset check that fails when a claimed number is no longer what the store says."""

import dagster as dg

from genoplatform.dbt_like_checks.declared import declared_tables
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.dbt_like_checks.stored import stored_partitions
from genoplatform.provenance.sidecar import CheckOutcome
from genoplatform.resources.claims import CLAIMED_ASSETS, CLAIMS_CHECK, audited_claims, claims_basis, claims_file
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource

SHOWN = 20


def claims_check(asset: str) -> dg.AssetChecksDefinition:
    """The gate of one asset: every claim of the profile about it holds."""
    key = dg.AssetKey(asset.split("/"))

    @dg.asset_check(
        asset=key,
        name=CLAIMS_CHECK,
        blocking=True,
        description="every number the profile claims about this asset is what the asset says",
        required_resource_keys={"platform"},
    )
    def run(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
        return check_claims(context.resources.platform, asset)

    return run


def check_claims(platform: PlatformResource, asset: str) -> dg.AssetCheckResult:
    """Compare every claim about an asset, and record the outcome beside each of its artefacts.

    A claim about a partition that is not made yet is not judged: another run makes it and checks again.
    """
    from genoplatform.inference.claims import failing

    tell("checking claims of", asset)
    stored = stored_partitions(platform, asset, CLAIMED_ASSETS[asset])
    names = {f"{asset}[{path.stem}]" for path in stored} | {asset}
    audit = audited_claims(platform, asset)
    judged = audit[audit["artefact"].map(_address).isin(names)]
    wrong = failing(judged)
    detail = "; ".join(
        f"{row.status} {row.name}: claimed {row.claimed}, found {row.found}" for row in wrong.head(SHOWN).itertuples()
    )
    known = {test.name for test in declared_tables()[asset].declared_tests()} if asset in declared_tables() else set()
    for path in stored:
        mine = wrong[wrong["artefact"].map(_address).isin([f"{asset}[{path.stem}]", asset])]
        outcome = CheckOutcome(
            name=CLAIMS_CHECK,
            severity="error",
            declared="error",
            passed=mine.empty,
            failing_rows=len(mine),
            basis=claims_basis(platform),
            detail="" if mine.empty else detail,
        )
        record_checks(path, [outcome], known | {CLAIMS_CHECK})
    source = claims_file(platform)
    return dg.AssetCheckResult(
        passed=wrong.empty,
        severity=dg.AssetCheckSeverity.ERROR,
        description=detail or None,
        metadata={"claims": len(judged), "failing": len(wrong), "file": source.name if source else "none"},
    )


def _address(artefact: str) -> str:
    return artefact.split(".", 1)[0]


def claim_checks() -> list[dg.AssetChecksDefinition]:
    """The gate of every asset that claims may speak of."""
    return [claims_check(asset) for asset in CLAIMED_ASSETS]
