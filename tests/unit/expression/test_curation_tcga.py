"""TCGA clinical matrices: barcode types, age and gender columns (expression.md B.12)."""

import pytest

from genoplatform.expression.curation import curate_clinical_columns
from genoplatform.expression.curation.tcga import barcode_code, days_to_birth_code

BARCODES = ["TCGA-BL-A0C8-01", "TCGA-BL-A0C8-11", "TCGA-XX-0001-20"]


@pytest.mark.parametrize(
    ("barcode", "code"),
    [
        ("TCGA-BL-A0C8-01", 1.0),
        ("TCGA-BL-A0C8-06", 1.0),
        ("TCGA-BL-A0C8-11", 0.0),
        ("TCGA-XX-0001-20", None),
        ("x", None),
    ],
)
def test_sample_types_other_than_tumour_and_normal_are_unknown_not_minus_one(barcode, code):
    assert barcode_code(barcode) == code


def test_days_to_birth_become_years():
    assert days_to_birth_code("-23323") == pytest.approx(63.85, abs=0.01)
    assert days_to_birth_code("") is None


def test_the_standard_columns_are_chosen():
    found = curate_clinical_columns(
        "Bladder_Cancer",
        {
            "sample": BARCODES,
            "age_began_smoking_in_years": ["17", "20", "16"],
            "days_to_birth": ["-20000", "-25000", ""],
            "age_at_initial_pathologic_diagnosis": ["63", "66.5", ""],
            "gender": ["MALE", "FEMALE", None],
            "gender_note": ["", "", ""],
        },
    )
    assert found.trait_variable.codes == dict(zip(BARCODES, [1.0, 0.0, None], strict=True))
    assert found.age_variable.key == "age_at_initial_pathologic_diagnosis"
    assert found.age_variable.codes == {"63": 63.0, "66.5": 66.5}
    assert found.gender_variable.codes == {"MALE": 1.0, "FEMALE": 0.0}
    assert found.needs_mapping is False


def test_days_to_birth_stand_in_and_constant_columns_are_refused():
    found = curate_clinical_columns(
        "Ovarian_Cancer",
        {"sample": BARCODES[:1] * 2, "days_to_birth": ["-20000", "-25000"], "gender": ["FEMALE", "FEMALE"]},
    )
    assert found.age_variable.rule == "days-to-birth"
    assert found.gender_variable is None
    assert "constant" in found.why["gender"]
    assert found.trait_variable is None
    assert "constant" in found.why["trait"]


def test_breast_cancer_has_names_of_its_own():
    found = curate_clinical_columns(
        "Breast_Cancer",
        {
            "sample": BARCODES,
            "Age_at_Initial_Pathologic_Diagnosis_nature2012": ["40", "50", "60"],
            "Gender_nature2012": ["FEMALE", "MALE", "FEMALE"],
        },
    )
    assert found.age_variable.key == "Age_at_Initial_Pathologic_Diagnosis_nature2012"
    assert found.gender_variable.key == "Gender_nature2012"
