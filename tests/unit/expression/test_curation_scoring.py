"""Scoring against labels: what agrees, what cannot be scored, what is unusable; and the command's two outputs."""

import json
import lzma

import pytest
from typer.testing import CliRunner

from genoplatform.cli import app
from genoplatform.errors import BadInputError
from genoplatform.expression.curation.scoring import accept, fold_of, read_records

RECORD = {
    "trait": "Osteoarthritis",
    "cohort": "GSE1",
    "background": '!Series_title\t"Gene expression in osteoarthritis"',
    "characteristics": {"0": ["disease: OA", "disease: RA"], "1": ["sex: F", "sex: F"], "2": ["age: 50", "age: 60"]},
    "trait_row": 0,
    "age_row": 2,
    "gender_row": 1,
    "is_gene_available": True,
    "requires_gene_mapping": True,
    "probe_col": "ID",
    "gene_col": "Symbol",
    "annotation_preview": {"ID": ["1007_s_at"], "Symbol": ["DDR1"]},
    "first_ids": ["1007_s_at", "1053_at"],
    "encoding": {
        "trait": {"disease: OA": 1.0, "disease: RA": None, "None": None},
        "age": {"age: 50": 50, "age: 60": 60},
    },
}


def values(result, fold="all"):
    return {line.measure: line.value for line in result.lines if line.fold == fold}


def test_each_field_is_compared():
    found = values(accept([RECORD]))
    assert found["expression data F1"] == 1.0
    assert found["trait row"] == 1.0
    assert found["trait codes"] == 0.0  # the label calls RA unknown, we call it no case
    assert found["age codes"] == 1.0
    assert found["mapping needed"] == 1.0
    assert found["annotation columns"] == 1.0


def test_a_label_on_a_constant_row_is_a_disagreement_that_the_usable_line_leaves_out():
    lines = {line.measure: line for line in accept([RECORD]).lines if line.fold == "all"}
    assert lines["gender row"].value == 0.0
    assert lines["gender row, usable labels"].n == 0


def test_the_worst_tell_label_and_ours_with_our_reason():
    worst = accept([RECORD]).worst[0]
    gender = next(o for o in worst.outcomes if o.field == "gender row")
    assert gender.label == "1 ('sex: F', ...)"
    assert gender.ours == "None"
    assert "constant" in gender.why


def test_records_without_characteristics_are_counted_as_skipped():
    tcga = {"trait": "Asthma", "cohort": "TCGA", "age_col": None}
    assert sum(accept([RECORD, tcga]).skipped.values()) == 1
    with pytest.raises(BadInputError, match="no GEO record"):
        accept([tcga])


def test_a_series_is_in_one_fold_whatever_the_trait():
    folds = [fold_of(f"GSE{i}") for i in range(600)]
    assert 70 <= folds.count("held out") <= 130  # a sixth of 600 is 100
    assert fold_of("GSE781") == fold_of("GSE781")


def test_bad_lines_are_explained(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text("{}\n")
    with pytest.raises(BadInputError, match="line 1"):
        list(read_records(path))
    path.write_text("{not json\n")
    with pytest.raises(BadInputError, match="line 1"):
        list(read_records(path))


def test_the_command_prints_a_table_with_the_worst_and_json(tmp_path):
    path = tmp_path / "records.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.write(json.dumps(RECORD) + "\n")
    shown = CliRunner().invoke(app, ["expression", "acceptance", str(path)])
    assert shown.exit_code == 0, shown.output
    assert "trait row" in shown.output
    assert "Osteoarthritis GSE1" in shown.output
    as_json = CliRunner().invoke(app, ["expression", "acceptance", str(path), "--json"])
    assert json.loads(as_json.output)["worst"][0]["cohort"] == "GSE1"
