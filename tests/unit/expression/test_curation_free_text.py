"""Sample texts in several styles (all our own): trait, age and gender where no characteristic gives them."""

import pytest

from genoplatform.expression.curation import CohortFacts, curate
from genoplatform.expression.curation.free_text import pairs, text_age, text_gender


@pytest.mark.parametrize(
    ("text", "age", "gender"),
    [
        ("Age = 70; Gender = Female; Right Kidney; Scaling Target = 500", 70.0, 0.0),
        ("age: 41 | sex: M | smoker: no", 41.0, 1.0),
        ("Biopsy from a 62-year-old man with asthma", 62.0, 1.0),
        ("woman aged 45, never smoker", 45.0, 0.0),
        ("liver, donor 12, 58 yo male", 58.0, 1.0),
        ("patient 7, M/45", 45.0, 1.0),
        ("T-cells (62F), run 3", 62.0, 0.0),
        ("infant girl, 8 months old", 8 / 12, 0.0),
        ("pool of male and female donors", None, None),
        ("kidney, 500 ng RNA, 45 cycles", None, None),
    ],
)
def test_age_and_gender_in_several_styles(text, age, gender):
    assert text_age(text) == (pytest.approx(age) if age is not None else None)
    assert text_gender(text) == gender


def test_clauses_are_pairs_with_either_sign():
    assert pairs("Age = 70; Tumor Location: mid; Right Kidney") == [("Age", "70"), ("Tumor Location", "mid")]


def cohort(**texts):
    return CohortFacts(
        trait="Liver_Cancer", cohort="GSE1", background='!Series_title\t"Hepatocellular carcinoma"', **texts
    )


def test_the_source_name_goes_before_the_title_and_normal_tissue_beside_a_tumour_is_normal():
    found = curate(
        cohort(
            titles=("HCC 1", "HCC 2"),
            source_names=("normal tissue adjacent to hepatocellular carcinoma", "hepatocellular carcinoma tissue"),
        )
    )
    assert found.trait_variable.source == "source_name"
    assert list(found.trait_variable.codes.values()) == [0.0, 1.0]


def test_keywords_that_all_samples_carry_are_not_read():
    descriptions = ("healthy liver; Keywords = HCC", "tumor of the liver; Keywords = HCC")
    assert list(curate(cohort(descriptions=descriptions)).trait_variable.codes.values()) == [0.0, 1.0]


def test_texts_that_say_one_thing_only_or_little_are_not_used():
    assert curate(cohort(titles=("HCC 1", "HCC 2", "HCC 3"))).trait_variable is None
    assert curate(cohort(titles=("HCC 1", "healthy 1", "x", "y", "z", "w"))).trait_variable is None


def test_characteristics_go_before_texts_and_texts_before_proxies():
    from genoplatform.expression.curation import CharacteristicsRow

    titles = ("HCC 1", "healthy liver 2")
    state = CharacteristicsRow.of(0, ["disease: HCC", "disease: healthy"])
    proxy = CharacteristicsRow.of(0, ["tumor stage: I", "tumor stage: IV"])
    assert curate(cohort(titles=titles, characteristics=(state,))).trait_variable.source == "characteristics"
    assert curate(cohort(titles=titles, characteristics=(proxy,))).trait_variable.source == "title"


def test_unlisted_texts_are_coded_by_the_rule():
    from genoplatform.expression.curation import code_of

    found = curate(cohort(descriptions=("Age = 50; Gender = Male", "Age = 61; Gender = Female")))
    assert code_of(found.age_variable, "Age = 33; Gender = Female", "Liver_Cancer") == 33.0
    assert code_of(found.gender_variable, "Age = 33; Gender = Female", "Liver_Cancer") == 0.0
