"""Trying a candidate: its tables are made, checked and compared with those in force, in a home of the candidate's own.

The candidate's home shares the cache of pinned bytes and nothing else: the store in force is only read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from genoplatform.dbt_like_checks.declared import DeclaredTable, declared_tables
from genoplatform.dbt_like_checks.drift import compare
from genoplatform.dbt_like_checks.last_good import write_last_good
from genoplatform.dbt_like_checks.stored import last_good_root, stored_partitions
from genoplatform.dbt_like_checks.summaries import summarise
from genoplatform.dbt_like_checks.vocabulary import Drift
from genoplatform.errors import GenoplatformError
from genoplatform.provenance.atomic import remove, write_text
from genoplatform.provenance.sidecar import read_checks
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.candidates.record import Finding, folder_of
from genoplatform.settings.accepted import FILE_NAME, AcceptedPins, accepted_text


def try_out(
    platform: PlatformResource, candidate: str, pins: AcceptedPins, selection: str
) -> tuple[list[Finding], dict[str, list[str]]]:
    """Make the selected assets from the candidate's bytes.

    Args:
        platform: the home and profile in force.
        candidate: its id.
        pins: what the home would have accepted with it.
        selection: which assets; everything they need is made too.

    Returns:
        What is wrong, by name, and what changed, by table.
    """
    trial = _trial_home(platform, candidate, pins)
    _expect_what_is_good_now(platform, trial)
    findings = _run(trial, selection)
    failed = _failed_checks(trial)
    # The run stops at the first blocking check; the record beside the table names them all.
    findings = failed or findings
    return findings, dict(_changes(platform, trial))


def _trial_home(platform: PlatformResource, candidate: str, pins: AcceptedPins) -> PlatformResource:
    home = folder_of(platform.home_path, candidate) / "home"
    remove(home)
    home.mkdir(parents=True)
    cache = platform.sources().cache.root
    cache.mkdir(parents=True, exist_ok=True)
    (home / "cache").symlink_to(os.path.relpath(cache, home), target_is_directory=True)
    write_text(home / FILE_NAME, accepted_text(pins))
    return platform.at(home)


def _expect_what_is_good_now(platform: PlatformResource, trial: PlatformResource) -> None:
    """Let the candidate's drift checks compare with the state in force, whether or not it was recorded as good yet."""
    known = last_good_root(platform)
    if known.is_dir():
        shutil.copytree(known, last_good_root(trial), dirs_exist_ok=True)
    for table in declared_tables().values():
        for path in stored_partitions(platform, table.asset):
            write_last_good(last_good_root(trial), path, _drift_specs(table))


def _run(trial: PlatformResource, selection: str) -> list[Finding]:
    from genoplatform.definitions import build_defs
    from genoplatform.runner.execute import prepare_home, run_assets
    from genoplatform.runner.nodes import read_nodes, select

    prepare_home(trial.home_path, trial.settings().name)
    defs = build_defs(platform=trial)
    try:
        summary = run_assets(defs, read_nodes(defs, trial), trial, select(defs, f"+({selection})"))
    except GenoplatformError as error:
        return [Finding(level="error", name=error.tried, text=error.found)]
    return [Finding(level="warn", name=warning.partition(":")[0], text=warning) for warning in summary.warned]


def _failed_checks(trial: PlatformResource) -> list[Finding]:
    findings = []
    for table in declared_tables().values():
        for path in stored_partitions(trial, table.asset):
            record = read_checks(path)
            for check in record.checks if record else ():
                if not check.passed:
                    text = check.detail or f"{check.failing_rows or 0:,} rows fail"
                    findings.append(Finding(level=check.severity, name=f"{table.asset} {check.name}", text=text))
    return findings


def _changes(platform: PlatformResource, trial: PlatformResource) -> Iterable[tuple[str, list[str]]]:
    for table in declared_tables().values():
        before, after = stored_partitions(platform, table.asset), stored_partitions(trial, table.asset)
        lines = [line for spec in _drift_specs(table) if before and after for line in _moved(before, after, spec)]
        if lines:
            yield table.asset, lines


def _moved(before: list[Path], after: list[Path], spec: Drift) -> list[str]:
    found = compare(summarise(before, spec), summarise(after, spec), spec)
    return [("! " if item.breach else "  ") + item.text for item in found]


def _drift_specs(table: DeclaredTable) -> list[Drift]:
    return [test.arguments for test in table.declared_tests() if isinstance(test.arguments, Drift)]
