"""The provenance sidecar: what an artefact is, what made it and from what. Beside the artefact, no clock in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from genoplatform.errors import GenoplatformError
from genoplatform.provenance import atomic

SIDECAR_SUFFIX = ".provenance.json"
CHECKS_SUFFIX = ".checks.json"
STATED = "stated_data_version"  # in `recorded`, of an artefact whose maker says what its content is (an index)


class SidecarError(GenoplatformError):
    """A sidecar is missing or unreadable."""


class InputRef(BaseModel):
    """One upstream artefact as it was when this one was made."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    asset: str
    partition: str | None = None
    sha256: str
    data_version: str


class PinRef(BaseModel):
    """The pinned bytes a raw asset stands for: catalogue id, name and hash; never an address or a path."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    source_id: str
    kind: Literal["catalogue", "directory"] = "catalogue"
    file_name: str
    sha256: str
    bytes: int


class CodeIdentity(BaseModel):
    """Which code wrote the artefact."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    package_version: str
    commit: str | None
    source_sha256: str
    lock_sha256: str | None


class Sidecar(BaseModel):
    """Provenance of one artefact (one asset, one partition).

    `recorded` holds facts of the run that are neither parameters nor inputs: an external tool's version and hashes.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["genoplatform-provenance/1"] = "genoplatform-provenance/1"
    asset: str
    partition: str | None = None
    file: str
    sha256: str
    bytes: int
    data_version: str
    code_version: str
    code: CodeIdentity
    parameters: dict[str, Any] = Field(default_factory=dict)
    inputs: list[InputRef] = Field(default_factory=list)
    pin: PinRef | None = None
    recorded: dict[str, Any] = Field(default_factory=dict)

    def reference(self) -> InputRef:
        """This artefact as the input of another."""
        return InputRef(asset=self.asset, partition=self.partition, sha256=self.sha256, data_version=self.data_version)

    @property
    def label(self) -> str:
        """`asset` or `asset[partition]`, for people."""
        return self.asset if self.partition is None else f"{self.asset}[{self.partition}]"


class CheckOutcome(BaseModel):
    """Result of one declared check on one state of an artefact.

    `severity` is what a failure amounts to, which thresholds may decide; `declared` what the check was declared with,
    empty in records that do not say. `basis` is the digest of what the check compared with, where that can change
    without its name changing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    severity: Literal["warn", "error"]
    passed: bool
    failing_rows: int | None = None
    basis: str = ""
    detail: str = ""
    declared: Literal["warn", "error", ""] = ""

    @property
    def blocks(self) -> bool:
        """Whether nothing may be built on the artefact."""
        return not self.passed and self.severity == "error"


class CheckRecord(BaseModel):
    """All check outcomes of an artefact; `sha256` says which bytes they speak of."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["genoplatform-checks/1"] = "genoplatform-checks/1"
    asset: str
    partition: str | None = None
    sha256: str
    checks: list[CheckOutcome]


def sidecar_path(artefact: Path) -> Path:
    """Where the sidecar of `artefact` lies."""
    return artefact.with_name(artefact.name + SIDECAR_SUFFIX)


def checks_path(artefact: Path) -> Path:
    """Where the check record of `artefact` lies."""
    return artefact.with_name(artefact.name + CHECKS_SUFFIX)


def write_record(path: Path, record: BaseModel) -> None:
    """Write a sidecar or check record atomically, as indented JSON with sorted keys."""
    content = json.dumps(record.model_dump(mode="json"), indent=1, sort_keys=True, ensure_ascii=False)
    atomic.write_text(path, content + "\n")


def read_sidecar(artefact: Path) -> Sidecar:
    """Read the sidecar beside `artefact`.

    Raises:
        SidecarError: no sidecar, or not one of this format.
    """
    path = sidecar_path(artefact)
    try:
        return Sidecar.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise SidecarError(
            f"reading the provenance of {artefact.name}",
            "no sidecar beside it",
            "materialise the asset again",
        ) from error
    except ValidationError as error:
        raise SidecarError(
            f"reading {path.name}",
            f"not a provenance sidecar ({error.error_count()} faults)",
            "materialise again",
        ) from error


def read_checks(artefact: Path) -> CheckRecord | None:
    """Read the check record beside `artefact`; None if no check has run on it."""
    try:
        return CheckRecord.model_validate_json(checks_path(artefact).read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise SidecarError(
            f"reading {checks_path(artefact).name}", f"{error.error_count()} faults", "run the checks again"
        ) from error


def iter_artefacts(store: Path) -> Iterator[Path]:
    """Every artefact under `store` that has a sidecar, sorted by path."""
    for path in sorted(store.rglob(f"*{SIDECAR_SUFFIX}")):
        yield path.with_name(path.name.removesuffix(SIDECAR_SUFFIX))
