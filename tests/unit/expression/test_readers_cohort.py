"""Cohorts on disk: which there are, which files and which platform of them are read, and the facts they give."""

import numpy as np
import pytest
from geo_files import SAMPLES, matrix_text, put, soft_text, tsv

from genoplatform.errors import BadInputError, SettingsError
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.layout import (
    cohort_directory,
    cohort_files,
    cohort_keys,
    existing_cohort,
    split_key,
    tcga_trait,
    trait_name,
)
from genoplatform.expression.readers.cohort import (
    read_cohort_annotation,
    read_expression,
    read_facts,
    read_facts_and_expression,
)
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.expression.readers.xena import read_xena_clinical, read_xena_expression

KEY = "Trait|GSE1"
ROWS = {"p1": [1, 2, 3, 4]}
BARCODES = ["TCGA-AA-0001-01", "TCGA-AA-0001-11", "TCGA-AA-0002-01"]


def source(path, **choice):
    return CohortSource(KEY, path, **choice)


def test_trait_names_and_keys():
    assert trait_name("Crohn's  Disease") == "Crohns_Disease"
    assert trait_name("Sjo\u0308grens Syndrome") == "Sjögrens_Syndrome"
    assert split_key("A|GSE1") == ("A", "GSE1")
    for wrong in ("A", "|GSE1", "A|", "A|B|C"):
        with pytest.raises(BadInputError):
            split_key(wrong)
    assert tcga_trait("TCGA_Bladder_Cancer_(BLCA)") == "Bladder_Cancer"


def test_cohorts_of_a_directory(tmp_path):
    for name in ("GEO/Bladder_Cancer/GSE3167", "GEO/Sjögrens_Syndrome/GSE2", "GEO/Large_B-cell_Lymphoma/GSE9"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("TCGA_Bladder_Cancer_(BLCA)", "TCGA_Large_Bcell_Lymphoma_(DLBC)"):
        (tmp_path / "TCGA" / name).mkdir(parents=True)
    (tmp_path / "accessions.tsv").write_text("# to be obtained\nCrohn's Disease\tGSE42\n")
    assert cohort_keys(tmp_path) == [
        "Bladder_Cancer|GSE3167",
        "Bladder_Cancer|TCGA",
        "Crohns_Disease|GSE42",
        "Large_B-cell_Lymphoma|GSE9",
        "Large_B-cell_Lymphoma|TCGA",
        "Sjögrens_Syndrome|GSE2",
    ]
    assert cohort_directory(tmp_path, "Large_B-cell_Lymphoma|TCGA").name == "TCGA_Large_Bcell_Lymphoma_(DLBC)"
    assert existing_cohort(tmp_path, "Sjögrens_Syndrome|GSE2").name == "GSE2"
    for absent in ("Crohns_Disease|GSE42", "Asthma|GSE1"):
        with pytest.raises(SettingsError):
            existing_cohort(tmp_path, absent)
    (tmp_path / "accessions.tsv").write_text("Asthma GSE1\n")
    with pytest.raises(BadInputError, match="line 1"):
        cohort_keys(tmp_path)


def test_an_input_folder_may_stand_in_between(tmp_path):
    (tmp_path / "input" / "GEO" / "Asthma" / "GSE1").mkdir(parents=True)
    assert cohort_keys(tmp_path) == ["Asthma|GSE1"]


def test_files_are_chosen_by_name_not_by_directory_order(tmp_path):
    """Marked in B.1: "first" was the order of the directory."""
    for name in ("b_soft", "a_soft", "GSE1-GPL97_series_matrix.txt", "GSE1-GPL96_series_matrix.txt.gz"):
        put(tmp_path / name, "")
    files = cohort_files(tmp_path)
    assert files.soft.name == "a_soft"
    assert [path.name for path in files.matrices] == ["GSE1-GPL96_series_matrix.txt.gz", "GSE1-GPL97_series_matrix.txt"]
    assert files.others == ("b_soft",)
    with pytest.raises(BadInputError):
        cohort_files(tmp_path.parent / "nothing")


def two_platforms(folder):
    put(folder / "GSE1-GPL97_series_matrix.txt", matrix_text(ROWS))
    put(folder / "GSE1-GPL570_series_matrix.txt", matrix_text({"x": [1]}, samples=["GSM9"]))
    put(
        folder / "GSE1-GPL96_series_matrix.txt",
        matrix_text({"q": [5, 6, 7, 8]}, samples=["GSM5", "GSM6", "GSM7", "GSM8"]),
    )


def test_of_several_platforms_the_choice_is_declared(tmp_path):
    two_platforms(tmp_path)
    facts = read_facts(source(tmp_path))
    assert facts.platform == "GPL96", "most samples; of equals the smaller number"
    assert facts.platforms == {"GPL570": 1, "GPL96": 4, "GPL97": 4}
    assert facts.samples["sample"].tolist() == ["GSM5", "GSM6", "GSM7", "GSM8"]
    assert read_expression(source(tmp_path), "GPL96").ids == ["q"]
    assert read_facts(source(tmp_path, rule="first_file")).platform == "GPL570"
    assert read_facts(source(tmp_path, platform="GPL97")).samples["sample"].tolist() == SAMPLES
    with pytest.raises(BadInputError, match="GPL1"):
        read_facts(source(tmp_path, platform="GPL1"))


def test_several_matrix_files_of_one_platform_are_joined(tmp_path):
    """GEO splits large series (chibe issue 36); compat reads the first file only."""
    one = matrix_text(
        {"p1": [1, 2], "p2": [3, 4]}, samples=["GSM1", "GSM2"], characteristics=[["a: 1", "a: 2"]], platform="GPL96"
    )
    two = matrix_text({"p2": [5], "p3": [6]}, samples=["GSM3"], characteristics=[["a: 3"]], platform="GPL96")
    put(tmp_path / "GSE1_series_matrix-1.txt", one)
    put(tmp_path / "GSE1_series_matrix-2.txt", two)
    facts, table = read_facts_and_expression(source(tmp_path))
    assert facts.samples["sample"].tolist() == ["GSM1", "GSM2", "GSM3"] == table.samples
    assert facts.characteristics["cell"].tolist() == ["a: 1", "a: 2", "a: 3"]
    assert table.ids == ["p1", "p2", "p3"]
    np.testing.assert_array_equal(table.values, [[1, 2, np.nan], [3, 4, 5], [np.nan, np.nan, 6]])
    assert len(read_facts(source(tmp_path, rule="first_file")).samples) == 2


def test_facts_of_a_matrix(tmp_path):
    text = matrix_text(
        ROWS,
        characteristics=[["sex: F", "age: 3", "sex: M", "no colon"]],
        fields={"!Sample_source_name_ch1": ["a", "b", "c", "d"], "!Sample_description": ["x", "", "y", "z"]},
        series=[("!Series_title", "T"), ("!Series_geo_accession", "GSE1"), ("!Series_summary", "S")],
    )
    text = text.replace("!Sample_description", '!Sample_description\t"1"\t"2"\t"3"\t"4"\n!Sample_description', 1)
    facts = read_facts(source(put(tmp_path / "GSE1_series_matrix.txt", text)))
    assert facts.background == '!Series_title\t"T"\n!Series_summary\t"S"'
    assert facts.samples["source_name"].tolist() == ["a", "b", "c", "d"]
    assert facts.samples["description"].tolist() == ["1; x", "2", "3; y", "4; z"]
    assert facts.characteristics["key"].tolist() == ["sex", "age", "sex", ""]
    assert facts.report == {"characteristics rows with shifted cells": 1}
    again = CohortTables.from_tables(facts.to_tables())
    assert again.background == facts.background
    assert again.characteristics.equals(facts.characteristics)
    assert (again.platforms, again.report) == (facts.platforms, facts.report)


def test_facts_and_values_of_a_soft_file_alone(tmp_path):
    fields = [("Sample_source_name_ch1", "kidney"), ("Sample_description", "Age = 7"), ("Sample_description", "more")]
    one = [*fields, ("Sample_characteristics_ch1", "sex: F"), ("Sample_characteristics_ch1", "stage: 2")]
    two = [*fields, ("Sample_characteristics_ch1", "stage: 3")]
    samples = [("GSM1", "GPL1", one, tsv("ID_REF VALUE", "p1 1")), ("GSM2", "GPL1", two, tsv("ID_REF VALUE", "p1 2"))]
    text = soft_text(
        {"GPL1": tsv("ID Symbol", "p1 TP53"), "GPL2": ""}, samples, [("Series_summary", "S"), ("Series_summary", "")]
    )
    path = put(tmp_path / "GSE1_family.soft.gz", text, zipped=True)
    facts, table = read_facts_and_expression(source(path))
    assert facts.platform == "GPL1"
    assert facts.platforms == {"GPL1": 2}
    assert facts.background == '!Series_summary\t"S"'
    assert facts.samples.iloc[0].tolist() == ["GSM1", "GPL1", "title of GSM1", "kidney", "Age = 7; more"]
    rows = facts.characteristics[["row", "sample", "cell"]].to_numpy().tolist()
    assert rows == [[0, "GSM1", "sex: F"], [0, "GSM2", "stage: 3"], [1, "GSM1", "stage: 2"]]
    assert table.values.tolist() == [[1, 2]]
    assert read_expression(source(path), "GPL1").values.tolist() == [[1, 2]]
    assert read_cohort_annotation(source(path), "GPL1").table["Symbol"].tolist() == ["TP53"]


def test_repeated_samples_are_reported(tmp_path):
    text = matrix_text(ROWS, samples=["GSM1", "GSM2", "GSM1", "GSM3"])
    facts, table = read_facts_and_expression(source(put(tmp_path / "GSE1_series_matrix.txt", text)))
    assert facts.samples["sample"].tolist() == ["GSM1", "GSM2", "GSM3"]
    assert facts.report["samples repeated"] == 1
    assert len(table.samples) == 4


def test_no_characteristics_at_all(tmp_path):
    facts = read_facts(source(put(tmp_path / "GSE1_series_matrix.txt", matrix_text(ROWS))))
    assert facts.characteristics.empty
    assert facts.samples["title"].tolist()[0] == "title of GSM1"


def xena(folder, *, turned=False):
    clinical = tsv(
        "sampleID gender days_to_birth",
        f"{BARCODES[0]} FEMALE -23323",
        f"{BARCODES[1]} MALE ",
        f"{BARCODES[2]} MALE -100",
    )
    values = [["sample", *BARCODES], ["TP53", "1.5", "-2", "0"], ["KRAS", "1", "2", "3"]]
    rows = list(zip(*values, strict=True)) if turned else values
    put(folder / "TCGA.BLCA.sampleMap_BLCA_clinicalMatrix", clinical)
    put(folder / "TCGA.BLCA.sampleMap_HiSeqV2_PANCAN.gz", "\n".join("\t".join(row) for row in rows), zipped=True)
    plain = "\n".join("\t".join(row) for row in [values[0], ["TP53", "9", "8", "7"]])
    put(folder / "TCGA.BLCA.sampleMap_HiSeqV2.gz", plain, zipped=True)


def test_a_tcga_cohort(tmp_path):
    xena(tmp_path)
    files = cohort_files(tmp_path)
    assert files.is_tcga
    facts, table = read_facts_and_expression(CohortSource("Bladder_Cancer|TCGA", tmp_path, "first_file"))
    assert facts.clinical.columns.tolist() == ["sample", "gender", "days_to_birth"]
    assert facts.clinical["days_to_birth"].tolist() == ["-23323", "", "-100"]
    assert facts.samples["sample"].tolist() == BARCODES == table.samples
    assert table.ids == ["TP53", "KRAS"]
    assert read_cohort_annotation(CohortSource("Bladder_Cancer|TCGA", tmp_path), "") is None


def test_sound_rules_read_the_values_that_are_not_centred(tmp_path):
    """Marked in A.1: release 2 takes the PANCAN file, whose values are centred over all of TCGA."""
    xena(tmp_path)
    for rule, values in (("most_samples", [[9, 8, 7]]), ("first_file", [[1.5, -2, 0], [1, 2, 3]])):
        assert read_expression(CohortSource("B|TCGA", tmp_path, rule), "").values.tolist() == values
    (tmp_path / "TCGA.BLCA.sampleMap_HiSeqV2.gz").unlink()
    assert read_expression(CohortSource("B|TCGA", tmp_path), "").values.tolist() == values
    (tmp_path / "TCGA.BLCA.sampleMap_HiSeqV2_PANCAN.gz").unlink()
    assert read_expression(CohortSource("B|TCGA", tmp_path), "").is_empty


def test_the_orientation_of_tcga_tables(tmp_path):
    xena(tmp_path / "a")
    xena(tmp_path / "b", turned=True)
    name = "TCGA.BLCA.sampleMap_HiSeqV2_PANCAN.gz"
    right, turned = read_xena_expression(tmp_path / "a" / name), read_xena_expression(tmp_path / "b" / name)
    assert (turned.ids, turned.samples) == (right.ids, right.samples)
    assert turned.values.tolist() == right.values.tolist()
    assert turned.report == {"table turned: barcodes stood in the rows": 1}
    with pytest.raises(BadInputError, match="barcodes"):
        read_xena_expression(put(tmp_path / "c", tsv("gene A B", "TP53 1 2")))
    with pytest.raises(BadInputError, match="a row a sample"):
        read_xena_clinical(put(tmp_path / "d", "nothing"))
