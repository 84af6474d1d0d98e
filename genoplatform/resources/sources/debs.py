"""The `deb` mirror: a member of a Debian package, downloaded with apt's own sources and never installed.

Belongs here: calling apt-get and dpkg-deb, and streaming one member out of the package. Maintainer scripts never run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from genoplatform.resources.sources.errors import MirrorError
from genoplatform.resources.sources.progress import Progress
from genoplatform.resources.sources.streaming import check_size, copy_capped
from genoplatform.settings.sources import DebMirror, Source

APT_TIMEOUT = 1800
"""Seconds apt-get may take for one package."""
UNREACHABLE = ("Could not connect", "Connection failed", "Connection timed out", "Failed to fetch", "Temporary failure")


def obtain_from_deb(mirror: DebMirror, source: Source, scratch: Path, target: Path, progress: Progress) -> None:
    """Write the mirror's member to `target`.

    Raises:
        MirrorError: no apt on this system, no such package, or a package without the member.
        SizeMismatchError: the member has another size than the pin's.
    """
    tried = f"downloading {mirror.package}={mirror.version}"
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise MirrorError(tried, f"{tool} is not on this system", "Debian packages need a Debian or Ubuntu system")
    extract_member(_download(mirror, scratch, tried), mirror, source, target, progress)


def _download(mirror: DebMirror, scratch: Path, tried: str) -> Path:
    command = ["apt-get", "download", "--quiet", f"{mirror.package}={mirror.version}"]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=scratch,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=APT_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MirrorError(tried, f"apt-get took longer than {APT_TIMEOUT} s", transient=True) from error
    packages = sorted(scratch.glob("*.deb"))
    if done.returncode or len(packages) != 1:
        said = [line.removeprefix("E: ") for line in done.stderr.splitlines() if line.startswith("E:")]
        transient = any(mark in done.stderr for mark in UNREACHABLE)
        found = " | ".join(said) or "apt-get brought no package"
        raise MirrorError(
            tried, found, "run `apt-get update` if the package lists are old or empty", transient=transient
        )
    return packages[0]


def extract_member(package: Path, mirror: DebMirror, source: Source, target: Path, progress: Progress) -> None:
    """Stream one regular file out of a package to `target`; nothing else is unpacked.

    Raises:
        MirrorError: the package is damaged or lacks the member.
        SizeMismatchError: the member has another size than the pin's.
    """
    tried = f"reading {package.name}"
    command = ["dpkg-deb", "--fsys-tarfile", str(package)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:  # noqa: S603
        try:
            with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
                found = _copy_member(archive, mirror, source, target, progress)
        except (tarfile.TarError, EOFError) as error:
            raise MirrorError(tried, f"the package is damaged ({error})") from error
        finally:
            process.kill()
    if not found:
        raise MirrorError(tried, f"the package has no file {mirror.member}")


def _copy_member(archive: tarfile.TarFile, mirror: DebMirror, source: Source, target: Path, progress: Progress) -> bool:
    for entry in archive:
        if entry.name.removeprefix("./") != mirror.member or not entry.isreg():
            continue
        check_size(source, str(mirror), entry.size)
        stream = archive.extractfile(entry)
        if stream is not None:
            copy_capped(stream, target, source, str(mirror), progress)
            return True
    return False
