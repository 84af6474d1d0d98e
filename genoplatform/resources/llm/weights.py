"""Weights of a declared revision on this machine: a directory of one's own, or a snapshot in the hub's cache."""

from __future__ import annotations

import os
from pathlib import Path

from genoplatform.errors import SettingsError
from genoplatform.provenance import tree_sha256

MODEL_VARIABLE = "GENOPLATFORM_RERANKER_MODEL"


def find_weights(model: str, revision: str, variable: str = MODEL_VARIABLE) -> Path | None:
    """The directory that `variable` names, else the hub cache's snapshot of `revision`; None if there is neither.

    Nothing is downloaded, and whether a directory of one's own is the revision is not checked here.
    """
    if named := os.environ.get(variable, ""):
        return Path(named) if Path(named).is_dir() else None
    snapshot = hub_cache() / f"models--{model.replace('/', '--')}" / "snapshots" / revision
    return snapshot if (snapshot / "config.json").exists() else None


def usable_weights(model: str, revision: str, variable: str = MODEL_VARIABLE) -> Path | None:
    """As `find_weights`, checked; None leaves it to the library to obtain the declared revision.

    Raises:
        SettingsError: the directory named is not there, or not of the declared revision.
    """
    named = os.environ.get(variable, "")
    if not named:
        return find_weights(model, revision, variable)
    require_revision(Path(named), revision, variable)
    return Path(named)


def require_revision(folder: Path, revision: str, variable: str) -> None:
    """Raise SettingsError unless a directory of weights is the declared revision.

    A snapshot directory of the hub's cache is named by its commit; of any other the content decides, which a revision
    `sha256:<digest of the tree>` declares.
    """
    if not folder.is_dir():
        raise SettingsError("looking for the model", f"no directory {folder}", f"set {variable} to its directory")
    name = folder.resolve().name
    found = f"sha256:{tree_sha256(folder)}" if revision.startswith("sha256:") else name
    if revision not in {name, found}:
        hint = "name a snapshot directory of the declared commit, or declare the directory's own sha256: revision"
        raise SettingsError("looking for the model", f"{folder} is {found}, the profile declares {revision}", hint)


def hub_cache() -> Path:
    """The hub's cache, where its own variables say it is."""
    home = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()
