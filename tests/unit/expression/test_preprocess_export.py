"""Linked cohorts and records as stored, and in the benchmark's file layout (expression.md A.3, A.4)."""

import json

import numpy as np
import pandas as pd
from test_preprocess_link import NAN, SOUND, V2, linked

from genoplatform.expression.export import ExportedCohort, export_trait
from genoplatform.expression.linked_tables import linked_from_tables, linked_tables
from genoplatform.expression.preprocess import CohortRecord, GeneTable, record_of, record_table


def test_storage():
    found = linked([0, 1, 0, 1], age=[1, 2, 3, 4.0], subject=["a", "a", "b", "c"])
    tables = linked_tables(found.cohort)
    assert tables["genes"].columns.tolist() == ["gene", "S0", "S1", "S2", "S3"]
    again = linked_from_tables(tables)
    pd.testing.assert_frame_equal(again.clinical, found.cohort.clinical)
    assert (again.genes, again.groups, again.trait) == (found.cohort.genes, ["a", "a", "b", "c"], "T")
    np.testing.assert_array_equal(again.values, found.cohort.values)
    assert linked_from_tables(linked_tables(None)) is None
    failed = linked([NAN, NAN]).record
    table = record_table([found.record, failed.model_copy(update={"cohort": "GSE0"})])
    assert table["cohort"].tolist() == ["GSE0", "GSE1"]
    assert record_of(table.iloc[[1]].reset_index(drop=True)) == found.record
    assert record_of(record_table([failed])) == failed
    assert len(record_table([])) == 0


def exported(found, **change):
    clinical = pd.DataFrame({"sample": [f"S{i}" for i in range(4)], "trait": [0, 1, NAN, 1], "age": [1, 2.5, 3, 4]})
    genes = GeneTable(["A", "B"], ["S0", "S1"], np.array([[1.5, NAN], [0.1, 1e-20]]))
    record = found.record.model_copy(update=change)
    return ExportedCohort(record, genes, clinical, ("trait", "age"), found.cohort)


def test_the_benchmarks_files(tmp_path):
    """A.3: genes x samples under `Gene`, features x samples, samples x (trait, Age, genes); one record file a trait."""
    found = linked([0, 1, 0, 1], age=[1, 2, 3, 4.0])
    written = export_trait(tmp_path / "T", [exported(found), exported(linked([NAN] * 4), cohort="GSE0")])
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "T/gene_data/GSE1.csv",
        "T/clinical_data/GSE1.csv",
        "T/GSE1.csv",
        "T/gene_data/GSE0.csv",
        "T/clinical_data/GSE0.csv",
        "T/cohort_info.json",
    ]
    genes = pd.read_csv(tmp_path / "T/gene_data/GSE1.csv", index_col=0)
    assert genes.index.name == "Gene"
    assert genes.loc["B", "S1"] == 1e-20
    assert np.isnan(genes.loc["A", "S1"])
    clinical = pd.read_csv(tmp_path / "T/clinical_data/GSE1.csv", index_col=0)
    assert clinical.index.tolist() == ["T", "Age"]
    assert clinical.loc["Age"].tolist() == [1, 2.5, 3, 4]
    stored = pd.read_csv(tmp_path / "T/GSE1.csv", index_col=0)
    assert stored.columns.tolist() == ["T", "Age", "G0", "G1", "G2", "G3", "G4", "G5"]
    assert stored["G5"].tolist() == found.cohort.values[:, 5].tolist()
    info = json.loads((tmp_path / "T/cohort_info.json").read_text())
    assert list(info) == ["GSE0", "GSE1"]
    assert info["GSE1"]["sample_size"] == 4
    assert list(info["GSE0"]) == [
        "is_usable", "is_gene_available", "is_trait_available", "is_available", "is_biased", "has_age", "has_gender",
        "sample_size", "note",
    ]  # fmt: skip


def test_the_orientation_of_tcga_clinical_files(tmp_path):
    """Marked in A.3: the benchmark's notebooks save TCGA samples x features; sound writes every cohort the same way."""
    for settings, index in ((SOUND, ["T", "Age"]), (V2, ["S0", "S1", "S2", "S3"])):
        found = linked([0, 1, 0, 1], age=[1, 2, 3, 4.0], settings=settings)
        export_trait(tmp_path / settings.rules, [exported(found, cohort="TCGA")])
        clinical = pd.read_csv(tmp_path / settings.rules / "clinical_data/TCGA.csv", index_col=0)
        assert clinical.index.tolist() == index


def test_records_made_at_once_are_all_kept():
    """Marked in A.4: one file that every cohort rewrites loses records; here each has its own, merged afterwards."""
    records = [
        CohortRecord.model_validate(linked([0, 1]).record.model_dump() | {"cohort": f"GSE{i}"}) for i in range(20)
    ]
    merged = record_table(reversed(records))
    assert merged["cohort"].tolist() == sorted(record.cohort for record in records)
