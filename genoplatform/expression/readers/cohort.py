"""One cohort, whatever its files: which platform is read, its facts, its measured values, its annotation.

Belongs here: putting the readers together. A series has its values in matrix files or, without any, in the sample
tables of its family SOFT file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.expression.facts_table import SAMPLE_COLUMNS, CohortTables
from genoplatform.expression.layout import CohortFiles, split_key
from genoplatform.expression.readers.annotation import (
    Annotation,
    best_annotation,
    read_annotation,
    read_annotation_v2,
)
from genoplatform.expression.readers.characteristics import characteristics_table, shifted_rows
from genoplatform.expression.readers.family_soft import FamilySoft, platform_of, read_family_soft
from genoplatform.expression.readers.number_table import ExpressionTable, empty_table
from genoplatform.expression.readers.platform_choice import (
    Choice,
    CohortSource,
    choose,
    choose_matrices,
    matrix_parts,
    soft_sizes,
)
from genoplatform.expression.readers.series_matrix import CHARACTERISTICS, SeriesMatrix, read_series_matrix
from genoplatform.expression.readers.xena import read_xena_clinical, read_xena_expression

_BACKGROUND = ("Series_title", "Series_summary", "Series_overall_design")


def read_facts(source: CohortSource) -> CohortTables:
    """Facts of a cohort: background, sample texts, characteristics or clinical columns, of the chosen platform.

    Raises:
        BadInputError: no file of a cohort, an unreadable one, or a platform by hand that is not there.
    """
    files = source.files
    if files.is_tcga:
        return _tcga_facts(source, files)
    if files.matrices:
        headers = {path: read_series_matrix(path, with_table=False) for path in files.matrices}
        return _matrix_facts(source, choose_matrices(source, headers), headers)
    soft = read_family_soft(_needed(files.soft, source))
    return _soft_facts(source, choose(source, soft_sizes(soft)), soft)


def read_facts_and_expression(source: CohortSource) -> tuple[CohortTables, ExpressionTable]:
    """Facts and measured values together: a family SOFT file without matrix files is gone through once."""
    files = source.files
    if files.is_tcga or files.matrices:
        facts = read_facts(source)
        return facts, read_expression(source, facts.platform)
    soft = read_family_soft(_needed(files.soft, source), with_values=True)
    facts = _soft_facts(source, choose(source, soft_sizes(soft)), soft)
    return facts, _of_platform(soft, facts.platform)


def read_expression(source: CohortSource, platform: str) -> ExpressionTable:
    """Measured values of the cohort's samples on one platform (as `read_facts` chose it).

    Several matrix files of one platform are joined by id. A file without a table gives an empty table.
    """
    files = source.files
    if files.is_tcga:
        file = files.expression_file(plain=source.rule != "first_file")
        return read_xena_expression(file) if file else empty_table()
    if not files.matrices:
        soft = read_family_soft(_needed(files.soft, source), with_values=True, platform=platform or None)
        return _of_platform(soft, platform)
    if len(files.matrices) == 1:
        return read_series_matrix(files.matrices[0]).table
    headers = {path: read_series_matrix(path, with_table=False) for path in files.matrices}
    chosen = matrix_parts(source, headers, platform)
    return _joined([read_series_matrix(path).table for path in chosen])


def read_cohort_annotation(
    source: CohortSource, platform: str, ids: Sequence[str] = (), *, v2: bool = False
) -> Annotation | None:
    """Annotation of the platform, from the cohort's SOFT file; None where there is none.

    Args:
        source: the cohort.
        platform: GPL accession; empty where the matrix names none: then of the file's platforms the one that knows most
            of `ids`.
        ids: measured ids.
        v2: as the benchmark reads it, all table lines under the first header.
    """
    soft = source.files.soft
    if soft is None or source.files.is_tcga:
        return None
    if v2:
        return read_annotation_v2(soft)
    return read_annotation(soft, platform) if platform else best_annotation(soft, ids)


def _of_platform(soft: FamilySoft, platform: str) -> ExpressionTable:
    table = soft.tables.get(platform, empty_table())
    return ExpressionTable(table.ids, table.samples, table.values, table.report | soft.report)


def _needed(soft: Path | None, source: CohortSource) -> Path:
    if soft is None:
        raise BadInputError(f"reading cohort {source.key}", "neither a series matrix nor a family SOFT file")
    return soft


def _matrix_facts(source: CohortSource, choice: Choice, headers: dict[Path, SeriesMatrix]) -> CohortTables:
    parts = [headers[path] for path in choice.matrices]
    samples = [_matrix_samples(part, choice.platform) for part in parts]
    rows = [characteristics_table(part.samples, part.cells(CHARACTERISTICS)) for part in parts]
    first = parts[0]
    background = [f'{key}\t"{value}"' for key, value in first.series if key.removeprefix("!") in _BACKGROUND]
    report = _added([part.report for part in parts])
    return _tables(source, choice, background, pd.concat(samples), pd.concat(rows), report)


def _matrix_samples(part: SeriesMatrix, platform: str) -> pd.DataFrame:
    def joined(name: str) -> list[str]:
        cells = part.cells(name)
        return [_lines(row[i] for row in cells) for i in range(len(part.samples))]

    return pd.DataFrame(
        {
            "sample": part.samples,
            "platform": platform,
            "title": joined("!Sample_title"),
            "source_name": joined("!Sample_source_name_ch1"),
            "description": joined("!Sample_description"),
        }
    )


def _soft_facts(source: CohortSource, choice: Choice, soft: FamilySoft) -> CohortTables:
    mine = [sample for sample in soft.samples if platform_of(sample, soft.platforms) == choice.platform]
    samples = pd.DataFrame(
        [
            (
                sample.name,
                choice.platform,
                _lines(sample.values("Sample_title")),
                _lines(sample.values("Sample_source_name_ch1")),
                _lines(sample.values("Sample_description")),
            )
            for sample in mine
        ],
        columns=list(SAMPLE_COLUMNS),
    )
    listed = [sample.values("Sample_characteristics_ch1") for sample in mine]
    height = max((len(cells) for cells in listed), default=0)
    rows = [[cells[i] if i < len(cells) else "" for cells in listed] for i in range(height)]
    background = [f'!{key}\t"{value}"' for key, value in soft.series if key in _BACKGROUND and value]
    table = characteristics_table([sample.name for sample in mine], rows)
    return _tables(source, choice, background, samples, table, dict(soft.report))


def _tcga_facts(source: CohortSource, files: CohortFiles) -> CohortTables:
    if files.clinical is None:
        raise BadInputError(f"reading cohort {source.key}", "no clinicalMatrix file beside the expression file")
    clinical = read_xena_clinical(files.clinical)
    samples = pd.DataFrame({"sample": clinical["sample"]})
    for name in SAMPLE_COLUMNS[1:]:
        samples[name] = ""
    background = [f"TCGA cohort {source.path.name}, as UCSC Xena serves it"]
    choice = Choice("", {})
    return _tables(source, choice, background, samples, characteristics_table([], []), {}, clinical)


def _tables(
    source: CohortSource,
    choice: Choice,
    background: list[str],
    samples: pd.DataFrame,
    characteristics: pd.DataFrame,
    report: dict[str, int],
    clinical: pd.DataFrame | None = None,
) -> CohortTables:
    trait, cohort = split_key(source.key)
    repeated = int(samples["sample"].duplicated().sum())
    report = report | ({"samples repeated": repeated} if repeated else {})
    if shifted := len(shifted_rows(characteristics)):
        report = report | {"characteristics rows with shifted cells": shifted}
    if files := source.files.others:
        report = report | {"files not used": len(files)}
    return CohortTables(
        trait=trait,
        cohort=cohort,
        platform=choice.platform,
        platforms=choice.sizes,
        background="\n".join(background),
        samples=samples.drop_duplicates("sample").astype(dict.fromkeys(SAMPLE_COLUMNS, "str")).reset_index(drop=True),
        characteristics=characteristics.sort_values("row", kind="stable", ignore_index=True),
        clinical=clinical if clinical is not None else pd.DataFrame({"sample": pd.Series(dtype="str")}),
        report=report,
    )


def _lines(values: object) -> str:
    return "; ".join(str(value) for value in values if value)  # type: ignore[attr-defined]


def _added(reports: list[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for report in reports:
        for reason, count in report.items():
            total[reason] = total.get(reason, 0) + count
    return total


def _joined(tables: list[ExpressionTable]) -> ExpressionTable:
    """Tables of one platform side by side, rows matched by id; rows of the first come first."""
    if len(tables) == 1:
        return tables[0]
    ids = list(dict.fromkeys(name for table in tables for name in table.ids))
    index = pd.Index(ids)
    values = np.full((len(ids), sum(len(table.samples) for table in tables)), np.nan)
    at = 0
    for table in tables:
        values[index.get_indexer(pd.Index(table.ids)), at : at + len(table.samples)] = table.values
        at += len(table.samples)
    samples = [sample for table in tables for sample in table.samples]
    return ExpressionTable(ids, samples, values, _added([table.report for table in tables]))
