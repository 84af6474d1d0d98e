"""Packages of articles: what a package's name says, which of two comes first, and which a directory of the user's has.

A package is an archive (`.tar.gz`, `.zip`, `.whl`) or a directory of JATS files, with an optional PMC file list.
Reading one: `members` and `reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from genoplatform.errors import BadInputError

ARCHIVE_SUFFIXES = (".tar.gz", ".tgz", ".zip", ".whl")
FILE_LIST_SUFFIX = ".filelist.csv"
XML_SUFFIXES = (".xml", ".nxml")
LOCAL_TIER = "local"
_PMC_NAME = re.compile(
    r"(?P<tier>oa_comm|oa_noncomm|oa_other)_xml\.(?:PMC\w+\.)?(?P<kind>baseline|incr)\.(?P<date>\d{4}-\d{2}-\d{2})"
)


@dataclass(frozen=True)
class Package:
    """What the name of a package says.

    Attributes:
        name: file name without its suffix.
        tier: licence tier of a PMC package, else `local`.
        date: date of a PMC package (ISO), else empty.
        baseline: whether it is a PMC baseline.
    """

    name: str
    tier: str = LOCAL_TIER
    date: str = ""
    baseline: bool = False

    @classmethod
    def named(cls, name: str) -> Package:
        """The package of this name."""
        match = _PMC_NAME.fullmatch(name)
        if match is None:
            return cls(name)
        return cls(name, match["tier"], match["date"], match["kind"] == "baseline")


def newest_first(names: Iterable[str]) -> list[Package]:
    """Packages in the order of precedence: newer date first, of one date increments before baselines, then by name.

    Packages without a date come last: a dated snapshot knows better.
    """
    packages = sorted(map(Package.named, names), key=lambda package: package.name)
    return sorted(packages, key=lambda package: (package.date, not package.baseline), reverse=True)


def packages_in(directory: Path) -> dict[str, Path]:
    """Packages of a directory by name, sorted: archives, and subdirectories; hidden entries and file lists are not.

    Raises:
        BadInputError: two entries share a name, or JATS files lie loose beside the packages.
    """
    found: dict[str, Path] = {}
    for path in sorted(directory.iterdir()):
        name = _package_name(path)
        if path.is_file() and path.suffix in XML_SUFFIXES:
            hint = "move JATS files into a subdirectory: it becomes a package of its name"
            raise BadInputError(f"listing packages of {directory.name}", f"{path.name} lies outside a package", hint)
        if name is None or path.name.startswith("."):
            continue
        if name in found:
            both = f"{found[name].name} and {path.name} are one package by name"
            raise BadInputError(f"listing packages of {directory.name}", both, "rename one")
        found[name] = path
    return found


def file_list_beside(package: Path) -> Path | None:
    """The file list that belongs to an archive, if it is there."""
    name = _package_name(package)
    path = package.with_name(f"{name}{FILE_LIST_SUFFIX}")
    return path if name is not None and path.is_file() else None


def _package_name(path: Path) -> str | None:
    if path.is_dir():
        return path.name
    suffix = next((suffix for suffix in ARCHIVE_SUFFIXES if path.name.endswith(suffix)), None)
    return path.name.removesuffix(suffix) if suffix else None
