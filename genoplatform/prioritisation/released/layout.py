"""Where released rankings lie: `eval_{1050,hard}/cell_<NAME>/<case_id>.json`, in directories and deposit archives.

Here: walking the containers, and from a member's path to difficulty, system and case. Not here: what a file holds
(ranking_file.py). Containers may be rooted anywhere above the files: what a path lacks in front is taken from the
container's own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from genoplatform.cohort.archives import Skipped, iter_json
from genoplatform.errors import BadInputError

DIFFICULTIES = {"eval_1050": "standard", "eval_hard": "hard", "lopo": "standard"}
CELLS = {
    "cell_D_multi_hybrid": "D",
    "cell_L_rerank_inside_d": "L",
    "cell_S_rerank_inside_plus_lea": "S",
    "cell_O_llm_only": "O",
    "cell_N_rrf_m_s": "N",
    "cell_R_resnik": "R",
    "cell_K_exomiser_hpo_only": "K",
    "cell_M_lirical_hpo_only": "M",
}
"""Directory -> published name; any other `cell_` directory is a system of its own name (S_control, S_lopo)."""

_SIDECAR = re.compile(r"_responses$|_ablation_")
# What other file systems and unpackers make of the colon in a case id.
_COLONS = ("_", "-", "%3A", "%3a", "\uf03a")


@dataclass(frozen=True)
class Member:
    """One JSON member of a container: the directories it lies in (the container's name first), its stem, its bytes."""

    path: str
    directories: tuple[str, ...]
    stem: str
    content: bytes


@dataclass(frozen=True)
class Place:
    """What the path of a ranking says; difficulty is "" where no directory above the cell tells it."""

    difficulty: str
    system: str
    stem: str


def iter_members(paths: Iterable[Path], skipped: Skipped) -> Iterator[Member]:
    """Every JSON member of the containers, in their order, never extracted.

    Args:
        paths: directories or archives (.zip, .tar, .tar.gz, .tar.xz, .tar.bz2).
        skipped: receives (path, reason, detail) of members not read, as `iter_json` names them.

    Raises:
        BadInputError: a path that does not exist, or a broken or truncated archive.
    """
    for path in paths:
        root = path.resolve()
        above = (root.parent.name, root.name) if path.is_dir() else (path.name.split(".")[0],)
        try:
            for name, content in iter_json(path, skipped):
                *directories, file = name.split("/")
                yield Member(name, (*above, *directories), file.rpartition(".")[0], content)
        except BadInputError as error:
            hint = "accepted: a directory, .zip, .tar, .tar.gz, .tar.xz, .tar.bz2; fetch it again if it is damaged"
            raise BadInputError(f"reading released files from {path.name}", error.found, hint) from error


def place_of(directories: tuple[str, ...], stem: str) -> Place | None:
    """Difficulty, system and stem of a ranking; None for a file that lies in no cell's directory."""
    cell = directories[-1] if directories else ""
    if not cell.startswith("cell_") or _SIDECAR.search(cell):
        return None
    difficulty = next((DIFFICULTIES[name] for name in reversed(directories) if name in DIFFICULTIES), "")
    return Place(difficulty, CELLS.get(cell, cell.removeprefix("cell_")), stem)


def stems_of(case_ids: Iterable[str]) -> dict[str, str]:
    """File stem -> case id, for every form the colon of a case id may have taken; a stem two ids share is left out."""
    owners: dict[str, set[str]] = {}
    for case_id in case_ids:
        for colon in (":", *_COLONS):
            owners.setdefault(case_id.replace(":", colon), set()).add(case_id)
    return {stem: next(iter(ids)) for stem, ids in owners.items() if len(ids) == 1}
