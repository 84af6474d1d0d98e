"""Which platform of a cohort is read, and from which of its files: declared, not the order of a directory (B.1)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from genoplatform.errors import BadInputError
from genoplatform.expression.layout import CohortFiles, cohort_files, platform_in
from genoplatform.expression.readers.family_soft import FamilySoft, platform_of
from genoplatform.expression.readers.series_matrix import SeriesMatrix

PlatformRule = Literal["most_samples", "first_file"]


@dataclass(frozen=True)
class CohortSource:
    """Where a cohort is read from, and which of its platforms.

    Attributes:
        key: `Trait|Cohort`.
        path: its folder, or its one file.
        rule: `most_samples` (ties: the smaller GPL number), or `first_file` by name, as the benchmark takes it.
        platform: a platform chosen by hand; overrides the rule.
    """

    key: str
    path: Path
    rule: PlatformRule = "most_samples"
    platform: str | None = None

    @property
    def files(self) -> CohortFiles:
        """Its files."""
        return cohort_files(self.path)


@dataclass(frozen=True)
class Choice:
    """A platform, beside what there was to choose from.

    Attributes:
        platform: GPL accession; empty where the files name none.
        sizes: every platform -> its samples.
        matrices: the matrix files of the platform, where the cohort has such.
    """

    platform: str
    sizes: dict[str, int]
    matrices: tuple[Path, ...] = ()


def _by_number(platform: str) -> tuple[int, str]:
    digits = platform.removeprefix("GPL")
    return (int(digits) if digits.isdigit() else 0, platform)


def choose(source: CohortSource, sizes: dict[str, int]) -> Choice:
    """The platform: by hand, else by the source's rule.

    Raises:
        BadInputError: the one chosen by hand is not among them.
    """
    if source.platform is not None:
        if source.platform not in sizes:
            raise BadInputError(
                f"choosing the platform of {source.key}", f"no {source.platform}", f"there are {sorted(sizes)}"
            )
        return Choice(source.platform, sizes)
    if not sizes:
        return Choice("", sizes)
    if source.rule == "first_file":
        return Choice(next(iter(sizes)), sizes)
    return Choice(min(sizes, key=lambda name: (-sizes[name], _by_number(name))), sizes)


def choose_matrices(source: CohortSource, headers: dict[Path, SeriesMatrix]) -> Choice:
    """The same among matrix files, whose name or header says the platform."""
    sizes: dict[str, int] = {}
    for path, header in headers.items():
        name = _platform_of(path, header)
        sizes[name] = sizes.get(name, 0) + len(header.samples)
    chosen = choose(source, sizes)
    return Choice(chosen.platform, sizes, matrix_parts(source, headers, chosen.platform))


def matrix_parts(source: CohortSource, headers: dict[Path, SeriesMatrix], platform: str) -> tuple[Path, ...]:
    """The matrix files of a platform; under `first_file` the first of them."""
    found = tuple(path for path, header in headers.items() if _platform_of(path, header) == platform)
    return found[:1] if source.rule == "first_file" else found


def _platform_of(path: Path, header: SeriesMatrix) -> str:
    return platform_in(path.name) or header.platform or ""


def soft_sizes(soft: FamilySoft) -> dict[str, int]:
    """Platforms of a SOFT file -> their samples; those without any only where no platform has one."""
    sizes: dict[str, int] = dict.fromkeys(soft.platforms, 0)
    for sample in soft.samples:
        name = platform_of(sample, soft.platforms)
        sizes[name] = sizes.get(name, 0) + 1
    return {name: size for name, size in sizes.items() if size} or sizes
