"""An analysis as files in the benchmark's layout (expression.md A.3 to A.5): what is there, and reading it.

`preprocess/<Trait>/` with `cohort_info.json`, linked tables, `gene_data/`, `clinical_data/`; `regress/<Trait>/` with
one file a problem. A directory may hold these two, or an `output` folder with them. Nothing is scored here.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.expression.statistics.problems import Problem
from genoplatform.expression.statistics.result import file_name

TableKind = Literal["linked", "gene", "clinical"]
KINDS: tuple[TableKind, ...] = ("linked", "gene", "clinical")
_FOLDER = {"linked": "", "gene": "gene_data", "clinical": "clinical_data"}
_HINT = "name the directory that holds preprocess/<Trait>/ and regress/<Trait>/"
_PREFIX = "significant_genes_condition_"


@dataclass(frozen=True)
class Analysis:
    """Files of one analysis.

    Attributes:
        root: the directory that holds `preprocess` and `regress`, or one of them.
    """

    root: Path

    @classmethod
    def at(cls, path: Path) -> Analysis:
        """The analysis below a directory.

        Raises:
            BadInputError: it is none.
        """
        for root in (path, path / "output"):
            if (root / "preprocess").is_dir() or (root / "regress").is_dir():
                return cls(root)
        raise BadInputError(f"opening the analysis {path.name}", "neither preprocess/ nor regress/ in it", _HINT)

    def traits(self) -> list[str]:
        """Traits with preprocessed files, sorted."""
        return sorted(folder.name for folder in (self.root / "preprocess").glob("*") if folder.is_dir())

    def cohort_info(self, trait: str) -> dict[str, dict[str, Any]] | None:
        """Records of a trait's cohorts by accession; None where the file is missing or not readable as such."""
        found = _json(self.root / "preprocess" / trait / "cohort_info.json")
        if not isinstance(found, dict) or not all(isinstance(record, dict) for record in found.values()):
            return None
        return found

    def tables(self) -> list[tuple[str, TableKind, str]]:
        """(trait, kind, cohort) of every preprocessed table, sorted."""
        found = []
        for trait in self.traits():
            for kind in KINDS:
                folder = self.root / "preprocess" / trait / _FOLDER[kind]
                found += [(trait, kind, path.stem) for path in folder.glob("*.csv")]
        return sorted(found)

    def table(self, trait: str, kind: TableKind, cohort: str) -> pd.DataFrame | None:
        """A preprocessed table as stored, first column as index; None where missing or unreadable."""
        path = self.table_path(trait, kind, cohort)
        try:
            return pd.read_csv(path, index_col=0, low_memory=False) if path.is_file() else None
        except (ValueError, OSError):  # pandas' own parse errors are ValueErrors
            return None

    def columns(self, trait: str, cohort: str) -> list[str]:
        """Column names of a linked table without reading it; none where there is none."""
        path = self.table_path(trait, "linked", cohort)
        return list(_header(path, path.stat().st_mtime_ns)) if path.is_file() else []

    def table_path(self, trait: str, kind: TableKind, cohort: str) -> Path:
        """Where a table lies or would lie."""
        return self.root / "preprocess" / trait / _FOLDER[kind] / f"{cohort}.csv"

    def problems(self) -> list[Problem]:
        """Problems with a regression file, sorted by key."""
        paths = (self.root / "regress").glob(f"*/{_PREFIX}*.json")
        keys = {f"{path.parent.name}|{path.stem.removeprefix(_PREFIX)}" for path in paths}
        return [Problem.of(key) for key in sorted(keys)]

    def regression(self, problem: Problem) -> dict[str, Any] | None:
        """The regression object of a problem; None where missing, unreadable, or without a list of genes."""
        found = _json(self.root / "regress" / problem.trait / file_name(problem))
        genes = found.get("significant_genes") if isinstance(found, dict) else None
        if not isinstance(found, dict) or not isinstance(genes, dict) or not isinstance(genes.get("Variable"), list):
            return None
        return found


def genes_of(regression: dict[str, Any], problem: Problem) -> list[str]:
    """Genes of a regression object in their order, without the covariate."""
    covariates = {problem.condition, problem.trait, "Age", "Gender"}
    return list(dict.fromkeys(str(g) for g in regression["significant_genes"]["Variable"] if g not in covariates))


# Every problem of a trait asks for the same headers.
@functools.lru_cache(maxsize=64)
def _header(path: Path, state: int) -> tuple[str, ...]:
    return tuple(str(name) for name in pd.read_csv(path, index_col=0, nrows=0).columns)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
