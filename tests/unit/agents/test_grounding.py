"""Citations and quotes against what was shown; abstention."""

import pytest
from small_world import grade, hit

from genoplatform.agents.grounding import (
    CITED_NOT_SHOWN,
    NO_DIRECT_EVIDENCE,
    QUOTE_NOT_FOUND,
    UNSUPPORTED,
    Shown,
    deterministic_claims,
    ground,
    grounding_counts,
)
from genoplatform.agents.lea_answer import Verdict
from genoplatform.agents.synthesizer import synthesize

SHOWN = {
    "AAA1": [
        Shown("a1", "PMC1", "results", "A variant in AAA1  caused seizures in the proband.", True, 5),
        Shown("a2", "PMC2", "results", "AAA1 is expressed in liver.", True, 3),
    ],
    "BBB2": [],
}


def claim(verdict, *, enforce=True):
    return ground([verdict], SHOWN, {"AAA1": 0.3, "BBB2": 0.0}, enforce=enforce)[0]


def test_a_citation_that_holds_keeps_the_confidence_and_names_its_chunk():
    found = claim(Verdict("AAA1", 0.9, "seizures", (1,), "variant in aaa1 caused seizures"))
    assert (found.verdict.confidence, found.chunk_ids, found.abstained, found.faults) == (0.9, ("a1",), False, ())


@pytest.mark.parametrize(
    ("verdict", "faults"),
    [
        (Verdict("AAA1", 0.9, "seizures", (1, 7)), (CITED_NOT_SHOWN,)),
        (Verdict("AAA1", 0.9, "as PMC999 and PMC1 say", (1,)), (CITED_NOT_SHOWN,)),
        (Verdict("AAA1", 0.9, "x", (1,), "caused gait ataxia"), (QUOTE_NOT_FOUND,)),
        (Verdict("AAA1", 0.9, 'it "caused gait ataxia" there', (1,)), (QUOTE_NOT_FOUND,)),
        (Verdict("AAA1", 0.9, 'it "caused seizures in" one', (1,)), ()),
        (Verdict("AAA1", 0.9, "x", ()), (UNSUPPORTED,)),
        (Verdict("AAA1", 0.9, "x", (0, -1), "lost"), (CITED_NOT_SHOWN, CITED_NOT_SHOWN, UNSUPPORTED, QUOTE_NOT_FOUND)),
    ],
)
def test_faults_are_named_and_an_unsupported_claim_falls_back(verdict, faults):
    found = claim(verdict)
    assert found.faults == faults
    assert found.verdict.confidence == (0.3 if faults else 0.9)


def test_citing_a_chunk_without_the_phenotype_is_no_direct_evidence():
    found = claim(Verdict("AAA1", 0.9, "liver", (2,)))
    assert (found.abstained, found.chunk_ids, found.verdict.confidence) == (True, (), 0.3)
    assert found.record()["rationale"] == NO_DIRECT_EVIDENCE
    assert found.record()["said"] == "liver"


def test_saying_so_is_an_abstention_without_fault():
    found = claim(Verdict("BBB2", 0.2, "No direct evidence."))
    assert (found.abstained, found.faults, found.verdict.confidence) == (True, (), 0.0)


def test_a_published_prompt_asks_for_no_citation_so_confidences_stay():
    found = claim(Verdict("AAA1", 0.9, "as PMC999 says"), enforce=False)
    assert (found.faults, found.verdict.confidence, found.chunk_ids) == ((CITED_NOT_SHOWN,), 0.9, ("a1",))


def test_deterministic_claims_cite_or_abstain():
    grades = {"AAA1": [grade("a", 5), grade("b", 3)], "BBB2": [grade("c", 2, mention=False)]}
    first, second = deterministic_claims(synthesize(["AAA1", "BBB2"], grades), grades)
    assert (first.chunk_ids, first.abstained) == (("a",), False)
    assert (second.chunk_ids, second.abstained, second.verdict.rationale) == ((), True, NO_DIRECT_EVIDENCE)


def test_counts():
    records = [
        claim(Verdict("AAA1", 0.9, "x", (1, 7))).record(),
        claim(Verdict("BBB2", 0, NO_DIRECT_EVIDENCE)).record(),
    ]
    assert grounding_counts(records) == {
        "claims": 2,
        "abstentions": 1,
        "claims_with_faults": 1,
        CITED_NOT_SHOWN: 1,
        QUOTE_NOT_FOUND: 0,
        UNSUPPORTED: 0,
    }


def test_a_shown_chunk_is_cut():
    assert Shown.of(hit("abcdef"), grade("c1", 3), 4).text == "abcd"
