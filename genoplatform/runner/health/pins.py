"""Pinned inputs: which are in the cache, whole; and the directories of the user's that the profile wants."""

from __future__ import annotations

import os
import re
from pathlib import Path

from genoplatform.resources.platform import PlatformResource
from genoplatform.runner.health.finding import Finding
from genoplatform.settings.profiles import DIRECTORY_PREFIX, Profile


def pins(platform: PlatformResource) -> list[Finding]:
    """Findings of what the profile in force is made from."""
    settings = platform.settings()
    wanted = settings.source_ids
    checked = platform.sources().verify(wanted)
    corrupt = [item.id for item in checked if item.state == "corrupt"]
    here = sum(item.state == "ok" for item in checked)
    fix = f"genoplatform sources fetch --profile {settings.name} --home {platform.home_path}"
    return [
        Finding("pinned inputs", here == len(wanted), f"{here} of {len(wanted)} in the cache", False, fix),
        Finding("intact cache", not corrupt, ", ".join(corrupt) or "yes", True, fix),
        *[_directory(variable) for variable in directories(settings)],
    ]


def directories(settings: Profile) -> list[str]:
    """Environment variables that the profile's slots name, sorted."""
    values = [value for value in settings.slots.model_dump().values() if isinstance(value, str)]
    named = [value.removeprefix(DIRECTORY_PREFIX) for value in values if value.startswith(DIRECTORY_PREFIX)]
    return sorted({re.split(r"/", name)[0] for name in named})


def _directory(variable: str) -> Finding:
    value = os.environ.get(variable, "")
    there = bool(value) and Path(value).exists()
    found = "not set" if not value else value if there else f"{value}: nothing there"
    return Finding(variable, there, found, False, f"export {variable}=/path/to/it")
