"""Per-case checkpoints: a folder that belongs to one set-up, in which finished cases stay done.

Belongs here: telling whether a folder is of this set-up. Does not belong here: what a case's files hold (case_files).
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from genoplatform.provenance import canonical_json
from genoplatform.provenance.atomic import atomic_path, remove, sweep_partials, write_bytes

SETUP_FILE = "setup.json"


def open_folder(folder: Path, setup: Mapping[str, Any]) -> Path:
    """The folder, ready to go on in: emptied unless what lies there was made with exactly this set-up.

    Args:
        folder: where the files of a run go; need not exist.
        setup: everything the files depend on: definition, limits, identities of model and index, the cases.
    """
    record = canonical_json({"setup": dict(setup), "fingerprint": fingerprint(setup)}) + b"\n"
    path = folder / SETUP_FILE
    if folder.exists() and not (path.is_file() and path.read_bytes() == record):
        remove(folder)
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(path, record)
    sweep_partials(folder)
    return folder


def adopt(folder: Path, finished: Path, setup: Mapping[str, Any]) -> None:
    """Start from the finished files of an earlier run, if they were made with exactly this set-up."""
    wanted = canonical_json({"setup": dict(setup), "fingerprint": fingerprint(setup)}) + b"\n"
    path = finished / SETUP_FILE
    if not folder.exists() and path.is_file() and path.read_bytes() == wanted:
        with atomic_path(folder) as partial:
            shutil.copytree(finished, partial)


def fingerprint(setup: Mapping[str, Any]) -> str:
    """Sha256 of a set-up."""
    return hashlib.sha256(canonical_json(dict(setup))).hexdigest()
