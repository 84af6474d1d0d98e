"""Python, disk and memory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from genoplatform.runner.health.finding import Finding

DISK_GB, MEMORY_GB = 2.0, 2.0  # what the embedded profile takes


def machine(home: Path) -> list[Finding]:
    """Findings of the machine that `home` is on."""
    import psutil

    version = ".".join(map(str, sys.version_info[:3]))
    place = _existing(home)
    free = shutil.disk_usage(place).free / 1e9
    memory = psutil.virtual_memory().available / 1e9
    return [
        Finding("Python", sys.version_info >= (3, 11), version, True, "install Python 3.11 or newer"),
        Finding("free disk", free >= DISK_GB, f"{free:.1f} GB", True, f"free {DISK_GB:.0f} GB, or use --home"),
        _writable(home, place),
        Finding("free memory", memory >= MEMORY_GB, f"{memory:.1f} GB", True, f"free {MEMORY_GB:.0f} GB"),
    ]


def _writable(home: Path, place: Path) -> Finding:
    import os

    may = os.access(place, os.W_OK | os.X_OK)
    return Finding("home", may, f"{home}{'' if may else ' cannot be written'}", True, "use --home")


def _existing(home: Path) -> Path:
    place = home
    while not place.exists():
        place = place.parent
    return place
