import numpy as np
import pandas as pd
import pytest
from ontology_texts import hpoa_line, hpoa_text

from genoplatform.ontology import pool_annotations, read_hpoa


def pool(write, *lines):
    return pool_annotations(read_hpoa(write(hpoa_text(*lines))).rows)


def test_counts_add_up_and_references_are_kept(write):
    # inputs.md #7: one publication saw it in 1 of 1, another in 0 of 7
    pooled = pool(
        write,
        hpoa_line(frequency="1/1", reference="PMID:2;PMID:1"),
        hpoa_line(frequency="0/7", reference="PMID:3;PMID:1"),
    )
    row = pooled.iloc[0]
    assert len(pooled) == 1
    assert (row["n_rows"], row["numerator"], row["denominator"]) == (2, 1, 8)
    assert row["frequency_value"] == 1 / 8
    assert row["present"]
    assert row["conflict"]
    assert row["pmids"] == ["PMID:2", "PMID:1", "PMID:3"]


@pytest.mark.parametrize(
    ("fields", "value", "present", "denominator"),
    [
        ({"frequency": "0/7"}, 0.0, False, 7),
        ({"frequency": "HP:0040283"}, 0.17, True, None),
        ({"frequency": ""}, np.nan, True, None),
        ({"qualifier": "NOT"}, np.nan, False, None),
        ({"qualifier": "NOT", "frequency": "3/5"}, np.nan, False, None),
    ],
)
def test_a_single_row_is_itself(write, fields, value, present, denominator):
    row = pool(write, hpoa_line(**fields)).iloc[0]
    assert row["frequency_value"] == pytest.approx(value, nan_ok=True)
    assert bool(row["present"]) is present
    assert not row["conflict"]
    assert pd.isna(row["denominator"]) if denominator is None else row["denominator"] == denominator


def test_counts_win_over_a_frequency_term(write):
    row = pool(write, hpoa_line(frequency="1/4"), hpoa_line(frequency="HP:0040281")).iloc[0]
    assert row["frequency_value"] == 0.25


def test_not_beside_present_is_a_conflict(write):
    row = pool(write, hpoa_line(frequency="3/4"), hpoa_line(qualifier="NOT", frequency="1/4")).iloc[0]
    assert (row["numerator"], row["denominator"]) == (3, 4)
    assert row["present"]
    assert row["conflict"]


def test_pairs_are_sorted_and_apart(write):
    pooled = pool(
        write,
        hpoa_line(database_id="ORPHA:2", hpo_id="HP:0000002", reference="ORPHA:2"),
        hpoa_line(database_id="OMIM:100001", hpo_id="HP:0000002"),
        hpoa_line(database_id="OMIM:100001", hpo_id="HP:0000001"),
    )
    assert pooled[["disease_id", "hpo_id"]].values.tolist() == [
        ["OMIM:100001", "HP:0000001"],
        ["OMIM:100001", "HP:0000002"],
        ["ORPHA:2", "HP:0000002"],
    ]
    assert pooled["pmids"].tolist() == [["PMID:1"], ["PMID:1"], []]
