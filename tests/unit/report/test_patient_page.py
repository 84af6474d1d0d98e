"""One patient's page: what a reader must find on it, and what may never break it."""

import math

import pytest

from genoplatform.report.patient_page import patient_page, shown_score
from genoplatform.runner.patient_evidence import NOTHING, Citation, GeneEvidence

REPORT = {
    "profile": "embedded",
    "systems": ["resnik", "likelihood"],
    "terms": ["HP:0001250"],
    "labels": ["Seizure"],
    "excluded": ["HP:0001263"],
}
ROWS = [
    {"rank": 1, "gene": "ABC1", "score_resnik": 2.5, "rank_resnik": 1, "score_likelihood": -math.inf,
     "rank_likelihood": 2, "diseases": "OMIM:1"},
    {"rank": 2, "gene": "XYZ2", "score_resnik": 1.0, "rank_resnik": 2, "score_likelihood": None,
     "rank_likelihood": None, "diseases": ""},
]  # fmt: skip
CITED = Citation(
    "c1", "doi:10.1/x", "Results", "A <b>title</b>", "https://doi.org/10.1/x", 5, "case_report", "ABC1 & seizures"
)


def page(**changes):
    return patient_page(**({"report": REPORT, "rows": ROWS, "changes": ["HP:9 left out: unknown"]} | changes))


def test_findings_genes_and_notes_are_on_it():
    text = page()
    for wanted in (
        "Seizure",
        "HP:0001263",
        "ABC1",
        "OMIM:1",
        "2.500",
        "impossible",
        "HP:9 left out",
        "not a diagnosis",
    ):
        assert wanted in text
    assert "literature</th>" not in text, "nothing was searched"


def test_a_cited_passage_has_its_place_and_a_gene_without_one_says_so():
    evidence = [GeneEvidence("ABC1", 0.5, (CITED,)), GeneEvidence("XYZ2", 0.0, ())]
    text = page(evidence=evidence)
    assert 'href="https://doi.org/10.1/x"' in text
    assert "relevance 5 of 5" in text
    assert NOTHING in text
    assert evidence[0].verdict == "doi:10.1/x (Results)"


def test_text_of_articles_cannot_become_markup():
    text = page(evidence=[GeneEvidence("ABC1", 0.5, (CITED,))])
    assert "A &lt;b&gt;title&lt;/b&gt;" in text
    assert "ABC1 &amp; seizures" in text


def test_why_nothing_was_searched_is_told():
    assert "opening the collection: it is not in the store" in page(
        missing="opening the collection: it is not in the store"
    )


@pytest.mark.parametrize(
    ("value", "shown"), [(1.23456, "1.235"), (-math.inf, "impossible"), (math.nan, "–"), (None, "–")]
)
def test_scores_in_words(value, shown):
    assert shown_score(value) == shown
