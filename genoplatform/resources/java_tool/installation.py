"""Where a program lies on this machine: its home directory, its jar, a clear error where something is missing."""

from __future__ import annotations

import os
from pathlib import Path

from genoplatform.errors import SettingsError


def find_home(setting: str, variable: str, what: str, advice: str) -> Path:
    """The program's directory: `setting`, else what the environment variable names.

    Args:
        setting: a path, or "".
        variable: name of the environment variable.
        what: the program and its version.
        advice: what to install.

    Raises:
        SettingsError: neither is given, or there is no such directory.
    """
    value = setting or os.environ.get(variable, "")
    if not value:
        raise SettingsError(f"looking for {what}", f"{variable} is not set", f"{advice} and set {variable} to it")
    home = Path(value).expanduser().absolute()
    if not home.is_dir():
        raise SettingsError(f"looking for {what}", f"no directory {home}", f"{advice} and set {variable} to it")
    return home


def find_jar(home: Path, name: str, variable: str, advice: str) -> Path:
    """The program's jar in its directory.

    Raises:
        SettingsError: it is not there; other releases that are there are named.
    """
    jar = home / name
    if not jar.is_file():
        others = sorted(path.name for path in home.glob("*.jar"))
        found = f"no {name} in {home}" + (f" (there is {', '.join(others)})" if others else "")
        raise SettingsError(f"looking for {name}", found, f"{advice} and set {variable} to it")
    return jar


def require_data(folder: Path, names: list[str], what: str, advice: str) -> None:
    """Raise SettingsError unless `folder` is a directory with all of `names`."""
    if not folder.is_dir():
        raise SettingsError(f"looking for the data of {what}", f"no directory {folder}", advice)
    if missing := [name for name in names if not (folder / name).exists()]:
        raise SettingsError(f"looking for the data of {what}", f"{folder} lacks {', '.join(missing)}", advice)
