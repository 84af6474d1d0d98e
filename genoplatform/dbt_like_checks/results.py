"""Checking a declared table in the store: running its tests, recording the outcomes, telling Dagster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest
from genoplatform.dbt_like_checks.last_good import looked_at, read_last_good, write_last_good
from genoplatform.dbt_like_checks.record import record_checks
from genoplatform.dbt_like_checks.stored import failures_path, keep_keys, last_good_root, stored_partitions
from genoplatform.dbt_like_checks.vocabulary import Drift
from genoplatform.provenance.sidecar import CheckOutcome, read_checks
from genoplatform.resources.claims import CLAIMS_CHECK
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import verified

if TYPE_CHECKING:
    from genoplatform.dbt_like_checks.run_tests import Around
    from genoplatform.dbt_like_checks.summaries import TableSummary

SHOWN_KEYS = 20


@dataclass(frozen=True)
class _Found:
    """What one test found in one artefact."""

    artefact: str
    outcome: Any
    keys: list[dict[str, Any]]
    kept: Path
    kept_sha256: str | None


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
    tell("checking", table.asset)
    stored = stored_partitions(platform, table.asset)
    artefacts = [path for path in stored if path.stem == partition] or stored
    if not artefacts:
        raise FileNotFoundError(f"{table.asset} is not in the store; materialise it before checking it")
    found: dict[str, list[_Found]] = {test.name: [] for test in tests}
    for path in artefacts:
        for name, item in _check(platform, table, tests, path, (stored, partition)).items():
            found[name].append(item)
    for test in tests:
        yield _result(test, found[test.name])


def _check(
    platform: PlatformResource,
    table: DeclaredTable,
    tests: list[DeclaredTest],
    path: Path,
    run: tuple[list[Path], str | None],
) -> dict[str, _Found]:
    from genoplatform.dbt_like_checks.run_tests import failing_keys, run_tests

    around = _around(platform, path, *run)
    outcomes = run_tests(verified(path), table, tests, around)
    partitioned = path != platform.artefact(table.asset, None, "parquet")
    found = {}
    for test in tests:
        keys = failing_keys(path, table, outcomes[test.name])
        kept = failures_path(platform, test, path.stem if partitioned else None)
        found[test.name] = _Found(path.stem, outcomes[test.name], keys, kept, keep_keys(kept, path.stem, keys))
    _record(path, table, tests, outcomes)
    remember_if_good(platform, path, table)
    return found


def _around(platform: PlatformResource, path: Path, stored: list[Path], partition: str | None) -> Around:
    from genoplatform.dbt_like_checks.run_tests import Around

    return Around(
        locate=_locator(platform),
        last_good=lambda spec: _last_summary(platform, path, spec),
        stored=tuple(item.stem for item in stored),
        partition=partition,
        spill=platform.home_path / "spill",
    )


def _last_summary(platform: PlatformResource, path: Path, spec: Drift) -> TableSummary | None:
    record = read_last_good(last_good_root(platform), path)
    return record.summaries.get(looked_at(spec)) if record else None


def _locator(platform: PlatformResource) -> Callable[[str], list[Path]]:
    hashed: dict[str, list[Path]] = {}  # several tests of a table compare with the same other one

    def locate(asset: str) -> list[Path]:
        if asset not in hashed:
            hashed[asset] = [verified(path) for path in stored_partitions(platform, asset)]
        if not hashed[asset]:
            raise FileNotFoundError(f"{asset} is not in the store; a relationship needs it")
        return hashed[asset]

    return locate


def _record(path: Path, table: DeclaredTable, tests: list[DeclaredTest], outcomes: dict[str, Any]) -> None:
    found = [
        CheckOutcome(
            name=test.name,
            severity=outcomes[test.name].severity or test.severity,
            declared=test.severity,
            passed=outcomes[test.name].passed,
            failing_rows=outcomes[test.name].failing_rows,
            detail=outcomes[test.name].detail,
        )
        for test in tests
    ]
    record_checks(path, found, {test.name for test in table.declared_tests()} | {CLAIMS_CHECK})


def remember_if_good(platform: PlatformResource, path: Path, table: DeclaredTable, *, by_hand: bool = False) -> None:
    """Record this state as last good once every blocking test of the table has passed on it.

    Args:
        platform: home and profile.
        path: the artefact.
        table: its declaration.
        by_hand: somebody accepts its drift: only the other blocking tests have to pass.
    """
    tests = table.declared_tests()
    specs = [test.arguments for test in tests if isinstance(test.arguments, Drift)]
    excused = {test.name for test in tests if by_hand and isinstance(test.arguments, Drift)}
    blocking = {test.name for test in tests if test.severity == "error"} - excused
    record = read_checks(path)
    good = {item.name for item in record.checks if not item.blocks} if record else set()
    if specs and blocking <= good:
        write_last_good(last_good_root(platform), path, specs, by_hand=by_hand)


def _result(test: DeclaredTest, found: list[_Found]) -> dg.AssetCheckResult:
    failing = sum(item.outcome.failing_rows for item in found)
    tested = sum(item.outcome.tested for item in found)
    keys = [{"artefact": item.artefact, **key} for item in found for key in item.keys]
    metadata: dict[str, Any] = {"tested": tested, "failing": failing, "rate": failing / tested if tested else 0.0}
    failed = [item for item in found if not item.outcome.passed]
    details = [f"{item.artefact}: {item.outcome.detail}" for item in failed if item.outcome.detail]
    if keys:
        metadata |= {"failing_keys": dg.MetadataValue.json(keys[:SHOWN_KEYS]), **_kept(found)}
    severities = {item.outcome.severity or test.severity for item in failed} or {test.severity}
    return dg.AssetCheckResult(
        check_name=test.name,
        asset_key=dg.AssetKey(test.asset.split("/")),
        passed=not failed,
        severity=dg.AssetCheckSeverity.ERROR if "error" in severities else dg.AssetCheckSeverity.WARN,
        description="; ".join(details) or None,
        metadata=metadata,
    )


def _kept(found: list[_Found]) -> dict[str, Any]:
    kept = [item for item in found if item.kept_sha256]
    if len(kept) == 1:
        return {"failures_path": dg.MetadataValue.path(str(kept[0].kept)), "failures_sha256": kept[0].kept_sha256}
    hashes = {item.artefact: item.kept_sha256 for item in kept}
    return {"failures_path": dg.MetadataValue.path(str(kept[0].kept.parent)), "failures_sha256": hashes}
