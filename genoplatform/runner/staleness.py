"""Whether a stored artefact is still what its code, parameters, inputs and pins would give, and why not.

The sidecars decide, not the event log: a store copied to another machine plans the same, and an artefact that was
touched, half written or made by other code is made again.
"""

from __future__ import annotations

from pathlib import Path

from genoplatform.provenance import CheckRecord, InputRef, Sidecar, file_sha256, read_sidecar
from genoplatform.provenance.sidecar import SidecarError, read_checks
from genoplatform.resources.claims import CLAIMS_CHECK, claims_basis
from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.nodes import Node, artefact_of, needed_by


def why_stale(
    node: Node,
    partition: str | None,
    nodes: dict[str, Node],
    platform: PlatformResource,
    stale: dict[tuple[str, str | None], str],
) -> str | None:
    """Why one artefact has to be made again; None if it is up to date.

    Args:
        node: the asset.
        partition: its partition, or None.
        nodes: from `read_nodes`.
        platform: home and profile.
        stale: what is already known to be made again, with its reason.
    """
    needed = needed_by(node, partition, nodes)
    for name, key in sorted(needed, key=str):
        if (name, key) in stale:
            return f"{name} changes"
    path = artefact_of(node, partition, platform)
    if not path.exists():
        return "not made yet"
    try:
        sidecar = read_sidecar(path)
        upstream = {read_sidecar(artefact_of(nodes[name], key, platform)).reference() for name, key in needed}
        return _why_changed(node, path, sidecar, upstream, platform) or _why_unchecked(node, path, sidecar, platform)
    except SidecarError as error:
        return f"no provenance ({error.found})"


def why_unusable(node: Node, partition: str | None, platform: PlatformResource) -> str | None:
    """Why a run that does not make this artefact must not build on it.

    It is not there, or a blocking check failed on it or has no result for it: not having run is not having passed.
    """
    path = artefact_of(node, partition, platform)
    if not path.exists():
        return "not made yet"
    try:
        sidecar, record = read_sidecar(path), read_checks(path)
    except SidecarError as error:
        return f"no provenance ({error.found})"
    current = record if record is not None and record.sha256 == sidecar.sha256 else None
    ran = {item.name for item in current.checks} if current else set()
    if missing := sorted(node.blocking - ran):
        return f"check {missing[0]} has not run"
    return _failed_check(current) if current else None


def _why_changed(
    node: Node, path: Path, sidecar: Sidecar, upstream: set[InputRef], platform: PlatformResource
) -> str | None:
    if sidecar.code_version != node.code_version:
        return f"code version {sidecar.code_version} -> {node.code_version}"
    if sidecar.parameters != platform.settings().parameters(node.reads):
        return "parameters changed"
    if set(sidecar.inputs) != upstream:
        return "inputs changed"
    if file_sha256(path) != sidecar.sha256:
        return "its bytes were changed"
    return _why_other_pin(node.slot, sidecar, platform) if node.slot else None


def _why_other_pin(slot: str, sidecar: Sidecar, platform: PlatformResource) -> str | None:
    wanted, pin = platform.settings().slots.pin_of(slot, sidecar.partition), sidecar.pin
    if (pin.source_id if pin else None) != wanted:
        return f"pin changed to {wanted}"
    if pin is None:
        return None
    if pin.kind == "catalogue" and platform.sources().catalogue.get(pin.source_id).sha256 != pin.sha256:
        return f"{pin.source_id} is pinned to other bytes"
    located = platform.locate(pin)
    if located is None:
        return "pinned bytes are not in the cache"
    # A directory of the user's is recorded, not pinned: nothing else notices that it changed.
    return "the directory changed" if pin.kind == "directory" and file_sha256(located) != pin.sha256 else None


def _why_unchecked(node: Node, path: Path, sidecar: Sidecar, platform: PlatformResource) -> str | None:
    if not node.checked:
        return None
    record = read_checks(path)
    if record is None or record.sha256 != sidecar.sha256 or {item.name for item in record.checks} != node.checked:
        return "not checked yet"
    for item in record.checks:
        if item.name == CLAIMS_CHECK and item.basis != claims_basis(platform):
            return "the claims changed"
        if item.declared and (item.declared == "error") != (item.name in node.blocking):
            return f"the severity of {item.name} changed"
    return _failed_check(record)


def _failed_check(record: CheckRecord) -> str | None:
    failed = [item.name for item in record.checks if item.blocks]
    return f"check {failed[0]} failed" if failed else None
