"""Which row is the trait and how its values are coded: each kind of evidence, and what is refused."""

import pytest

from genoplatform.expression.curation import CharacteristicsRow, CohortFacts, code_of, curate


def facts(trait, *rows, background="", **more):
    return CohortFacts(
        trait=trait,
        cohort="GSE1",
        background=background,
        characteristics=tuple(CharacteristicsRow.of(i, cells) for i, cells in enumerate(rows)),
        **more,
    )


def about(text):
    return f'!Series_title\t"{text}"'


def codes(decisions):
    return decisions.trait_variable.codes


def test_a_key_that_names_the_trait_with_yes_and_no():
    found = curate(facts("Hypothyroidism", ["pcos: N", "pcos: Y"], ["hypothyroidism: N", "hypothyroidism: Y", ""]))
    assert found.trait_variable.row == 1
    assert codes(found) == {"hypothyroidism: N": 0.0, "hypothyroidism: Y": 1.0}


def test_values_that_name_the_trait_other_diseases_and_controls_are_not_cases():
    found = curate(facts("Osteoarthritis", ["disease: OA", "disease: RA", "disease: Control", "disease: NA"]))
    assert codes(found) == {"disease: OA": 1.0, "disease: RA": 0.0, "disease: Control": 0.0, "disease: NA": None}


def test_a_control_that_names_the_trait_stays_a_control():
    cells = ["state: ccRCC", "state: normal_tissue_from_ccRCC_patient", "state: Non-tumoral kidney adjacent to ccRCC"]
    assert list(codes(curate(facts("Kidney_Clear_Cell_Carcinoma", cells))).values()) == [1.0, 0.0, 0.0]


def test_tumour_against_normal_without_the_name():
    found = curate(
        facts("Bladder_Cancer", ["state: Normal", "state: Cancer", "state: Biopsy"], background=about("Bladder"))
    )
    assert codes(found) == {"state: Normal": 0.0, "state: Cancer": 1.0, "state: Biopsy": None}
    assert found.trait_variable.rule == "tumor"


def test_controls_against_cases_in_a_series_about_the_trait():
    rows = (["tissue: blood", "tissue: blood"], ["group: case", "group: control"])
    found = curate(facts("Asthma", *rows, background=about("Asthma in children")))
    assert found.trait_variable.row == 1
    assert codes(found) == {"group: case": 1.0, "group: control": 0.0}


def test_controls_in_a_series_about_something_else_say_nothing():
    found = curate(facts("Asthma", ["group: case", "group: control"], background=about("Bone density in mice")))
    assert found.trait_variable is None
    assert "no characteristic tells" in found.why["trait"]


def test_a_series_that_only_mentions_the_trait_gives_a_proxy_and_says_so():
    background = about("Alcohol and the brain") + '\n!Series_summary\t"as in schizophrenia"'
    loose = facts("Schizophrenia", ["diagnosis: alcohol", "diagnosis: control"], background=background)
    assert curate(loose).trait_variable.why.startswith("proxy")
    assert curate(loose, proxies=False).trait_variable is None


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["response: Responder", "response: Non-responder"], [1.0, 0.0]),
        (["tumor stage: I", "tumor stage: IIIA", "tumor stage: T4"], [0.0, 1.0, 1.0]),
        (["vital status: dead", "vital status: alive"], [1.0, 0.0]),
        (["relapse: relapse-free", "relapse: relapse"], [0.0, 1.0]),
        (["genotype: WT", "genotype: mutant"], [0.0, 1.0]),
        (["severity: mild", "severity: severe"], [0.0, 1.0]),
    ],
)
def test_proxies_within_a_series_about_the_trait(cells, expected):
    found = curate(facts("Melanoma", cells, background=about("Melanoma")))
    assert list(codes(found).values()) == expected
    assert found.trait_variable.why.startswith("proxy")
    assert curate(facts("Melanoma", cells, background=about("Melanoma")), proxies=False).trait_variable is None


def test_treatment_batch_time_and_person_are_no_trait():
    rows = (
        ["treatment: drug", "treatment: vehicle"],
        ["batch: 1", "batch: 2"],
        ["time: 0h", "time: 24h"],
        ["patient id: 1", "patient id: 2"],
    )
    assert curate(facts("Melanoma", *rows, background=about("Melanoma"))).trait_variable is None


def test_a_treatment_of_the_field_of_the_trait_is_a_proxy():
    cells = ["hormone: dexamethasone_6h", "hormone: ethanol_0h"]
    found = curate(facts("Glucocorticoid_Sensitivity", cells, background=about("Glucocorticoid response")))
    assert codes(found) == {"hormone: dexamethasone_6h": 1.0, "hormone: ethanol_0h": 0.0}


def test_a_measured_trait_is_continuous_and_a_limit_makes_cases():
    height = curate(facts("Height", ["height (cm): 170", "height (cm): 182.5"]))
    assert height.trait_variable.kind == "continuous"
    assert codes(height) == {"height (cm): 170": 170.0, "height (cm): 182.5": 182.5}
    obesity = curate(facts("Obesity", ["bmi (kg/m2): 22.4", "bmi (kg/m2): 30", "bmi (kg/m2): 41"]))
    assert list(codes(obesity).values()) == [0.0, 1.0, 1.0]


def test_a_row_with_one_value_is_not_available_and_the_reason_names_it():
    found = curate(facts("Osteoarthritis", ["diagnosis: osteoarthritis (OA)"] * 3))
    assert found.trait_variable is None
    assert "the same for all samples" in found.why["trait"]


def test_constant_and_all_unknown_codes_are_refused():
    found = curate(facts("Breast_Cancer", ["disease: breast cancer", "disease: TNBC"], ["grade: NA", "grade: unknown"]))
    assert found.trait_variable is None


def test_shifted_cells_the_row_with_most_known_cells_is_taken_and_all_cells_of_the_key_are_coded():
    first = ["copd status: yes", "smoking: S", "smoking: S"]
    second = ["smoking: NS", "copd status: no", "copd status: yes"]
    found = curate(facts("Chronic_obstructive_pulmonary_disease_(COPD)", first, second))
    assert found.trait_variable.row == 1
    assert codes(found) == {"copd status: no": 0.0, "copd status: yes": 1.0, "smoking: NS": None}


def test_counts_decide_between_rows_that_hold_the_same_key():
    age = (["age: 50"] * 1 + ["sex: m"] * 5, ["sex: f", "age: 61", "age: 62", "age: 63", "age: 61", "age: 60"])
    assert curate(facts("Asthma", *age)).age_variable.row == 1


def test_the_sizes_are_compared_with_those_of_the_text():
    cells = ["disease: asthma"] * 4 + ["disease: control"] * 3
    text = about("Asthma") + '\n!Series_summary\t"4 patients and three healthy controls"'
    assert curate(facts("Asthma", cells, background=text)).why["counts"] == (
        "4 coded 1, 3 coded 0, which the text names too"
    )


def test_unlisted_cells_are_coded_by_the_rule_of_the_decision():
    found = curate(
        facts("Osteoarthritis", ["disease: OA", "disease: Control"], ["age: 50", "age: 60"], ["sex: F", "sex: M"])
    )
    assert code_of(found.trait_variable, "disease: knee osteoarthritis", "Osteoarthritis") == 1.0
    assert code_of(found.trait_variable, "disease: healthy", "Osteoarthritis") == 0.0
    assert code_of(found.trait_variable, "tissue: OA", "Osteoarthritis") is None
    assert code_of(found.age_variable, "age: 71y", "Osteoarthritis") == 71.0
    assert code_of(found.gender_variable, "sex: male", "Osteoarthritis") == 1.0


def test_gender_digits_without_a_legend_follow_the_standard_or_are_refused():
    assert curate(facts("Asthma", ["sex: 1", "sex: 2"])).gender_variable.codes == {"sex: 1": 1.0, "sex: 2": 0.0}
    refused = curate(facts("Asthma", ["sex: 0", "sex: 1"]))
    assert refused.gender_variable is None
    assert "without a legend" in refused.why["gender"]


def test_same_facts_same_decisions():
    one = facts("Osteoarthritis", ["disease: OA", "disease: Control"], background=about("OA"))
    assert curate(one) == curate(one)
