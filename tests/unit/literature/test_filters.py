"""Section types and the relevance filter, rule by rule (rare_disease.md section 1.3)."""

import pytest

from genoplatform.literature.relevance import VOCABULARY, is_relevant
from genoplatform.literature.sections import SECTION_TYPES, section_type


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Abstract", "abstract"),
        ("BACKGROUND", "introduction"),
        ("1. Introduction", "introduction"),
        ("Materials and Methods", "methods"),
        ("Materials", "other"),
        ("Statistical method", "methods"),
        ("Procedures", "methods"),
        ("Methodology", "other"),
        ("Results", "results"),
        ("Results and Discussion", "results"),
        ("Methods and Results", "methods"),
        ("Conclusions", "discussion"),
        ("Conclusion", "discussion"),
        ("Case Report", "case_report"),
        ("Case presentation", "case_report"),
        ("Case reports", "other"),
        ("References", "references"),
        ("Bibliography", "references"),
        ("Acknowledgments", "acknowledgements"),
        ("Acknowledgement", "acknowledgements"),
        ("Funding", "other"),
        ("", "other"),
        ("Discussion of the introduction", "introduction"),
    ],
)
def test_the_first_rule_that_matches_wins(heading, expected):
    assert section_type(heading) == expected
    assert expected in SECTION_TYPES


def test_the_vocabulary_has_as_many_entries_as_published():
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 77
    assert all(term == term.lower() for term in VOCABULARY)


@pytest.mark.parametrize("term", VOCABULARY)
def test_every_term_alone_is_enough(term):
    assert is_relevant(f"On {term.upper()}", "", [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Genes of yeast", True),
        ("The loci", True),
        ("Protein folding", True),
        ("Proteins folding", False),  # whole words: only the singular is listed
        ("An amino acid", True),
        ("Cas9 at work", True),
        ("TALE and TALES", True),
        ("Taller", False),
        ("OMIM:600123", True),
        ("omim600123", True),
        ("OMIM alone", False),
        ("chr7", True),
        ("Chr7q31.2", True),
        ("chrX", False),
        ("1.5 kb", True),
        ("200bp", True),
        ("Mb of data", False),
        ("Knee surgery in horses", False),
        ("General anaesthesia", False),
        ("", False),
    ],
)
def test_words_and_patterns(text, expected):
    assert is_relevant(text, "", []) is expected
    assert is_relevant("", text, []) is expected
    assert is_relevant("", "", [text]) is expected
