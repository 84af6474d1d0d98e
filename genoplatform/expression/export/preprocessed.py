"""Preprocessed cohorts as CSV and `cohort_info.json`, in the benchmark's layout. Source: expression.md A.3, A.4.

One call writes one trait from its records, so that no two writers ever share a `cohort_info.json` (!).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from genoplatform.expression.layout import TCGA
from genoplatform.expression.linked import LinkedCohort
from genoplatform.expression.preprocess.gene_table import GeneTable
from genoplatform.expression.preprocess.missing import AGE, GENDER
from genoplatform.expression.preprocess.record import CohortRecord
from genoplatform.provenance import atomic

_BLOCK = 64


@dataclass(frozen=True)
class ExportedCohort:
    """What is written of one cohort.

    Attributes:
        record: always, into `cohort_info.json`.
        genes: into `gene_data/`, if there are any.
        clinical: sample, trait, age, gender; into `clinical_data/`, if the trait is available.
        features: which of trait, age, gender are available.
        linked: into the trait's folder, if the cohort is usable.
    """

    record: CohortRecord
    genes: GeneTable
    clinical: pd.DataFrame
    features: tuple[str, ...]
    linked: LinkedCohort | None


def export_trait(folder: Path, cohorts: Iterable[ExportedCohort]) -> list[Path]:
    """Write the cohorts of one trait below `folder` (`preprocess/<Trait>`).

    Gene data are genes x samples; clinical data features x samples, except that compat writes a TCGA cohort samples x
    features, as the benchmark's notebooks do (!); the linked table is samples x (trait, Age, Gender, genes).

    Returns:
        The files written.
    """
    written, records = [], {}
    for item in cohorts:
        records[item.record.cohort] = item.record.benchmark()
        name = f"{item.record.cohort}.csv"
        if item.genes.genes:
            table = item.genes
            written.append(_write(folder / "gene_data" / name, "Gene", table.samples, table.genes, table.values))
        if "trait" in item.features:
            written.append(_write_clinical(folder / "clinical_data" / name, item))
        if item.linked is not None and item.record.is_usable:
            written.append(_write_linked(folder / name, item.linked))
    info = folder / "cohort_info.json"
    folder.mkdir(parents=True, exist_ok=True)
    with atomic.atomic_path(info) as temporary:
        temporary.write_text(json.dumps(dict(sorted(records.items())), indent=4, ensure_ascii=False), encoding="utf-8")
    return [*written, info]


def _write_clinical(path: Path, item: ExportedCohort) -> Path:
    record = item.record
    names = {"trait": record.trait, "age": AGE, "gender": GENDER}
    samples = item.clinical["sample"].tolist()
    values = item.clinical[list(item.features)].to_numpy(dtype=np.float64)
    features = [names[name] for name in item.features]
    if record.cohort == TCGA and record.rules != "sound":
        return _write(path, "sampleID", features, samples, values[:, :0], first=values)
    return _write(path, "", samples, features, values[:0].T, first=values.T)


def _write_linked(path: Path, linked: LinkedCohort) -> Path:
    clinical = linked.clinical.to_numpy(dtype=np.float64)
    columns = [*map(str, linked.clinical.columns), *linked.genes]
    rows = [*map(str, linked.clinical.index)]
    return _write(path, "", columns, rows, linked.values, first=clinical)


def _write(
    path: Path,
    corner: str,
    columns: Sequence[str],
    rows: Sequence[str],
    values: np.ndarray,
    first: np.ndarray | None = None,
) -> Path:
    """Write rows of numbers, `first` before `values`; missing ones are empty."""
    leads = first if first is not None else np.empty((len(rows), 0))
    with atomic.atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        stream.write(",".join(map(_quoted, [corner, *columns])) + "\n")
        for name, lead, cells in zip(rows, leads.tolist(), _cells(values), strict=True):
            known = ["" if isnan(number) else repr(number) for number in lead]
            stream.write(",".join([_quoted(name), *known, *cells]) + "\n")
    return path


def _cells(values: np.ndarray) -> Iterator[list[str]]:
    """Rows as text, each as one piece with commas; Arrow prints the shortest text that reads back the same number.

    Plain string work on blocks of rows: pandas needs ten times as long for a table of 17,000 columns.
    """
    width = values.shape[1]
    if not width:
        yield from ([] for _ in range(len(values)))
        return
    for start in range(0, len(values), _BLOCK):
        block = np.ascontiguousarray(values[start : start + _BLOCK])
        texts = pc.fill_null(pa.array(block.ravel(), from_pandas=True).cast(pa.string()), "")
        offsets = pa.array(np.arange(0, block.size + 1, width), pa.int32())
        yield from ([text] for text in pc.binary_join(pa.ListArray.from_arrays(offsets, texts), ",").to_pylist())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',"\n') else name
