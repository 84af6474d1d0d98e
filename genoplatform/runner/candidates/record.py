"""The record of a tried candidate release: `<home>/candidates/<feed>@<version>/candidate.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from genoplatform.errors import BadInputError
from genoplatform.provenance.atomic import write_text
from genoplatform.settings.sources import Source

State = Literal["proposed", "refused", "unchanged", "accepted"]
RECORD = "candidate.json"


class _Plain(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Finding(_Plain):
    """One thing found while trying a candidate; an `error` refuses it."""

    level: Literal["error", "warn"]
    name: str
    text: str


class PinChange(_Plain):
    """A slot that the candidate would fill, and what fills it now."""

    slot: str
    now: str | None
    then: str


class Candidate(_Plain):
    """A release that was obtained and tried for one profile.

    Attributes:
        changes: the readable comparison, by table: every figure that moved.
    """

    format: Literal["genoplatform-candidate/1"] = "genoplatform-candidate/1"
    feed: str
    version: str
    profile: str
    state: State
    sources: tuple[Source, ...]
    pins: tuple[PinChange, ...]
    findings: tuple[Finding, ...] = ()
    changes: dict[str, list[str]] = {}

    @property
    def id(self) -> str:
        """`<feed>@<version>`."""
        return f"{self.feed}@{self.version}"

    @property
    def errors(self) -> list[Finding]:
        """What refuses it."""
        return [finding for finding in self.findings if finding.level == "error"]


def folder_of(home: Path, candidate: str) -> Path:
    """Directory of a candidate, by its id."""
    if candidate.startswith(".") or "/" in candidate or "\\" in candidate:
        raise BadInputError(
            f"opening candidate {candidate!r}", "not a candidate's id", "see `genoplatform sources candidates`"
        )
    return home / "candidates" / candidate


def write_candidate(home: Path, candidate: Candidate) -> None:
    """Write or replace the record, atomically."""
    write_text(folder_of(home, candidate.id) / RECORD, candidate.model_dump_json(indent=1) + "\n")


def read_candidate(home: Path, candidate: str) -> Candidate:
    """The record of a candidate.

    Raises:
        BadInputError: there is none, or it was not finished.
    """
    path = folder_of(home, candidate) / RECORD
    if not path.is_file():
        known = ", ".join(item.id for item in candidates(home)) or "none"
        raise BadInputError(
            f"opening candidate {candidate}",
            f"not staged here; there are: {known}",
            "stage it first: `genoplatform sources stage FEED`",
        )
    return Candidate.model_validate_json(path.read_bytes())


def candidates(home: Path) -> list[Candidate]:
    """Every candidate of a home, sorted by id."""
    records = sorted((home / "candidates").glob(f"*/{RECORD}"))
    return [Candidate.model_validate_json(path.read_bytes()) for path in records]
