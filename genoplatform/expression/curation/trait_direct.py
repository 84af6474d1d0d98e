"""Readings in which the trait itself is named or measured: by the key, or by some of the values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from genoplatform.expression.curation.candidate import Candidate, Score, is_flag, is_long, is_numeric, make, mostly
from genoplatform.expression.curation.key_kinds import is_about, status_bonus
from genoplatform.expression.curation.rows import Group
from genoplatform.expression.curation.terms import TraitTerms
from genoplatform.expression.curation.trait_rules import is_absence, is_control

_CONTROLS_TOO = 3
_EXACTLY = 2
_BY_KEY = (
    ("yes-no", Score.KEY_YES_NO),
    ("resistance", Score.KEY_RESISTANCE),
    ("contrast", Score.KEY_CONTRAST),
    ("named", Score.KEY_NAMED),
    ("ordered", Score.KEY_ORDERED),
    ("typed", Score.KEY_TYPED),
)


def direct(group: Group, terms: TraitTerms, key: str) -> list[Candidate]:
    """Readings of a group whose folded key is given; a measure of the trait excludes all others."""
    if terms.measures_it(group.key) and is_numeric(group):
        measured = _measured(group, terms)
        if measured:
            return measured
    return [*_by_key(group, terms, key), *_by_values(group, terms, key)]


def _measured(group: Group, terms: TraitTerms) -> list[Candidate]:
    limited = terms.case_from is not None or terms.case_below is not None
    score = (Score.MEASURE_WITH_LIMIT if limited else Score.MEASURE) + _EXACTLY * terms.is_measure(group.key)
    return make(group, terms, "threshold", score, f"{group.key!r} measures the trait")


def _by_key(group: Group, terms: TraitTerms, key: str) -> list[Candidate]:
    named = terms.names_it(group.key) or terms.measures_it(group.key)
    if named and re.search(r"\bduration\b", key):
        return make(group, terms, "duration", Score.DURATION, f"{group.key!r} is how long the trait has lasted")
    if re.search("sensitivity|resistance", terms.trait.lower()) and mostly(group, terms, "resistance"):
        return make(group, terms, "resistance", Score.SENSITIVITY, f"{group.key!r} tells resistant from sensitive")
    if not named:
        return []
    if not is_numeric(group):
        return next(_worded(group, terms), [])
    if is_flag(group):
        return make(group, terms, "yes-no", Score.KEY_FLAG, f"{group.key!r} names the trait, 1 and 0 are yes and no")
    return make(group, terms, "number", Score.KEY_NUMBER, f"{group.key!r} names the trait and is a number")


def _worded(group: Group, terms: TraitTerms) -> Iterator[list[Candidate]]:
    """Readings of a key that names the trait, best first."""
    for rule, score in _BY_KEY:
        if rule == "yes-no" and not mostly(group, terms, rule):
            continue
        if rule == "contrast" and not any(is_control(v) or is_absence(v) for v in group.known):
            continue
        found = make(group, terms, rule, score, f"{group.key!r} names the trait")
        if found:
            yield found


def _by_values(group: Group, terms: TraitTerms, key: str) -> list[Candidate]:
    naming = [v for v in group.known if terms.names_it(v)]
    if not naming or (is_long(group) and not is_about(key, "disease")):
        return []
    score = Score.VALUES_NAMED + status_bonus(key)
    if any(is_control(v) or is_absence(v) for v in group.known):
        score += _CONTROLS_TOO
    if score < Score.ACCEPTED:
        return []
    return make(group, terms, "named", score, f"values of {group.key!r} name the trait ({naming[0]!r})")
