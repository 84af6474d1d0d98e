"""What is published rests on checks that have passed: the guard of the `out` layer, across runs.

A blocking check stops what follows it in its own run only. The guard looks at what every run left: it walks the
provenance of all that a publication is made from, and finds the blocking checks that failed, or have no result for the
bytes that lie there (never run, still planned, or of an earlier state). All count the same: not passed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from genoplatform.errors import GenoplatformError
from genoplatform.provenance import InputRef, Sidecar
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import CheckOutcome, SidecarError, read_checks, read_sidecar, sidecar_path
from genoplatform.resources.claims import CLAIMS_CHECK, claims_basis
from genoplatform.resources.platform import PlatformResource

Artefact = tuple[str, str | None]
_SHOWN = 5


class UnprovenError(GenoplatformError):
    """A publication would rest on something whose blocking checks have not passed."""


@dataclass(frozen=True)
class Obstacle:
    """One reason not to publish: the artefact, the check (empty for the artefact itself) and what is wrong."""

    artefact: str
    check: str
    problem: str

    def __str__(self) -> str:
        return " ".join(part for part in (self.artefact, self.check, self.problem) if part)


@dataclass(frozen=True)
class PublishingGuard:
    """The blocking checks of a code location by asset, and the refusal that rests on them."""

    blocking: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, checks: Iterable[dg.AssetsDefinition]) -> "PublishingGuard":
        """The guard of a code location with these checks."""
        found: dict[str, set[str]] = {}
        for check in checks:
            for spec in check.check_specs:
                if spec.blocking:
                    found.setdefault("/".join(spec.asset_key.path), set()).add(spec.name)
        return cls({asset: frozenset(names) for asset, names in found.items()})

    def obstacles(self, platform: PlatformResource, start: Iterable[Artefact]) -> list[Obstacle]:
        """Everything at or above `start` that is not proven, nearest first."""
        found: list[Obstacle] = []
        seen: set[Artefact] = set()
        waiting = list(dict.fromkeys(start))
        while waiting:
            current = waiting.pop(0)
            if current in seen:
                continue
            seen.add(current)
            located = _locate(platform, *current)
            if located is None:
                found.append(Obstacle(_label(*current), "", "is not in the store"))
                continue
            path, sidecar = located
            found += self._unpassed(platform, path, sidecar)
            waiting += [(used.asset, used.partition) for used in sidecar.inputs]
        return found

    def refuse(self, platform: PlatformResource, asset: str, inputs: Iterable[InputRef]) -> None:
        """Stop the making of `asset` if anything it rests on is not proven.

        Raises:
            UnprovenError: naming the checks and their artefacts.
        """
        found = self.obstacles(platform, [(used.asset, used.partition) for used in inputs])
        if found:
            more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
            raise UnprovenError(
                f"publishing {asset}",
                "; ".join(map(str, found[:_SHOWN])) + more,
                "run or explain those checks: `genoplatform checks run`, `genoplatform checks explain NAME`",
            )

    def _unpassed(self, platform: PlatformResource, path: Path, sidecar: Sidecar) -> Iterator[Obstacle]:
        names = self.blocking.get(sidecar.asset, frozenset())
        if not names:
            return
        try:
            record = read_checks(path)
        except SidecarError as error:
            yield Obstacle(sidecar.label, "", f"has an unreadable check record ({error.found})")
            return
        current = record is not None and record.sha256 == sidecar.sha256
        outcomes = {item.name: item for item in record.checks} if record is not None and current else {}
        for name in sorted(names):
            if problem := _problem(outcomes.get(name), platform):
                yield Obstacle(sidecar.label, name, problem)


def _problem(outcome: CheckOutcome | None, platform: PlatformResource) -> str:
    if outcome is None:
        return "has no result for the present state"
    if outcome.name == CLAIMS_CHECK and outcome.basis != claims_basis(platform):
        return "has no result for the claims in force"
    return f"failed: {outcome.detail or 'no detail'}" if outcome.blocks else ""


def _locate(platform: PlatformResource, asset: str, partition: str | None) -> tuple[Path, Sidecar] | None:
    for kind in FORMATS:
        path = platform.artefact(asset, partition, kind)
        if path.exists() and sidecar_path(path).is_file():
            return path, read_sidecar(path)
    return None


def _label(asset: str, partition: str | None) -> str:
    return asset if partition is None else f"{asset}[{partition}]"
