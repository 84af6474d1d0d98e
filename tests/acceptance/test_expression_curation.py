"""The curator on labelled cohorts and on three real series.

Labels: 593 GEO records of published notebooks (GenoTEX, CC BY 4.0), silver. Floors are the figures asked for where both
parts reach them, else a little under what was reached, so that a change that loses cohorts is seen.
"""

import pytest

from genoplatform.expression.curation import curate
from genoplatform.expression.curation.scoring import accept, read_records
from genoplatform.expression.readers.cohort import CohortSource
from genoplatform.expression.series_tables import cohort_facts, read_series_tables

FLOORS = {  # measure: (developed on, held out)
    "expression data F1": (0.90, 0.90),
    "trait row": (0.74, 0.60),
    "trait row, usable labels": (0.78, 0.65),
    "age row": (0.92, 0.92),
    "gender row": (0.92, 0.92),
    "trait codes": (0.78, 0.60),
    "codes of all three": (0.80, 0.80),
    "mapping needed": (0.98, 0.98),
    "annotation columns": (0.92, 0.92),
}


@pytest.fixture(scope="module")
def acceptance(shared):
    return accept(read_records(shared / "expression" / "step_decisions.jsonl.xz"))


@pytest.mark.shared
@pytest.mark.parametrize("measure", FLOORS)
def test_agreement_with_the_labels(acceptance, measure):
    lines = {(line.measure, line.fold): line for line in acceptance.lines}
    for fold, floor in zip(("developed on", "held out"), FLOORS[measure], strict=True):
        assert lines[measure, fold].value >= floor, fold


@pytest.mark.shared
def test_all_records_are_scored_or_told(acceptance):
    whole = {line.measure: line.n for line in acceptance.lines if line.fold == "all"}
    assert whole["trait row"] == 476  # GEO records with characteristics
    assert sum(acceptance.skipped.values()) == 97  # TCGA
    assert len(acceptance.worst) == 10
    assert all(o.why for scored in acceptance.worst for o in scored.outcomes)


@pytest.mark.shared
def test_no_decision_on_any_record_is_constant_or_all_unknown(shared):
    from genoplatform.expression.curation import CohortFacts

    for record in read_records(shared / "expression" / "step_decisions.jsonl.xz"):
        if "characteristics" in record:
            found = curate(CohortFacts.from_record(record))
            for variable in (found.trait_variable, found.age_variable, found.gender_variable):
                assert variable is None or len({c for c in variable.codes.values() if c is not None}) > 1


def decided(key, path, **choice):
    return curate(cohort_facts(read_series_tables(CohortSource(key, path, **choice))))


@pytest.mark.shared
def test_bladder_as_the_reference_run(shared):
    folder = shared / "expression" / "GEO" / "Bladder_Cancer" / "GSE3167"
    found = decided("Bladder_Cancer|GSE3167", folder)
    assert found.trait_variable.row == 2
    assert found.trait_variable.codes == {
        "disease state: Normal": 0.0,
        "disease state: Cancer": 1.0,
        "disease state: Biopsy": None,
    }
    assert (found.age_variable, found.gender_variable) == (None, None)
    assert (found.needs_mapping, found.id_column, found.gene_column) == (True, "ID", "Gene Symbol")


@pytest.mark.shared
def test_influenza_as_the_reference_run(shared):
    folder = shared / "expression" / "GEO" / "Influenza" / "GSE30550"
    found = decided("Influenza|GSE30550", folder)
    rows = (found.trait_variable.row, found.age_variable.row, found.gender_variable.row)
    assert rows == (2, 4, 3)  # reference_runs.json
    assert found.trait_variable.codes == {"clinic_pheno: Symptomatic": 1.0, "clinic_pheno: Asymptomatic": 0.0}
    assert found.needs_mapping is False


@pytest.mark.network
@pytest.mark.parametrize("platform", ["GPL96", "GPL97"])
def test_gse781_from_its_own_text(pinned, platform):
    """34 arrays of 17 samples: 8 normal and 9 tumours by their source names (three normals are titled as tumours); age
    and gender stand in the descriptions, where one array of GPL97 has none.
    """
    soft = pinned("gse781-soft@2.66.0")
    found = decided("Kidney_Clear_Cell_Carcinoma|GSE781", soft, platform=platform)
    texts = ("normal tissue adjacent to Renal Cell Carcinoma", "Renal Clear Cell Carcinoma tissue")
    assert found.trait_variable.source == "source_name"
    assert found.trait_variable.codes == {
        f"Trizol isolation of total RNA from {text}": code for text, code in zip(texts, (0.0, 1.0), strict=True)
    }
    ages, genders = found.age_variable.codes, found.gender_variable.codes
    assert found.age_variable.source == found.gender_variable.source == "description"
    known = {text: age for text, age in ages.items() if age is not None}
    assert set(known.values()) == {50.0, 51.0, 55.0, 58.0, 64.0, 65.0, 67.0, 70.0, 72.0}
    assert all(f"Age = {age:.0f};" in text for text, age in known.items())
    assert {text: code for text, code in genders.items() if code is not None} == {
        text: float("Gender = Male" in text) for text in known
    }
    assert len(ages) - len(known) == (platform == "GPL97")
    assert found.why["counts"].startswith("9 coded 1, 8 coded 0")
