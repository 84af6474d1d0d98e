"""Preprocessed cohorts of a store, verified, into the benchmark's file layout; one cohort in memory at a time."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from genoplatform.errors import EmptyResultError
from genoplatform.expression.layout import split_key
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.partition_keys import EXPRESSION_COHORT, keys_of
from genoplatform.resources.platform import PlatformResource
from genoplatform.resources.store_io import read_verified

if TYPE_CHECKING:
    from genoplatform.expression.export import ExportedCohort

_PARTS = {"gene_data": "tables", "clinical_data": "parquet", "linked": "tables", "decisions": "json"}


def export_preprocessed(platform: PlatformResource, folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Write `preprocess/<Trait>/` below `folder`, trait by trait, of the cohorts that are made.

    Yields:
        The trait, and the files written.

    Raises:
        EmptyResultError: no cohort of the profile is made.
    """
    from genoplatform.expression.export import export_trait

    keys = [key for key in keys_of(EXPRESSION_COHORT, platform) if _path(platform, "linked", key).exists()]
    if not keys:
        raise EmptyResultError(
            "exporting cohorts", "none is made", "run: genoplatform run --select '+key:\"core/expression/cohort_info\"'"
        )
    for trait, group in groupby(keys, key=lambda key: split_key(key)[0]):
        yield trait, export_trait(folder / "preprocess" / trait, (_cohort(platform, key) for key in group))


def _path(platform: PlatformResource, part: str, key: str) -> Path:
    return platform.artefact(f"core/expression/{part}", key, _PARTS[part])


def _cohort(platform: PlatformResource, key: str) -> "ExportedCohort":
    from genoplatform.expression.decisions import CohortDecisions
    from genoplatform.expression.export import ExportedCohort
    from genoplatform.expression.linked_tables import linked_from_tables
    from genoplatform.expression.preprocess import ClinicalTable, GeneTable, record_of

    read = {part: read_verified(_path(platform, part, key), FORMATS[kind]) for part, kind in _PARTS.items()}
    decided = CohortDecisions.model_validate(read["decisions"])
    clinical = ClinicalTable.of(read["clinical_data"], decided)
    return ExportedCohort(
        record=record_of(read["linked"]["record"]),
        genes=GeneTable.from_tables(read["gene_data"]),
        clinical=clinical.table,
        features=clinical.available,
        linked=linked_from_tables(read["linked"]),
    )
