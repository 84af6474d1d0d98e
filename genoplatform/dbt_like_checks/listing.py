"""Every declared check of a profile with what it last found, from the records beside the artefacts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from genoplatform.dbt_like_checks.arguments import Severity
from genoplatform.dbt_like_checks.declared import DeclaredTest, declared_tables
from genoplatform.dbt_like_checks.stored import failure_files, stored_partitions
from genoplatform.errors import SettingsError
from genoplatform.provenance.sidecar import CheckOutcome, read_checks, read_sidecar
from genoplatform.resources.claims import CLAIMED_ASSETS, CLAIMS_CHECK
from genoplatform.resources.platform import PlatformResource

State = Literal["failed", "not run", "warned", "passed", "not made"]
_WORST: tuple[State, ...] = ("failed", "not run", "warned", "passed")
_CLAIMS_WORDS = "every number the profile claims about this asset is what the asset says"


@dataclass(frozen=True)
class ListedCheck:
    """One check: what it is, and its last outcome by artefact (None: no result for the bytes that lie there)."""

    asset: str
    name: str
    severity: Severity
    description: str
    test: DeclaredTest | None
    outcomes: dict[str, CheckOutcome | None] = field(default_factory=dict)

    @property
    def state(self) -> State:
        """The worst of its artefacts; "not made" without any."""
        states = {_state(outcome) for outcome in self.outcomes.values()}
        return next((state for state in _WORST if state in states), "not made")

    @property
    def failing_rows(self) -> int:
        """Failing rows, of all artefacts."""
        return sum(outcome.failing_rows or 0 for outcome in self.outcomes.values() if outcome)

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "asset": self.asset,
            "name": self.name,
            "severity": self.severity,
            "state": self.state,
            "failing_rows": self.failing_rows,
            "description": self.description,
            "artefacts": {
                label: None if outcome is None else outcome.model_dump(mode="json", exclude={"name"})
                for label, outcome in self.outcomes.items()
            },
        }


def _state(outcome: CheckOutcome | None) -> State:
    if outcome is None:
        return "not run"
    if outcome.passed:
        return "passed"
    return "failed" if outcome.blocks else "warned"


def list_checks(platform: PlatformResource, assets: Collection[str] | None = None) -> list[ListedCheck]:
    """Checks of all declared tables and claimed assets (or of some), by asset and in the order declared.

    Raises:
        SettingsError: an asset has no checks.
    """
    tables = declared_tables()
    known = sorted(tables.keys() | CLAIMED_ASSETS.keys())
    if unknown := sorted(set(assets or ()) - set(known)):
        raise SettingsError(f"listing the checks of {', '.join(unknown)}", "no checks", f"one of {', '.join(known)}")
    found = []
    for asset in known if assets is None else sorted(set(assets)):
        recorded = _recorded(platform, asset)
        for test in tables[asset].declared_tests() if asset in tables else []:
            outcomes = {label: items.get(test.name) for label, items in recorded.items()}
            found.append(ListedCheck(asset, test.name, test.severity, test.describe(), test, outcomes))
        if asset in CLAIMED_ASSETS:
            outcomes = {label: items.get(CLAIMS_CHECK) for label, items in recorded.items()}
            found.append(ListedCheck(asset, CLAIMS_CHECK, "error", _CLAIMS_WORDS, None, outcomes))
    return found


def _recorded(platform: PlatformResource, asset: str) -> dict[str, dict[str, CheckOutcome]]:
    """Outcomes by artefact label and name, of the bytes that lie there."""
    found = {}
    for path in stored_partitions(platform, asset, CLAIMED_ASSETS.get(asset, "parquet")):
        sidecar, record = read_sidecar(path), read_checks(path)
        current = record is not None and record.sha256 == sidecar.sha256
        found[sidecar.label] = {item.name: item for item in record.checks} if record is not None and current else {}
    return found


def find_checks(checks: list[ListedCheck], name: str) -> list[ListedCheck]:
    """Checks that a name means: `check`, `asset check`, or the start of a check's name that fits only one.

    Raises:
        SettingsError: it means none.
    """
    asset, _, short = name.rpartition(" ")
    mine = [item for item in checks if not asset or item.asset == asset]
    found = [item for item in mine if item.name == short] or [item for item in mine if item.name.startswith(short)]
    if not found:
        raise SettingsError(f"looking for check {name!r}", "there is none", "see `genoplatform checks list`")
    return found


def failing_rows(platform: PlatformResource, check: ListedCheck, shown: int) -> list[tuple[Path, list[dict[str, Any]]]]:
    """Files of failing keys of a check, and the first keys of each."""
    import pyarrow.parquet as pq

    files = failure_files(platform, check.test) if check.test else []
    return [(path, pq.read_table(path).slice(0, shown).to_pylist()) for path in files]
