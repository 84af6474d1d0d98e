"""Packages of articles on this machine: their partition keys, and one package of the user's directory as a path.

An archive and its file list lie beside each other in the user's directory; a view, a small directory of links, makes
one thing of them that can be hashed and read. What a package holds: `genoplatform.literature`.
"""

from __future__ import annotations

import os
from pathlib import Path

from genoplatform.errors import SettingsError
from genoplatform.literature.packages import file_list_beside, packages_in
from genoplatform.settings.profiles import DIRECTORY_PREFIX, Profile

PARTITION = "{partition}"


def package_keys(profile: Profile) -> list[str]:
    """Packages of the profile's articles, sorted; none if it has none, or its directory is not on this machine."""
    value = profile.slots.articles if profile.literature is not None else None
    if value is None:
        return []
    if not value.startswith(DIRECTORY_PREFIX) or PARTITION not in value:
        return [value.removeprefix(DIRECTORY_PREFIX)]
    variable = value.removeprefix(DIRECTORY_PREFIX).partition("/")[0]
    directory = Path(os.environ.get(variable, ""))
    return list(packages_in(directory)) if os.environ.get(variable) and directory.is_dir() else []


def package_view(directory: Path, name: str, views: Path) -> Path:
    """The package `name` of a directory: a subdirectory as it is, an archive as links to it and its file list.

    Args:
        directory: the user's.
        name: of the package, without suffix.
        views: where views are kept.

    Raises:
        SettingsError: there is no such package.
    """
    package = packages_in(directory).get(name)
    if package is None:
        raise SettingsError("opening a package", f"no package {name!r} in {directory}", "put it there")
    if package.is_dir():
        return package
    wanted = {path.name: path.resolve() for path in (package, file_list_beside(package)) if path is not None}
    view = views / name
    view.mkdir(parents=True, exist_ok=True)
    for path in view.iterdir():
        if path.name not in wanted:
            path.unlink()
    for link, target in wanted.items():
        if not (view / link).is_symlink() or (view / link).readlink() != target:
            (view / link).unlink(missing_ok=True)
            (view / link).symlink_to(target)
    return view
