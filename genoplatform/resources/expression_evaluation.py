"""A store's results in the benchmark's layout on disk, and their evaluation there: tables are read file by file."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from genoplatform.errors import EmptyResultError
from genoplatform.resources.expression_export import export_preprocessed
from genoplatform.resources.partition_keys import EXPRESSION_PROBLEM, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import verified

if TYPE_CHECKING:
    from genoplatform.expression.evaluation.evaluate import Evaluation
    from genoplatform.expression.statistics.problems import Catalogue

_FILES = "out/expression/significant_genes"


def evaluate_store(
    platform: PlatformResource, folder: Path, files: Mapping[str, Path], reference: Path, catalogue: "Catalogue | None"
) -> "Evaluation":
    """Lay out cohorts and regression files below `folder`, evaluate them, and remove them again.

    Args:
        platform: whose store.
        folder: where the files are laid out.
        files: problem -> directory with its regression file.
        reference: directory of the reference analysis.
        catalogue: problems and known genes, if known.
    """
    from genoplatform.expression.evaluation.directories import Analysis
    from genoplatform.expression.evaluation.evaluate import evaluate

    lay_out(platform, folder, files)
    found = evaluate(Analysis.at(folder), Analysis.at(reference), catalogue)
    shutil.rmtree(folder)
    return found


def lay_out(platform: PlatformResource, folder: Path, files: Mapping[str, Path]) -> list[Path]:
    """Write `preprocess/` and `regress/` below `folder`, which is emptied first; the regression files written."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "regress").mkdir(parents=True)
    try:
        for _ in export_preprocessed(platform, folder):
            pass
    except EmptyResultError:  # nothing is preprocessed: everything counts as missing
        (folder / "preprocess").mkdir(exist_ok=True)
    return _copy(files, folder)


def export_regressions(platform: PlatformResource, folder: Path) -> list[Path]:
    """Write the regression files of the answers that are made below `folder`, verified; the files written."""
    found = {key: platform.artefact(_FILES, key, "directory") for key in keys_of(EXPRESSION_PROBLEM, platform)}
    return _copy({key: verified(path) for key, path in found.items() if path.exists()}, folder)


def _copy(files: Mapping[str, Path], folder: Path) -> list[Path]:
    written = []
    for directory in files.values():
        for path in sorted(directory.glob("regress/*/*.json")):
            target = folder / path.relative_to(directory)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
            written.append(target)
    return written
