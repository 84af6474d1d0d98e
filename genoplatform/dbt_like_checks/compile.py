"""Declared tests become Dagster asset checks: one `multi_asset_check` a table, one load, failing keys kept."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest, declared_tables
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.dbt_like_checks.vocabulary import Relationships
from genoplatform.provenance.sidecar import CheckOutcome, sidecar_path
from genoplatform.resources.claims import CLAIMS_CHECK
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import verified

KEPT_KEYS = 1_000
SHOWN_KEYS = 20
_Found = tuple[str, Any, list[dict[str, Any]]]  # artefact, outcome, keys of failing rows


def table_checks(table: DeclaredTable) -> dg.AssetChecksDefinition:
    """The checks of one declared table."""
    tests = table.declared_tests()
    key = dg.AssetKey(table.asset.split("/"))
    specs = [
        dg.AssetCheckSpec(
            test.name,
            asset=key,
            description=test.describe(),
            blocking=test.severity == "error",
            additional_deps=_other_tables(test),
        )
        for test in tests
    ]

    @dg.multi_asset_check(
        name=f"checks_{table.asset.replace('/', '__')}",
        specs=specs,
        can_subset=True,
        required_resource_keys={"platform"},
    )
    def run(context: dg.AssetCheckExecutionContext) -> Iterator[dg.AssetCheckResult]:
        platform: PlatformResource = context.resources.platform
        wanted = {item.name for item in context.selected_asset_check_keys}
        chosen = [test for test in tests if test.name in wanted]
        partition = context.partition_key if context.has_partition_key else None
        yield from check_results(platform, table, chosen, partition)

    return run


def _other_tables(test: DeclaredTest) -> list[dg.AssetKey]:
    # Without it a check may run before a table it compares with is made: neither needs to be upstream of the other.
    arguments = test.arguments
    if not isinstance(arguments, Relationships) or arguments.to == test.asset:
        return []
    return [dg.AssetKey(arguments.to.split("/"))]


def check_results(
    platform: PlatformResource, table: DeclaredTable, tests: list[DeclaredTest], partition: str | None = None
) -> Iterator[dg.AssetCheckResult]:
    """Run tests on the stored partitions of a table; record the outcomes beside each, and report them to Dagster.

    Args:
        platform: home and profile.
        table: its declaration.
        tests: which of its tests.
        partition: of the run: only what it made is looked at, because the other partitions may be of an earlier state
            that a later run makes again. None looks at all.
    """
    from genoplatform.dbt_like_checks.run_tests import run_tests

    tell("checking", table.asset)
    artefacts = stored_partitions(platform, table.asset)
    artefacts = [path for path in artefacts if path.stem == partition] or artefacts
    if not artefacts:
        raise FileNotFoundError(f"{table.asset} is not in the store; materialise it before checking it")
    load = _loader(platform)
    found: dict[str, list[_Found]] = {test.name: [] for test in tests}
    for path in artefacts:
        frame, outcomes = run_tests(verified(path), table, tests, load)
        _record(path, table, tests, outcomes)
        for name, outcome in outcomes.items():
            found[name].append((path.stem, outcome, _failing_keys(frame, table, outcome)))
    for test in tests:
        yield _result(failures_path(platform, test, partition), test, found[test.name])


def stored_partitions(platform: PlatformResource, asset: str) -> list[Path]:
    """Parquet artefacts of an asset: the one file, or one a partition, sorted.

    Without a sidecar a file is what a killed run left: it is no artefact, and the next run makes it again.
    """
    single = platform.artefact(asset, None, "parquet")
    stored = [single, *sorted(single.with_suffix("").glob("*.parquet"))]
    return [path for path in stored if path.is_file() and sidecar_path(path).is_file()]


def _loader(platform: PlatformResource) -> Callable[[str, list[str]], Any]:
    import pandas as pd

    def load(asset: str, columns: list[str]) -> Any:
        artefacts = stored_partitions(platform, asset)
        if not artefacts:
            raise FileNotFoundError(f"{asset} is not in the store; a relationship needs it")
        return pd.concat([pd.read_parquet(verified(path), columns=columns) for path in artefacts], ignore_index=True)

    return load


def _failing_keys(frame: Any, table: DeclaredTable, outcome: Any) -> list[dict[str, Any]]:
    rows = frame.iloc[outcome.failing[:KEPT_KEYS]]
    key = [name for name in table.key if name in frame.columns]
    found: list[dict[str, Any]] = rows[key].astype(str).to_dict("records")
    return found if key else [{"row": int(position)} for position in rows.index]


def _record(path: Path, table: DeclaredTable, tests: list[DeclaredTest], outcomes: dict[str, Any]) -> None:
    found = [
        CheckOutcome(
            name=test.name,
            severity=test.severity,
            passed=outcomes[test.name].passed,
            failing_rows=len(outcomes[test.name].failing),
            detail=outcomes[test.name].detail,
        )
        for test in tests
    ]
    record_checks(path, found, {test.name for test in table.declared_tests()} | {CLAIMS_CHECK})


def _result(path: Path, test: DeclaredTest, found: list[_Found]) -> dg.AssetCheckResult:
    failing = sum(len(outcome.failing) for _, outcome, _ in found)
    tested = sum(outcome.tested for _, outcome, _ in found)
    keys = [{"artefact": stem, **key} for stem, _, rows in found for key in rows][:KEPT_KEYS]
    metadata: dict[str, Any] = {"tested": tested, "failing": failing, "rate": failing / tested if tested else 0.0}
    details = [f"{stem}: {outcome.detail}" for stem, outcome, _ in found if outcome.detail and not outcome.passed]
    if keys:
        metadata |= {"failing_keys": dg.MetadataValue.json(keys[:SHOWN_KEYS]), **_keep_keys(path, keys)}
    else:
        path.unlink(missing_ok=True)
    return dg.AssetCheckResult(
        check_name=test.name,
        asset_key=dg.AssetKey(test.asset.split("/")),
        passed=all(outcome.passed for _, outcome, _ in found),
        severity=dg.AssetCheckSeverity.ERROR if test.severity == "error" else dg.AssetCheckSeverity.WARN,
        description="; ".join(details) or None,
        metadata=metadata,
    )


def failures_path(platform: PlatformResource, test: DeclaredTest, partition: str | None = None) -> Path:
    """Where the keys of the rows that fail a test are kept, of one partition or of all."""
    folder = platform.home_path / "failures" / platform.settings().name / Path(*test.asset.split("/"))
    return folder / ".".join([test.name, *([partition] if partition else []), "parquet"])


def _keep_keys(path: Path, keys: list[dict[str, Any]]) -> dict[str, Any]:
    import pandas as pd

    from genoplatform.provenance import file_sha256
    from genoplatform.provenance.formats import FORMATS, write_artefact

    write_artefact(path, pd.DataFrame(keys), FORMATS["parquet"])
    return {"failures_path": dg.MetadataValue.path(str(path)), "failures_sha256": file_sha256(path)}


def all_checks() -> list[dg.AssetChecksDefinition]:
    """Checks of every declared table."""
    return [table_checks(table) for table in declared_tables().values()]
