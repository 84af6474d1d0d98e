"""`genoplatform doctor`: what this machine can run, and the command that fixes what it lacks."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from genoplatform.cli.options import DEFAULT_HOME, DEFAULT_PROFILE, Home, Json, ProfileName

if TYPE_CHECKING:
    from genoplatform.resources.platform import PlatformResource

_DISK_GB, _MEMORY_GB = 2.0, 2.0


@dataclass(frozen=True)
class Finding:
    """One thing looked at. `needed` tells whether the profile works without it."""

    what: str
    ok: bool
    found: str
    needed: bool
    fix: str = ""


def doctor(home: Home = DEFAULT_HOME, profile: ProfileName = DEFAULT_PROFILE, as_json: Json = False) -> None:
    """Look at Python, disk, memory, pins, Java and GPU. Exit code 1 if something the profile needs is missing."""
    from genoplatform.resources.platform import PlatformResource

    platform = PlatformResource(home=str(home.resolve()), profile=profile)
    findings = [*_machine(home.resolve()), *_pins(platform), *_programs()]
    broken = [item for item in findings if item.needed and not item.ok]
    if as_json:
        typer.echo(json.dumps({"ok": not broken, "findings": [asdict(item) for item in findings]}))
    else:
        for item in findings:
            mark = "ok  " if item.ok else ("LACK" if item.needed else "-   ")
            typer.echo(f"{mark}  {item.what:<22} {item.found}" + (f"  -> {item.fix}" if not item.ok else ""))
    raise typer.Exit(1 if broken else 0)


def _machine(home: Path) -> list[Finding]:
    import psutil

    place = home
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free / 1e9
    memory = psutil.virtual_memory().available / 1e9
    version = ".".join(map(str, sys.version_info[:3]))
    return [
        Finding("Python", sys.version_info >= (3, 11), version, True, "install Python 3.11 or newer"),
        Finding("free disk", free >= _DISK_GB, f"{free:.1f} GB", True, f"free {_DISK_GB:.0f} GB, or use --home"),
        Finding("free memory", memory >= _MEMORY_GB, f"{memory:.1f} GB", True, f"free {_MEMORY_GB:.0f} GB"),
    ]


def _pins(platform: PlatformResource) -> list[Finding]:
    wanted = platform.settings().source_ids
    checked = platform.sources().verify(wanted)
    corrupt = [item.id for item in checked if item.state == "corrupt"]
    here = sum(item.state == "ok" for item in checked)
    fix = f"genoplatform sources fetch --profile {platform.settings().name} --home {platform.home_path}"
    return [
        Finding("pinned inputs", here == len(wanted), f"{here} of {len(wanted)} in the cache", False, fix),
        Finding("intact cache", not corrupt, ", ".join(corrupt) or "yes", True, fix),
    ]


def _programs() -> list[Finding]:
    java, gpu = shutil.which("java"), shutil.which("nvidia-smi")
    return [
        Finding("Java", bool(java), java or "none", False, "install Java 17 or newer (Exomiser and LIRICAL need it)"),
        Finding("GPU", bool(gpu), "nvidia-smi" if gpu else "none", False, "the embedded profile needs none"),
    ]
