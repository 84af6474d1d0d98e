"""Names of traits: variants, abbreviations, negations, misspellings, and what a series is about."""

import pytest

from genoplatform.expression.curation.terms import misspelt, trait_terms


@pytest.mark.parametrize(
    ("trait", "text"),
    [
        ("Crohns_Disease", "Crohn's disease"),
        ("Crohns_Disease", "CROHN_DISEASE"),
        ("Acute_Myeloid_Leukemia", "acute myeloid leukaemia"),
        ("Eczema", "Atopic dermatitis (AD) patient"),
        ("Liver_Cancer", "HCC"),
        ("Liver_Cancer", "hepatocellular carcinomas"),
        ("Type_2_Diabetes", "T2DM"),
        ("Sjögrens_Syndrome", "primary Sjogren's syndrome"),
        ("Endometrioid_Cancer", "Endometroid"),
        ("Hepatitis", "Non-alcoholic steatohepatitis"),
        ("Chronic_obstructive_pulmonary_disease_(COPD)", "copd, GOLD 2"),
        ("A_Trait_We_Do_Not_List_(ATWD)", "ATWD stage 2"),
    ],
)
def test_variants_name_the_trait(trait, text):
    assert trait_terms(trait).said(text) == "named"


@pytest.mark.parametrize(
    ("trait", "text"),
    [
        ("Post-Traumatic_Stress_Disorder", "No PTSD"),
        ("Asthma", "non-asthmatic"),
        ("Substance_Use_Disorder", "Without SUD"),
        ("Endometriosis", "endometriosis free"),
        ("COVID-19", "SARS-CoV-2 negative"),
        ("Type_1_Diabetes", "sibling of type 1 diabetes patient"),
    ],
)
def test_negations_deny_it(trait, text):
    assert trait_terms(trait).said(text) == "denied"


def test_abbreviations_keep_their_case_unless_long_or_alone():
    terms = trait_terms("Multiple_sclerosis")
    assert terms.said("MS lesion") == "named"
    assert terms.said("ms") == "named"
    assert terms.said("120 ms delay") == "silent"


def test_a_typing_error_is_forgiven_in_long_words_only():
    assert misspelt("hepatocallular", "hepatocellular")
    assert misspelt("schizohprenia", "schizophrenia")
    assert not misspelt("hypotension", "hypertension")
    assert not misspelt("gout", "goat")


def test_a_series_is_about_a_trait_by_its_title_or_by_repetition():
    terms = trait_terms("Asthma")
    title = '!Series_title\t"Airway genes in asthma"'
    once = '!Series_title\t"Nasal genes"\n!Series_summary\t"As known from asthma"'
    assert terms.relevance(title) == "subject"
    assert terms.relevance(once) == "mentioned"
    assert terms.relevance(once + '\n!Series_summary\t"asthma again"') == "subject"
    assert terms.relevance('!Series_title\t"Bone density"') == "absent"
