"""Audit a store offline: re-hash every artefact, and walk each one back to pinned bytes through the sidecars alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from genoplatform.provenance.digests import file_sha256, tree_bytes
from genoplatform.provenance.formats import FORMATS, format_of
from genoplatform.provenance.layout import artefact_path
from genoplatform.provenance.sidecar import (
    CHECKS_SUFFIX,
    SIDECAR_SUFFIX,
    STATED,
    InputRef,
    PinRef,
    Sidecar,
    SidecarError,
    iter_artefacts,
    read_checks,
    read_sidecar,
)

Level = Literal["error", "warning"]
NodeKey = tuple[str, str | None]


@dataclass(frozen=True)
class Finding:
    """One thing wrong (error) or not provable here (warning), at one node."""

    level: Level
    node: str
    problem: str
    detail: str


@dataclass
class AuditReport:
    """What an audit saw: counts, findings, and per node the pins it rests on."""

    artefacts: int = 0
    bytes_hashed: int = 0
    pins_verified: int = 0
    findings: list[Finding] = field(default_factory=list)
    roots: dict[str, list[str]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if there is no error (warnings allowed)."""
        return all(finding.level != "error" for finding in self.findings)

    def add(self, level: Level, node: str, problem: str, detail: str) -> None:
        """Record a finding."""
        self.findings.append(Finding(level, node, problem, detail))


def verify_store(
    store: Path,
    expected_pins: Mapping[str, str],
    locate_pin: Callable[[PinRef], Path | None],
    progress: Callable[[str], None] = lambda label: None,
) -> AuditReport:
    """Audit every artefact under `store`.

    Args:
        store: root of one profile's store.
        expected_pins: catalogue id -> sha256, as the settings pin it.
        locate_pin: where a pin's bytes lie on this machine, or None if they are not here.
        progress: called with each node's label before it is hashed.

    Returns:
        The report; `ok` is False if any artefact, chain or pin fails.
    """
    report = AuditReport()
    nodes = _read_nodes(store, report)
    for path, sidecar in nodes.values():
        progress(sidecar.label)
        _verify_bytes(path, sidecar, report)
        _verify_checks(path, sidecar, report)
        _verify_inputs(sidecar, nodes, report)
    _verify_pins(nodes, expected_pins, locate_pin, report)
    for path in _unaccounted(store):
        report.add("error", path.relative_to(store).as_posix(), "no-provenance", "an artefact without a sidecar")
    sidecars = {key: sidecar for key, (_, sidecar) in nodes.items()}
    unused = {key for key, (path, sidecar) in nodes.items() if _says_unused(path, sidecar)}
    report.roots = {sidecar.label: lineage_roots(key, sidecars) for key, sidecar in sidecars.items()}
    for key, (_, sidecar) in nodes.items():
        if not report.roots[sidecar.label] and not _of_unused_inputs(key, sidecars, unused):
            report.add("error", sidecar.label, "no-root", f"{key[0]} does not lead back to any pinned bytes")
    return report


Nodes = dict[NodeKey, tuple[Path, Sidecar]]


def _read_nodes(store: Path, report: AuditReport) -> Nodes:
    nodes: Nodes = {}
    for path in iter_artefacts(store):
        try:
            sidecar = read_sidecar(path)
        except SidecarError as error:
            report.add("error", path.relative_to(store).as_posix(), "bad-sidecar", error.found)
            continue
        if path != _place(store, path, sidecar):
            where = path.relative_to(store).as_posix()
            report.add("error", where, "misplaced", f"its sidecar is that of {sidecar.label}, {sidecar.file}")
        elif (key := (sidecar.asset, sidecar.partition)) in nodes:
            report.add("error", sidecar.label, "duplicate", f"both {nodes[key][0].name} and {path.name} claim to be it")
        else:
            nodes[key] = (path, sidecar)
    return nodes


def _place(store: Path, path: Path, sidecar: Sidecar) -> Path:
    kind = next((name for name, item in FORMATS.items() if item.suffix == path.suffix), "directory")
    place = artefact_path(store, sidecar.asset, sidecar.partition, kind)
    return place if sidecar.file == path.name else place.with_name(sidecar.file)


def _verify_bytes(path: Path, sidecar: Sidecar, report: AuditReport) -> None:
    if not path.exists():
        report.add("error", sidecar.label, "missing", f"{path.name} is not there; materialise it again")
        return
    found, size = file_sha256(path), tree_bytes(path)
    report.artefacts += 1
    report.bytes_hashed += size
    if (found, size) != (sidecar.sha256, sidecar.bytes):
        detail = f"recorded sha256 {sidecar.sha256}, {sidecar.bytes} bytes; found {found}, {size} bytes"
        report.add("error", sidecar.label, "changed", detail)
        return
    try:
        content = _data_version(path, sidecar)
    except Exception as error:  # whatever a reader makes of damaged bytes: the audit goes on to the next artefact
        report.add("error", sidecar.label, "unreadable", f"{type(error).__name__}: {error}")
        return
    if content != sidecar.data_version:
        report.add("error", sidecar.label, "data-version", f"recorded {sidecar.data_version}, content {content}")


def _data_version(path: Path, sidecar: Sidecar) -> str:
    from genoplatform.provenance.canonical import content_sha256

    if STATED in sidecar.recorded:
        return str(sidecar.recorded[STATED])  # not computed from the bytes, which their own digest holds to
    value = format_of(path).read(path)
    if sidecar.pin is None:
        return content_sha256(value)
    # The file is a pointer: its content is the pinned bytes, which are checked with the pins.
    return PinRef.model_validate(value).sha256 if value == sidecar.pin.model_dump(mode="json") else "of another pin"


def _verify_checks(path: Path, sidecar: Sidecar, report: AuditReport) -> None:
    try:
        record = read_checks(path)
    except SidecarError as error:
        report.add("error", sidecar.label, "bad-check-record", error.found)
        return
    if record is None:
        return
    if record.sha256 != sidecar.sha256:
        report.add("warning", sidecar.label, "checks-outdated", "the check record speaks of an earlier state")
        return
    for check in record.checks:
        if not check.passed:
            level: Level = "error" if check.blocks else "warning"
            report.add(level, sidecar.label, "check-failed", f"{check.name}: {check.detail}")


def _verify_inputs(sidecar: Sidecar, nodes: Nodes, report: AuditReport) -> None:
    for used in sidecar.inputs:
        current = nodes.get((used.asset, used.partition))
        if current is None:
            report.add("error", sidecar.label, "input-missing", f"{_label(used)} is not in the store")
        elif (now := current[1].reference()) != used:
            detail = (
                f"{_label(used)} is now {now.sha256} ({now.data_version}), used {used.sha256} ({used.data_version})"
            )
            report.add("error", sidecar.label, "input-changed", detail)


def _verify_pins(
    nodes: Nodes, expected: Mapping[str, str], locate: Callable[[PinRef], Path | None], report: AuditReport
) -> None:
    for _, sidecar in nodes.values():
        pin = sidecar.pin
        if pin is None:
            continue
        if pin.kind == "directory":
            report.add(
                "warning",
                sidecar.label,
                "not-a-pin",
                f"{pin.file_name}: a directory of the user's, hash recorded",
            )
        elif pin.source_id not in expected:
            report.add("error", sidecar.label, "unknown-pin", f"{pin.source_id} is not in the catalogue")
        elif expected[pin.source_id] != pin.sha256:
            report.add(
                "error",
                sidecar.label,
                "pin-changed",
                f"catalogue {expected[pin.source_id]}, recorded {pin.sha256}",
            )
        _verify_pin_bytes(pin, locate(pin), sidecar.label, report)


def _verify_pin_bytes(pin: PinRef, path: Path | None, label: str, report: AuditReport) -> None:
    if path is None:
        report.add("warning", label, "pin-not-here", f"{pin.source_id}: its bytes are not on this machine")
        return
    found = file_sha256(path)
    if found != pin.sha256:
        report.add("error", label, "pin-corrupt", f"{pin.source_id}: pinned {pin.sha256}, on disk {found}")
    else:
        report.pins_verified += 1


def lineage_roots(key: NodeKey, nodes: Mapping[NodeKey, Sidecar]) -> list[str]:
    """The pins an artefact rests on, as sorted "id sha256" texts, by walking the sidecars' inputs."""
    pins = (sidecar.pin for sidecar in _lineage(key, nodes) if sidecar.pin is not None)
    return sorted({f"{pin.source_id} {pin.sha256}" for pin in pins})


def _lineage(key: NodeKey, nodes: Mapping[NodeKey, Sidecar]) -> list[Sidecar]:
    """An artefact and everything it rests on, each once."""
    seen: dict[NodeKey, Sidecar] = {}
    stack = [key]
    while stack:
        current = stack.pop()
        if current in seen or current not in nodes:
            continue
        seen[current] = nodes[current]
        stack.extend((used.asset, used.partition) for used in nodes[current].inputs)
    return list(seen.values())


def _of_unused_inputs(key: NodeKey, nodes: Mapping[NodeKey, Sidecar], unused: set[NodeKey]) -> bool:
    """Whether all it rests on are slots the profile leaves empty, or parts it does not use: then there is no pin."""
    leaves = [(leaf.asset, leaf.partition) for leaf in _lineage(key, nodes) if not leaf.inputs]
    return key[0].startswith("raw/") or (bool(leaves) and unused.issuperset(leaves))


def _says_unused(path: Path, sidecar: Sidecar) -> bool:
    """Whether a part is not used by the profile: its maker recorded so, or it is the record of an empty slot."""
    if "unused" in sidecar.recorded:
        return True
    if not sidecar.asset.startswith("raw/") or path.suffix != ".json" or not path.is_file():
        return False
    try:
        record = json.loads(path.read_bytes())
    except ValueError:
        return False
    return isinstance(record, dict) and record.get("source_id", "") is None


def _unaccounted(store: Path) -> list[Path]:
    owned = set(iter_artefacts(store))
    found = []
    for path in sorted(item for item in store.rglob("*") if item.is_file()):
        hidden = any(part.startswith(".") for part in path.relative_to(store).parts)  # temporaries of a writer
        if hidden or path.name.endswith((SIDECAR_SUFFIX, CHECKS_SUFFIX)):
            continue
        if path not in owned and not any(parent in owned for parent in path.parents):
            found.append(path)
    return found


def _label(used: InputRef) -> str:
    return used.asset if used.partition is None else f"{used.asset}[{used.partition}]"
