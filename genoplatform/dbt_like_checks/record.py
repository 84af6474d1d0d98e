"""Check outcomes beside the artefact they speak of, merged with what an earlier run found of the same bytes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from genoplatform.provenance.sidecar import (
    CheckOutcome,
    CheckRecord,
    SidecarError,
    checks_path,
    read_checks,
    read_sidecar,
    write_record,
)


def record_checks(path: Path, outcomes: Iterable[CheckOutcome], known: Collection[str]) -> None:
    """Write outcomes beside an artefact.

    Args:
        path: the artefact.
        outcomes: what this run found.
        known: every check the artefact has; an earlier outcome of another name belongs to an older declaration and
            is dropped.
    """
    sidecar = read_sidecar(path)
    checks = {item.name: item for item in _still_true(path, sidecar.sha256) if item.name in known}
    checks |= {item.name: item for item in outcomes}
    record = CheckRecord(
        asset=sidecar.asset,
        partition=sidecar.partition,
        sha256=sidecar.sha256,
        checks=[checks[name] for name in sorted(checks)],
    )
    write_record(checks_path(path), record)


def _still_true(path: Path, sha256: str) -> list[CheckOutcome]:
    """Outcomes recorded of the same bytes by an earlier run, which may have run other tests."""
    try:
        kept = read_checks(path)
    except SidecarError:  # unreadable: about to be written again
        return []
    return kept.checks if kept is not None and kept.sha256 == sha256 else []
