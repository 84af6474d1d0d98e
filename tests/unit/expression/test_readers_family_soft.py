"""Family SOFT files: sections, sample tables to a matrix, one annotation a platform (expression.md B.6, E.6)."""

import numpy as np
import pytest
from geo_files import put, soft_text, tsv

from genoplatform.errors import BadInputError
from genoplatform.expression.readers.annotation import best_annotation, read_annotation, read_annotation_v2
from genoplatform.expression.readers.family_soft import read_family_soft

TABLE_A = tsv("ID Symbol", "p1 TP53", "p2 BRCA1", "p3 ")
TABLE_B = tsv("ID GB_ACC Symbol", "q1 X KRAS")
TWO = {"GPL1": TABLE_A, "GPL2": TABLE_B}
SAMPLES = [
    (
        "GSM1",
        "GPL1",
        [("Sample_description", "Age = 70"), ("Sample_description", "Keywords = kidney")],
        tsv("ID_REF VALUE CALL", "p1 1 P", "p2 2 A"),
    ),
    ("GSM2", "GPL2", [], tsv("ID_REF VALUE", "q1 9")),
    ("GSM3", "GPL1", [], tsv("ID_REF VALUE", "p2 4", "p3 5", "p1 3")),
]


def test_sections_and_fields(tmp_path):
    soft = read_family_soft(put(tmp_path / "GSE1_family.soft.gz", soft_text(TWO, SAMPLES), zipped=True))
    assert soft.series == [("Series_title", "A series")]
    assert soft.platforms == {"GPL1": "array GPL1", "GPL2": "array GPL2"}
    assert [sample.name for sample in soft.samples] == ["GSM1", "GSM2", "GSM3"]
    assert soft.samples[0].values("Sample_description") == ["Age = 70", "Keywords = kidney"]
    assert soft.tables == {}


def test_a_matrix_a_platform_from_sample_tables_whatever_their_order(tmp_path):
    """GEOquery issue 155: sample tables in another order, or with other rows, are matched by id."""
    soft = read_family_soft(put(tmp_path / "s", soft_text(TWO, SAMPLES)), with_values=True)
    table = soft.tables["GPL1"]
    assert (table.ids, table.samples) == (["p1", "p2", "p3"], ["GSM1", "GSM3"])
    np.testing.assert_array_equal(table.values, [[1, 3], [2, 4], [np.nan, 5]])
    assert soft.tables["GPL2"].values.tolist() == [[9]]
    assert soft.report == {"samples with other rows than the first": 1}
    only = read_family_soft(tmp_path / "s", with_values=True, platform="GPL2")
    assert list(only.tables) == ["GPL2"]


def test_odd_sample_tables_are_counted(tmp_path):
    odd = [
        ("GSM1", "GPL1", [], tsv("ID_REF VALUE", "p1 1", "p2 x")),
        ("GSM2", "GPL1", [], ""),
        ("GSM3", "GPL1", [], None),
        ("GSM4", "GPL1", [], tsv("ID_REF COUNT", "p1 1")),
        ("GSM1", "GPL1", [], tsv("ID_REF VALUE", "p1 7")),
    ]
    soft = read_family_soft(put(tmp_path / "s", soft_text(TWO, odd)), with_values=True)
    np.testing.assert_array_equal(soft.tables["GPL1"].values, [[1], [np.nan]])
    assert soft.report["samples without a table"] == 3
    assert soft.report["sample tables without VALUE"] == 1
    assert soft.report["samples repeated, left out"] == 1
    assert soft.report["unreadable cells"] == 1


def test_a_missing_end_marker_swallows_nothing(tmp_path):
    text = soft_text({"GPL1": TABLE_A}, SAMPLES[:1]).replace("!platform_table_end\n", "")
    soft = read_family_soft(put(tmp_path / "s", text), with_values=True)
    assert [sample.name for sample in soft.samples] == ["GSM1"]
    assert len(read_annotation(tmp_path / "s", "GPL1").table) == 3


def test_something_else_is_refused(tmp_path):
    with pytest.raises(BadInputError, match="SOFT"):
        read_family_soft(put(tmp_path / "s", "a\tb\n"))


def test_one_annotation_a_platform_without_sample_rows(tmp_path):
    path = put(tmp_path / "s", soft_text(TWO, SAMPLES))
    first, second = read_annotation(path, "GPL1"), read_annotation(path, "GPL2")
    assert first.table.columns.tolist() == ["ID", "Symbol"]
    assert first.table["ID"].tolist() == ["p1", "p2", "p3"]
    assert second.table.to_dict("list") == {"ID": ["q1"], "GB_ACC": ["X"], "Symbol": ["KRAS"]}
    assert first.preview(2) == {"ID": ("p1", "p2"), "Symbol": ("TP53", "BRCA1")}
    assert read_annotation(path, "GPL9") is None
    assert read_annotation(path).platform == "GPL1"


def test_reading_an_annotation_stops_before_the_samples(tmp_path):
    """The rest of the file may be gigabytes, or damaged (GEOparse issue 53, geofetch issue 103)."""
    text = soft_text({"GPL1": TABLE_A}, SAMPLES[:1])
    path = put(tmp_path / "s.gz", text + "x" * 5_000_000, zipped=True)
    path.write_bytes(path.read_bytes()[:-2_000])
    assert len(read_annotation(path, "GPL1").table) == 3
    with pytest.raises(BadInputError):
        read_annotation_v2(path)


def test_release_2_swallows_sample_tables_and_the_second_platform(tmp_path):
    """The defect marked in B.6, kept under compat: rows of any table, if no longer than the first header, stand in it,
    and a VALUE stands where the gene should.
    """
    path = put(tmp_path / "s", soft_text(TWO, SAMPLES))
    kept = read_annotation_v2(path)
    assert kept.table.columns.tolist() == ["ID", "Symbol"]
    assert kept.table["ID"].tolist() == ["p1", "p2", "p3", "ID_REF", "q1", "ID_REF", "p2", "p3", "p1"]
    assert kept.table["Symbol"].tolist()[3:] == ["VALUE", "9", "VALUE", "4", "5", "3"]
    assert read_annotation(path, "GPL1").report == {"rows": 3}


def test_of_unnamed_platforms_the_one_that_knows_the_ids(tmp_path):
    path = put(tmp_path / "s", soft_text(TWO, SAMPLES))
    assert best_annotation(path, ["q1"]).platform == "GPL2"
    assert best_annotation(path, ["p1", "p2", "q1"]).platform == "GPL1"
    assert best_annotation(put(tmp_path / "t", soft_text({"GPL1": ""})), ["p1"]) is None


def test_annotation_rows_of_another_length_and_quotes(tmp_path):
    table = 'ID\tSymbol\tTitle\np1\tTP53\t5" long\np2\tKRAS\np3\tA\tB\tC\nü\tX\tY'
    read = read_annotation(put(tmp_path / "s", soft_text({"GPL1": table})), "GPL1").table
    assert read["Symbol"].tolist() == ["TP53", "KRAS", "A", "X"]
    assert read["Title"].tolist() == ['5" long', "", "B", "Y"]
