"""The last good state of a table: a small record beside the store, written when its blocking checks pass.

It outlives the artefact: made again from a broken release, a table is still compared with what was good before. A
change that is meant is accepted by hand (`genoplatform checks accept`), never by running again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from genoplatform.dbt_like_checks.summaries import TableSummary, summarise
from genoplatform.dbt_like_checks.vocabulary import Drift
from genoplatform.errors import GenoplatformError
from genoplatform.provenance import Sidecar, canonical_json, read_sidecar
from genoplatform.provenance.atomic import write_text

_LOOKED_AT = {"where", "classes", "numbers", "keys"}


class LastGoodError(GenoplatformError):
    """The record of a last good state cannot be read."""


class LastGood(BaseModel):
    """Which state of an artefact was last good, and its summaries by what they look at."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    format: Literal["genoplatform-last-good/1"] = "genoplatform-last-good/1"
    asset: str
    partition: str | None
    sha256: str
    data_version: str
    code_version: str
    accepted_by_hand: bool = False
    summaries: dict[str, TableSummary]


def looked_at(spec: Drift) -> str:
    """Name of what a spec summarises: thresholds may change without losing the state to compare with."""
    fields = spec.model_dump(mode="json", include=_LOOKED_AT)
    return hashlib.sha256(canonical_json(fields)).hexdigest()[:16]


def last_good_path(root: Path, sidecar: Sidecar) -> Path:
    """Where the record of an artefact lies, below the profile's folder of such records."""
    folder = root.joinpath(*sidecar.asset.split("/"))
    return folder / ("whole.json" if sidecar.partition is None else f"partition={sidecar.partition}.json")


def read_last_good(root: Path, artefact: Path) -> LastGood | None:
    """The record of the artefact's asset and partition; None before its checks first passed.

    Raises:
        LastGoodError: there is one that cannot be read: drift would pass unseen.
    """
    path = last_good_path(root, read_sidecar(artefact))
    try:
        return LastGood.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise LastGoodError(
            f"reading {path.name}",
            f"{error.error_count()} faults",
            "restore it, or accept the present state: `genoplatform checks accept ASSET`",
        ) from error


def write_last_good(root: Path, artefact: Path, specs: list[Drift], *, by_hand: bool = False) -> None:
    """Record the present state of an artefact as good; nothing for a table without drift tests."""
    if not specs:
        return
    sidecar = read_sidecar(artefact)
    record = LastGood(
        asset=sidecar.asset,
        partition=sidecar.partition,
        sha256=sidecar.sha256,
        data_version=sidecar.data_version,
        code_version=sidecar.code_version,
        accepted_by_hand=by_hand,
        summaries={looked_at(spec): summarise(artefact, spec) for spec in specs},
    )
    write_text(last_good_path(root, sidecar), record.model_dump_json(indent=1) + "\n")
