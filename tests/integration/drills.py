"""What every drill asks of a store afterwards: what can be read is right, and all of it is accounted for."""

import hashlib
import json
from pathlib import Path
from typing import Any

import dagster as dg
from drill_location import CHAIN, RIGHT, TOTAL, build

from genoplatform.provenance import read_sidecar, verify_store
from genoplatform.provenance.formats import FORMATS
from genoplatform.provenance.sidecar import SidecarError, read_checks
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import IntegrityError, read_verified


def home_of(path: Path) -> PlatformResource:
    """The platform of a drill's home."""
    return PlatformResource(home=str(path))


def files(platform: PlatformResource) -> dict[str, str]:
    """Relative path -> sha256 of every file of the store, artefacts and records alike, hidden ones too.

    Of sidecars without the commit and lock file: a checkout may change while a drill takes its minutes.
    """
    root = platform.store()
    found = sorted(path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): hashlib.sha256(_content(path)).hexdigest() for path in found}


def _content(path: Path) -> bytes:
    if not path.name.endswith(".provenance.json"):
        return path.read_bytes()
    return json.dumps({key: value for key, value in json.loads(path.read_text()).items() if key != "code"}).encode()


def readable(platform: PlatformResource) -> set[str]:
    """Assets of the chain that a run would read; each is asserted to be right. What is refused is there for nobody."""
    found = set()
    for asset, kind in CHAIN.items():
        path = platform.artefact(asset, None, kind)
        try:
            value = read_verified(path, FORMATS[kind])
        except (FileNotFoundError, SidecarError, IntegrityError):
            continue
        assert _sum(asset, value) == RIGHT, f"{asset} can be read and is wrong"
        found.add(asset)
    return found


def green(platform: PlatformResource) -> bool:
    """Whether the check is recorded as passed for the bytes that are there."""
    path = platform.artefact(TOTAL, None, CHAIN[TOTAL])
    try:
        record = read_checks(path)
        sha256 = read_sidecar(path).sha256
    except SidecarError:
        return False
    return record is not None and record.sha256 == sha256 and all(check.passed for check in record.checks)


def findings(platform: PlatformResource) -> list[str]:
    """What `audit verify` finds, but that the drill's assets rest on no pin."""
    found = verify_store(platform.store(), {}, platform.locate).findings
    return [f"{item.node}: {item.problem}" for item in found if item.problem != "no-root"]


def run_in_process(
    platform: PlatformResource, instance: dg.DagsterInstance, assets: list[str]
) -> dg.ExecuteInProcessResult:
    """Make assets in this process; for drills that need no deployment."""
    keys = [dg.AssetKey(asset.split("/")) for asset in assets]
    job = build(platform).resolve_implicit_global_asset_job_def()
    return job.execute_in_process(asset_selection=keys, instance=instance, raise_on_error=False)


def _sum(asset: str, value: Any) -> int:
    if isinstance(value, list):
        return sum(value)
    if isinstance(value, Path):
        return sum(int(number) for part in value.iterdir() for number in part.read_text().split())
    return int(value["sum"].sum())
