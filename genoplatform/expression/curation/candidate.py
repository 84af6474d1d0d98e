"""One way to read a group of cells as the trait, and what a group looks like. Which ways there are: `trait_*`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from genoplatform.expression.curation.rows import Group
from genoplatform.expression.curation.terms import TraitTerms
from genoplatform.expression.curation.text import as_number
from genoplatform.expression.curation.trait_rules import apply

_MOST = 0.5
_MANY_VALUES, _LONG_TEXT, _ALMOST_ALL = 8, 60, 0.8
_COMPLEMENTED = frozenset({"ordered", "response", "resistance"})


class Score(IntEnum):
    """Strength of evidence. The order is what matters; a score under PROXY stands for the trait without being it."""

    KEY_YES_NO = 100
    KEY_RESISTANCE = 98
    KEY_CONTRAST = 97
    KEY_NAMED = 94
    MEASURE = 92
    VALUES_NAMED = 90
    KEY_FLAG = 90
    SENSITIVITY = 88
    KEY_ORDERED = 86
    KEY_TYPED = 85
    MEASURE_WITH_LIMIT = 84
    TUMOR_AND_CONTROL = 82
    DURATION = 80
    CASES_AND_CONTROLS = 75
    YES_NO = 74
    TUMOR_AND_TISSUE = 68
    KEY_NUMBER = 62
    TISSUES = 62
    PROXY = 60
    GENOTYPES = 48
    RESPONSE = 46
    STAGE = 45
    OUTCOME = 44
    OUTCOME_RESPONSE = 43
    STATE = 41
    GENE_STATES = 40
    SEVERITY = 38
    GENOTYPE_ORDERED = 36
    GENOTYPE_CONTRAST = 35
    GROUPING = 33
    TREATMENT = 31
    ACCEPTED = 30
    TREATED_CONTROLS = 26
    PERSONS = 20


@dataclass(frozen=True)
class Candidate:
    """One way to read a group of cells as the trait.

    Attributes:
        group: the cells.
        score: strength of the evidence (`Score` and what the key adds); no probability.
        rule: name of the coding rule.
        continuous: whether the codes are measurements.
        codes: whole cell -> code, cells under other keys None.
        why: the evidence in words.
    """

    group: Group
    score: float
    rule: str
    continuous: bool
    codes: dict[str, float | None]
    why: str

    @property
    def is_proxy(self) -> bool:
        """Whether the row stands for the trait without being it."""
        return self.score < Score.PROXY

    @property
    def coverage(self) -> float:
        """Share of the known values that have a code."""
        cells = _known_cells(self.group)
        return sum(self.codes[cell] is not None for cell in cells) / len(cells) if cells else 0.0


def make(group: Group, terms: TraitTerms, rule: str, score: float, why: str) -> list[Candidate]:
    """The candidate as a list, empty where the rule gives fewer than two different codes (constant or all unknown)."""
    codes = {cell: apply(rule, terms, group.key, value) for cell, value in zip(group.cells, group.values, strict=True)}
    if rule in _COMPLEMENTED:
        _complement(group, codes)
    if len({code for code in codes.values() if code is not None}) < 2:
        return []
    codes |= dict.fromkeys(group.others)
    continuous = rule == "number" or (rule == "threshold" and terms.case_from is None and terms.case_below is None)
    return [Candidate(group, score, rule, continuous, codes, why)]


def _complement(group: Group, codes: dict[str, float | None]) -> None:
    """Of two known values of which the rule reads one, the other is its opposite ("dead" tells what "survivial" is)."""
    known = _known_cells(group)
    coded = [cell for cell in known if codes[cell] is not None]
    if len(known) == 2 and len(coded) == 1:
        other = next(cell for cell in known if cell not in coded)
        codes[other] = 1.0 - (codes[coded[0]] or 0.0)


def _known_cells(group: Group) -> list[str]:
    return [cell for cell, value in zip(group.cells, group.values, strict=True) if value in group.known]


def mostly(group: Group, terms: TraitTerms, rule: str) -> bool:
    """Whether the rule codes more than half of the known values."""
    coded = [apply(rule, terms, group.key, value) is not None for value in group.known]
    return bool(coded) and sum(coded) / len(coded) > _MOST


def is_numeric(group: Group) -> bool:
    """Whether most known values are numbers."""
    return sum(as_number(v) is not None for v in group.known) > _MOST * len(group.known)


def is_flag(group: Group) -> bool:
    """Whether the values are 0 and 1."""
    return {v.strip() for v in group.known} <= {"0", "1", "0.0", "1.0"}


def is_long(group: Group) -> bool:
    """Many long texts: notes rather than groups."""
    long = sum(len(v) > _LONG_TEXT for v in group.known)
    return len(group.known) >= _MANY_VALUES and long > len(group.known) / 2


def is_prose(group: Group) -> bool:
    """Many long texts, or many texts that end in numbers: notes and measurements rather than groups."""
    digits = sum(bool(re.search(r"\d[.\d]*$", v)) for v in group.known)
    return is_long(group) or (len(group.known) >= _MANY_VALUES and digits > _ALMOST_ALL * len(group.known))
