"""Where an artefact lies in a store: `<root>/<layer>/<domain>/<name>[/<partition>]<suffix>`."""

from __future__ import annotations

from pathlib import Path

from genoplatform.provenance.formats import FORMATS


def store_root(home: Path, profile: str) -> Path:
    """The store of one profile; profiles never share artefacts."""
    return home / "store" / profile


def artefact_path(root: Path, asset: str, partition: str | None, kind: str) -> Path:
    """Path of an artefact.

    Args:
        root: store root.
        asset: `layer/domain/name`.
        partition: partition key or None.
        kind: format name (see `formats.FORMATS`).
    """
    base = root.joinpath(*asset.split("/"))
    target = base if partition is None else base / partition
    return target.with_name(target.name + FORMATS[kind].suffix)
