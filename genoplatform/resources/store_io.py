"""Typed IO managers: parquet, json, npz, directory and pin. They write artefact and sidecar, and verify every read."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
from upath import UPath

from genoplatform.errors import GenoplatformError
from genoplatform.provenance import (
    InputRef,
    PinRef,
    Sidecar,
    UnsupportedTypeError,
    file_sha256,
    read_sidecar,
    tree_bytes,
)
from genoplatform.provenance.code_identity import code_identity
from genoplatform.provenance.formats import FORMATS, Format, write_artefact
from genoplatform.provenance.sidecar import checks_path, sidecar_path, write_record
from genoplatform.resources.events import tell
from genoplatform.resources.platform import PlatformResource

PIN = "pin"
_READ: dict[Path, str] = {}  # artefact -> sha256 of what this process read of it last


class IntegrityError(GenoplatformError):
    """Bytes on disk are not the bytes the provenance recorded."""


@dataclass
class Envelope:
    """A value on its way to the store, with what its sidecar will say; once stored, it lets go of the value."""

    value: Any
    data_version: str
    code_version: str
    parameters: dict[str, Any] = field(default_factory=dict)
    inputs: list[InputRef] = field(default_factory=list)
    pin: PinRef | None = None
    recorded: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PinnedInput:
    """Pinned bytes as an asset body receives them: verified, at `path`."""

    path: Path
    pin: PinRef


def write_with_provenance(path: Path, kind: Format, asset: str, partition: str | None, envelope: Envelope) -> Sidecar:
    """Write an artefact, then its sidecar; a crash between the two leaves an artefact the next run does not trust."""
    sidecar_path(path).unlink(missing_ok=True)
    checks_path(path).unlink(missing_ok=True)
    write_artefact(path, envelope.value, kind)
    sidecar = Sidecar(
        asset=asset,
        partition=partition,
        file=path.name,
        sha256=file_sha256(path),
        bytes=tree_bytes(path),
        data_version=envelope.data_version,
        code_version=envelope.code_version,
        code=code_identity(),
        parameters=envelope.parameters,
        inputs=envelope.inputs,
        pin=envelope.pin,
        recorded=envelope.recorded,
    )
    write_record(sidecar_path(path), sidecar)
    return sidecar


def verified(path: Path) -> Path:
    """The path of an artefact, once its bytes are re-hashed against its sidecar.

    Raises:
        FileNotFoundError: no such artefact.
        SidecarError: it has no provenance.
        IntegrityError: the bytes are not the recorded ones.
    """
    if not path.exists():
        raise FileNotFoundError(path)
    recorded, found = read_sidecar(path).sha256, file_sha256(path)
    if recorded != found:
        raise IntegrityError(
            f"reading {path.name}", f"sha256 recorded {recorded}, found {found}", "materialise the asset again"
        )
    _READ[path] = found
    return path


def require_as_read(path: Path, sha256: str) -> None:
    """Raise IntegrityError if this process has read other bytes at `path` than those, of `sha256`, that are there."""
    if (read := _READ.get(path, sha256)) != sha256:
        raise IntegrityError(
            f"recording that {path.name} was read",
            f"another run made it again meanwhile: read sha256 {read}, now {sha256}",
            "run again",
        )


def read_verified(path: Path, kind: Format) -> Any:
    """Read an artefact after re-hashing it; errors as `verified`."""
    return kind.read(verified(path))


class StoreIOManager(dg.UPathIOManager):
    """One format of the store behind Dagster's path logic."""

    def __init__(self, platform: PlatformResource, kind: Format) -> None:
        self.kind = kind
        self.extension = kind.suffix or None
        self.platform = platform
        super().__init__(base_path=UPath(platform.store()))

    def dump_to_path(self, context: dg.OutputContext, obj: Any, path: UPath) -> None:
        """Write an `Envelope`; anything else is an error."""
        if not isinstance(obj, Envelope):
            raise UnsupportedTypeError(
                f"storing {context.asset_key.to_user_string()}", f"a bare {type(obj).__name__}", "use platform_asset"
            )
        partition = context.partition_key if context.has_asset_partitions else None
        asset = "/".join(context.asset_key.path)
        write_with_provenance(Path(str(path)), self.kind, asset, partition, obj)
        obj.value = None  # Dagster keeps every output of an in-process run until the run ends
        tell("made", asset, partition)

    def load_from_path(self, context: dg.InputContext, path: UPath) -> Any:
        """Read and verify an artefact."""
        return read_verified(Path(str(path)), self.kind)


class PinIOManager(StoreIOManager):
    """Raw layer: the artefact is a small record of the pin; reading it hands out the verified pinned bytes."""

    def load_from_path(self, context: dg.InputContext, path: UPath) -> PinnedInput | None:
        """The pinned bytes, re-hashed; None for a slot the profile leaves empty."""
        record = read_verified(Path(str(path)), self.kind)
        if record["source_id"] is None:
            return None
        pin = PinRef.model_validate(record)
        if pin.kind == "catalogue":
            return PinnedInput(self._fetch(pin), pin)
        located = self.platform.locate(pin)
        if located is None or file_sha256(located) != pin.sha256:
            raise IntegrityError(
                f"reading {pin.source_id}",
                "its content changed since it was recorded",
                "materialise the raw asset again",
            )
        return PinnedInput(located, pin)

    def _fetch(self, pin: PinRef) -> Path:
        fetched = self.platform.sources().fetch(pin.source_id)
        if fetched.source.sha256 != pin.sha256:
            raise IntegrityError(
                f"reading {pin.source_id}",
                f"recorded with sha256 {pin.sha256}, the catalogue now pins {fetched.source.sha256}",
                "materialise the raw asset again",
            )
        return fetched.path


class StoreIO(dg.ConfigurableIOManagerFactory):  # type: ignore[type-arg]
    """Factory of the store's IO managers; `kind` is a format name, or `pin`."""

    platform: PlatformResource
    kind: str

    def create_io_manager(self, context: dg.InitResourceContext) -> StoreIOManager:
        """The IO manager of this format."""
        if self.kind == PIN:
            return PinIOManager(self.platform, FORMATS["json"])
        if self.kind not in FORMATS:
            raise UnsupportedTypeError("configuring the store", f"format {self.kind!r}", f"one of {sorted(FORMATS)}")
        return StoreIOManager(self.platform, FORMATS[self.kind])


def store_io_managers(platform: PlatformResource) -> dict[str, StoreIO]:
    """IO managers by key, one a format."""
    return {kind: StoreIO(platform=platform, kind=kind) for kind in (PIN, *FORMATS)}
