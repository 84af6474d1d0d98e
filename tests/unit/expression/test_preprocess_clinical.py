"""Clinical values: decisions applied to facts, shifted cells, TCGA codes, repeated persons (B.2, B.4, B.12)."""

import numpy as np
import pandas as pd
import pytest

from genoplatform.expression.curation import curate_clinical_columns
from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.preprocess import clinical_table
from genoplatform.expression.readers.characteristics import (
    cells_of_key,
    cells_of_row,
    characteristics_table,
    shifted_rows,
)
from genoplatform.expression.tcga import compat_age_code, compat_codes, compat_tumour_code
from genoplatform.settings.expression import ExpressionSettings

SAMPLES = ["S1", "S2", "S3", "S4"]
# S3 has no stage, so that its later cells stand one row higher (GEOquery issue 25).
SHIFTED = [
    ["disease: cancer", "disease: normal", "disease: cancer", "disease: normal"],
    ["stage: 2", "stage: 0", "age: 61", "stage: 0"],
    ["age: 50", "age: 40", "sex: F", "age: 30"],
    ["sex: M", "sex: F", "", "sex: M"],
]
AGES = {f"age: {n}": float(n) for n in (61, 50, 40, 30)}


def facts(rows=SHIFTED, *, cohort="GSE1", clinical=None, samples=SAMPLES, **texts):
    frame = pd.DataFrame({"sample": samples, "platform": ""})
    for name in ("title", "source_name", "description"):
        frame[name] = texts.get(name, [""] * len(samples))
    clinical = clinical if clinical is not None else pd.DataFrame({"sample": []})
    return CohortTables("T", cohort, "", {}, "", frame, characteristics_table(samples, rows), clinical)


def variable(source="characteristics", kind="binary", **change):
    return Variable.model_validate({"source": source, "kind": kind, "codes": {}} | change)


def decisions(**variables):
    return CohortDecisions(trait="T", cohort="GSE1", is_gene_available=True, curator="test", **variables)


TRAIT = variable(key="disease", row=0, codes={"disease: cancer": 1, "disease: normal": 0})
AGE = variable(key="age", row=2, kind="continuous", codes=AGES)
SEX = variable(key="sex", row=3, codes={"sex: F": 0, "sex: M": 1})
ALL = decisions(trait_variable=TRAIT, age_variable=AGE, gender_variable=SEX)


def values(found, name):
    return [None if np.isnan(value) else value for value in found.table[name]]


def test_characteristics_keep_key_and_raw_row():
    table = characteristics_table(SAMPLES, SHIFTED)
    assert len(table) == 15
    assert cells_of_row(table, 2, SAMPLES) == ["age: 50", "age: 40", "sex: F", "age: 30"]
    assert cells_of_key(table, " AGE ", SAMPLES) == ["age: 50", "age: 40", "age: 61", "age: 30"]
    assert cells_of_key(table, "stage", SAMPLES) == ["stage: 2", "stage: 0", "", "stage: 0"]
    assert shifted_rows(table) == [1, 2]
    assert table.loc[0].tolist() == [0, "S1", "disease: cancer", "disease", "cancer"]


def test_shifted_cells_keep_their_meaning_under_sound_rules_only():
    """Marked in B.2."""
    sound = clinical_table(facts(), ALL, ExpressionSettings())
    assert values(sound, "trait") == [1, 0, 1, 0]
    assert values(sound, "age") == [50, 40, 61, 30]
    assert values(sound, "gender") == [1, 0, 0, 1]
    compat = clinical_table(facts(), ALL, ExpressionSettings(rules="compat_v2"))
    assert values(compat, "age") == [50, 40, None, 30]
    assert values(compat, "gender") == [1, 0, None, 1]
    assert compat.table["age_cell"].tolist()[2] == "sex: F"
    assert sound.available == ("trait", "age", "gender")


def test_a_variable_by_row_where_cells_have_no_key():
    bare = facts([["cancer", "normal", "", "cancer"]])
    found = clinical_table(
        bare, decisions(trait_variable=variable(row=0, codes={"cancer": 1, "normal": 0})), ExpressionSettings()
    )
    assert values(found, "trait") == [1, 0, None, 1]
    assert found.available == ("trait",)
    assert values(found, "age") == [None] * 4


@pytest.mark.parametrize("source", ["title", "source_name", "description"])
def test_free_text_of_the_sample(source):
    texts = ["tumour of A", "normal of A", "", "tumour of B"]
    decided = decisions(trait_variable=variable(source, codes={"tumour of A": 1, "normal of A": 0, "tumour of B": 1}))
    assert values(clinical_table(facts([], **{source: texts}), decided, ExpressionSettings()), "trait") == [
        1,
        0,
        None,
        1,
    ]


def test_unlisted_and_unknown_values_are_counted():
    decided = decisions(trait_variable=variable(key="disease", row=0, codes={"disease: cancer": None}))
    found = clinical_table(facts(), decided, ExpressionSettings())
    assert values(found, "trait") == [None] * 4
    assert found.report == {"trait: cells coded by rule, not listed": 2, "trait: values unknown": 4}


BARCODES = ["TCGA-AA-0001-01", "TCGA-AA-0001-11", "TCGA-AA-0002-06", "TCGA-AA-0003-20"]
XENA = pd.DataFrame(
    {
        "sample": BARCODES,
        "gender": ["FEMALE", "MALE", "female", ""],
        "days_to_birth": ["-23323", "-23323", "-7305.0", ""],
    }
)


def tcga(rules):
    tables = facts([], cohort="TCGA", clinical=XENA, samples=BARCODES)
    decided = curate_clinical_columns("T", {name: XENA[name].tolist() for name in XENA})
    if rules != "sound":
        decided = compat_codes(decided, BARCODES)
    return clinical_table(tables, decided, ExpressionSettings(rules=rules))


def test_sample_types_that_are_neither_tumour_nor_normal():
    """Marked in B.12: -1 makes the trait three-valued."""
    assert values(tcga("sound"), "trait") == [1, 0, 1, None]
    assert values(tcga("compat_v2"), "trait") == [1, 0, 1, -1]
    assert [compat_tumour_code(f"TCGA-AA-0001-{t}") for t in ("09", "10", "19", "20", "1A")] == [1, 0, 0, -1, -1]


def test_days_to_birth():
    """Marked in B.12: -23323 days are 63.9 years, not 23,323 of them."""
    ages = values(tcga("sound"), "age")
    assert ages[3] is None
    assert ages[:3] == pytest.approx([63.8549, 63.8549, 20.0], abs=1e-3)
    assert values(tcga("compat_v2"), "age") == [23323, 23323, 7305, None]
    assert [compat_age_code(cell) for cell in ("61.7", "-5", "none")] == [61, 5, None]


def test_gender_is_read_in_any_case():
    for rules in ("sound", "compat_v2"):
        assert values(tcga(rules), "gender") == [0, 1, 0, None]


def subjects(tables, **settings):
    return (
        clinical_table(tables, decisions(trait_variable=None), ExpressionSettings(**settings)).table["subject"].tolist()
    )


def test_persons_that_repeat():
    ids = [["subject id: a", "subject id: a", "subject id: b", ""]]
    assert subjects(facts(ids)) == ["a", "a", "b", "sample S4"]
    once = [["patient: 1", "patient: 2", "patient: 3", "patient: 4"]]
    assert subjects(facts(once)) == [""] * 4
    assert subjects(facts([["patient: 1"] * 4])) == [""] * 4, "the same mark for all tells nothing"
    assert (
        subjects(facts([["patient status: x", "patient status: x", "patient status: y", "patient status: y"]]))
        == [""] * 4
    )
    titles = facts([], title=["N035 Normal", "C035 Tumour", "N1 Normal", "other"])
    assert subjects(titles, subjects={"T|GSE1": r"\b[NC](\d+)\b"}) == ["035", "035", "1", "sample S4"]
    assert subjects(titles) == [""] * 4
    marked = facts([], cohort="TCGA", samples=BARCODES)
    assert subjects(marked) == ["TCGA-AA-0001", "TCGA-AA-0001", "TCGA-AA-0002", "TCGA-AA-0003"]
