"""The benchmark's input layout: which cohorts a directory holds, and which file of a cohort is what. Names only.

Nothing is opened here, and nothing heavy imported: partition keys are found with it. Source: expression.md A.1, B.1.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from genoplatform.errors import BadInputError, SettingsError

TCGA = "TCGA"
ACCESSIONS = "accessions.tsv"
_GPL = re.compile(r"GPL\d+", re.IGNORECASE)
_GSE = re.compile(r"GSE\d+")
_HINT = "the layout is GEO/<Trait>/<GSE>/ with *_family.soft and *_series_matrix.txt, and TCGA/<Xena folder>/"


@dataclass(frozen=True)
class CohortFiles:
    """Files of one cohort, each sorted by name; a series has `soft` or `matrices`, a TCGA cohort the other two.

    Attributes:
        soft: family SOFT file, if any.
        matrices: series matrix files by name; several where the series has several platforms.
        clinical: Xena clinical matrix, TCGA only.
        expressions: Xena expression files by name, TCGA only.
        others: further files of the other kinds that are not used, by name.
    """

    soft: Path | None = None
    matrices: tuple[Path, ...] = ()
    clinical: Path | None = None
    expressions: tuple[Path, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def is_tcga(self) -> bool:
        """Whether the cohort is one of TCGA."""
        return self.clinical is not None or bool(self.expressions)

    def expression_file(self, *, plain: bool) -> Path | None:
        """The Xena expression file to read, where there are both kinds: the plain one, or the one called PANCAN.

        PANCAN values are centred over all of TCGA. The paper says to take the plain file, the benchmark's code takes
        the other (!).
        """
        wanted = [path for path in self.expressions if ("pancan" in path.name.lower()) != plain]
        return next(iter([*wanted, *self.expressions]), None)


def trait_name(text: str) -> str:
    """Folder name of a trait: white space to underscores, apostrophes removed ("Crohn's Disease" -> Crohns_Disease)."""
    plain = unicodedata.normalize("NFC", text.strip())
    return re.sub(r"\s+", "_", re.sub(r"['’`]", "", plain))


def cohort_key(trait: str, cohort: str) -> str:
    """Partition key of a cohort."""
    return f"{trait_name(trait)}|{cohort}"


def split_key(key: str) -> tuple[str, str]:
    """Trait and cohort of a partition key.

    Raises:
        BadInputError: not `Trait|Cohort`.
    """
    trait, bar, cohort = key.partition("|")
    if not (trait and bar and cohort) or "|" in cohort:
        raise BadInputError(f"reading the cohort key {key!r}", "it is not Trait|Cohort")
    return trait, cohort


def cohort_keys(root: Path) -> list[str]:
    """Keys of every cohort below `root`, sorted: GEO and TCGA folders, and the accessions listed to be obtained."""
    keys = {cohort_key(trait, cohort) for trait, cohort in listed_accessions(root)}
    keys |= {cohort_key(folder.parent.name, folder.name) for folder in _geo_folders(root)}
    keys |= {cohort_key(_tcga_trait_here(root, folder), TCGA) for folder in _tcga_folders(root)}
    return sorted(keys)


def cohort_directory(root: Path, key: str) -> Path:
    """Where the files of a cohort lie, or for a listed accession will lie.

    Raises:
        BadInputError: there is no such cohort.
    """
    trait, cohort = split_key(key)
    folders = _tcga_folders(root) if cohort == TCGA else _geo_folders(root)
    for folder in folders:
        name, at = (_tcga_trait_here(root, folder), TCGA) if cohort == TCGA else (folder.parent.name, folder.name)
        if cohort_key(name, at) == key:
            return folder
    if (trait, cohort) in listed_accessions(root):
        return root / "GEO" / trait / cohort
    raise BadInputError(f"looking for cohort {key}", f"no such folder below {root.name}/", _HINT)


def existing_cohort(root: Path, key: str) -> Path:
    """Folder of a cohort that is there.

    Raises:
        SettingsError: it is not, or not yet.
    """
    try:
        folder = cohort_directory(root, key)
    except BadInputError as error:
        raise SettingsError(error.tried, error.found, error.hint) from error
    if not folder.is_dir():
        raise SettingsError(f"looking for cohort {key}", f"its folder {folder.name}/ is not there yet", _HINT)
    return folder


def tcga_trait(folder: str) -> str:
    """Trait that a Xena folder is about: `TCGA_Bladder_Cancer_(BLCA)` -> `Bladder_Cancer`."""
    return trait_name(re.sub(r"_\([A-Z]+\)$", "", folder.removeprefix("TCGA_")))


def _tcga_trait_here(root: Path, folder: Path) -> str:
    """The trait of a Xena folder, spelled as the GEO folders spell it (Large_Bcell_Lymphoma, Large_B-cell_Lymphoma)."""
    own = tcga_trait(folder.name)
    spelled = {_letters(geo.parent.name): trait_name(geo.parent.name) for geo in _geo_folders(root)}
    return spelled.get(_letters(own), own)


def listed_accessions(root: Path) -> list[tuple[str, str]]:
    """(trait, accession) of the lines of `accessions.tsv`, if there is one; `#` starts a comment.

    Raises:
        BadInputError: a line is not a trait, a tab and a GSE accession.
    """
    path = root / ACCESSIONS
    if not path.is_file():
        return []
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        trait, _, accession = text.partition("\t")
        if not _GSE.fullmatch(accession.strip()) or not trait.strip():
            raise BadInputError(f"reading {ACCESSIONS}", f"line {number}: {line!r}", "write: trait, a tab, GSE number")
        found.append((trait_name(trait), accession.strip()))
    return found


def cohort_files(path: Path) -> CohortFiles:
    """The files of a cohort, from its folder or from one file; the first by name where the layout has one.

    Raises:
        BadInputError: nothing readable there.
    """
    files = [path] if path.is_file() else sorted((f for f in path.glob("*") if f.is_file()), key=lambda f: f.name)
    lower = {f: f.name.lower() for f in files}
    soft = [f for f in files if "soft" in lower[f]]
    matrices = [f for f in files if "matrix" in lower[f] and "clinicalmatrix" not in lower[f]]
    clinical = [f for f in files if "clinicalmatrix" in lower[f]]
    expression = [f for f in files if "hiseqv2" in lower[f] or "pancan" in lower[f]]
    if not (soft or matrices or clinical or expression):
        raise BadInputError(f"looking for cohort files in {path.name}", f"found {[f.name for f in files][:10]}", _HINT)
    return CohortFiles(
        soft=soft[0] if soft else None,
        matrices=tuple(matrices),
        clinical=clinical[0] if clinical else None,
        expressions=tuple(expression),
        others=tuple(f.name for f in [*soft[1:], *clinical[1:]]),
    )


def platform_in(name: str) -> str | None:
    """GPL accession in a file name, if any."""
    found = _GPL.search(name)
    return found.group().upper() if found else None


def _below(root: Path, source: str) -> list[Path]:
    return [p for p in (root / source, root / "input" / source) if p.is_dir()]


def _geo_folders(root: Path) -> list[Path]:
    traits = [trait for base in _below(root, "GEO") for trait in sorted(base.glob("*")) if trait.is_dir()]
    return [folder for trait in traits for folder in sorted(trait.glob("GSE*")) if folder.is_dir()]


def _tcga_folders(root: Path) -> list[Path]:
    return [folder for base in _below(root, TCGA) for folder in sorted(base.glob("TCGA_*")) if folder.is_dir()]


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()
