"""Which code is running: package version, git commit, digest of the package's own files, digest of the lock file."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import genoplatform
from genoplatform.provenance.digests import file_sha256
from genoplatform.provenance.sidecar import CodeIdentity

_PACKAGE = Path(genoplatform.__file__).parent
_SOURCE_SUFFIXES = {".py", ".yml", ".yaml", ".html", ".css"}


@functools.cache
def code_identity() -> CodeIdentity:
    """Identity of the installed code.

    The commit names the history; `source_sha256` is what proves the code, also from a dirty tree or an installed wheel
    (where commit and lock file are None).
    """
    lock = _PACKAGE.parent / "requirements.lock"
    return CodeIdentity(
        package_version=genoplatform.__version__,
        commit=git_commit(_PACKAGE.parent),
        source_sha256=_source_sha256(),
        lock_sha256=file_sha256(lock) if lock.is_file() else None,
    )


def git_commit(root: Path) -> str | None:
    """Commit checked out at `root`, read from git's own files; None outside a checkout or before the first commit."""
    git = root / ".git"
    if git.is_file():  # a worktree or submodule points elsewhere
        git = (root / git.read_text().removeprefix("gitdir:").strip()).resolve()
    head = git / "HEAD"
    if not head.is_file():
        return None
    content = head.read_text().strip()
    if not content.startswith("ref: "):
        return content or None
    return _resolve_ref(git, content.removeprefix("ref: "))


def _resolve_ref(git: Path, ref: str) -> str | None:
    common = git / "commondir"
    bases = [git, (git / common.read_text().strip()).resolve()] if common.is_file() else [git]
    for base in bases:
        if (base / ref).is_file():
            return (base / ref).read_text().strip()
        packed = base / "packed-refs"
        if packed.is_file():
            for line in packed.read_text().splitlines():
                if line.endswith(" " + ref):
                    return line.split(" ", 1)[0]
    return None


def _source_sha256() -> str:
    lines = [
        f"{path.relative_to(_PACKAGE).as_posix()}\t{file_sha256(path)}\n"
        for path in sorted(_PACKAGE.rglob("*"))
        if path.suffix in _SOURCE_SUFFIXES and path.is_file()
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
