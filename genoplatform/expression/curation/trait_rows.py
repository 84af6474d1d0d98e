"""Which characteristics row is the trait: readings of every row, and their order.

The order of evidence: the trait named by the key (yes or no) or by some of the values; a measure of the trait; controls
against cases; and, where the series is about the trait but has none of these, a proxy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from genoplatform.expression.curation.candidate import Candidate, Score
from genoplatform.expression.curation.demographics import age_key_rank, gender_key
from genoplatform.expression.curation.facts import CohortFacts
from genoplatform.expression.curation.key_kinds import is_about
from genoplatform.expression.curation.rows import Group, groups, same_key
from genoplatform.expression.curation.terms import Relevance, TraitTerms
from genoplatform.expression.curation.text import fold
from genoplatform.expression.curation.trait_direct import direct
from genoplatform.expression.curation.trait_indirect import indirect

# What is taken off evidence that does not name the trait, where the series is not about it.
_TAKEN_OFF: dict[Relevance, int] = {"subject": 0, "mentioned": 20, "absent": 60}


def candidates(facts: CohortFacts, terms: TraitTerms) -> list[Candidate]:
    """All acceptable readings, best first; rows that are constant under a reading are none.

    Of rows that share a key (shifted cells), and of keys that share a row, the best stays: of equal ones that with most
    known cells. Equal scores go to the row with fewer distinct values, then to the earlier row.
    """
    relevance = terms.relevance(facts.background)
    found: list[Candidate] = []
    for row in facts.characteristics:
        for group in groups(row):
            if len(set(group.known)) > 1 or (group.key == "" and len(group.values) > 1):
                found += _readings(group, terms, relevance)
    found.sort(key=lambda c: (-c.score, -c.group.weight, c.group.row))
    best = [c for i, c in enumerate(found) if not any(_one_place(c.group, other.group) for other in found[:i])]
    return sorted(best, key=lambda c: (-c.score, 0 if c.continuous else len(set(c.group.known)), c.group.row))


def _one_place(one: Group, other: Group) -> bool:
    return one.row == other.row or same_key(one.key, other.key)


def _readings(group: Group, terms: TraitTerms, relevance: Relevance) -> Iterator[Candidate]:
    key = fold(group.key)
    other = age_key_rank(group.key) is not None or gender_key(group.key) or is_about(key, "technical")
    if other and not terms.measures_it(group.key):
        return
    named = direct(group, terms, key)
    yield from named
    for candidate in () if named else indirect(group, terms, key):
        worth = candidate.score - _TAKEN_OFF[relevance]
        if worth >= Score.ACCEPTED:
            elsewhere = "" if relevance == "subject" else ", in a series that is not about the trait"
            yield replace(candidate, score=worth, why=candidate.why + elsewhere)
