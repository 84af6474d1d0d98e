"""Trait, age and gender from the sample's own text (title, source name, description), where no characteristic does.

Texts are read clause by clause ("Age = 70; Gender = Female; Right Kidney") and as running text ("a 62-year-old man").
A field is used only where it tells both classes (or several ages) and most samples say something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from genoplatform.expression.curation.demographics import age_code, age_key_rank, gender_code, gender_key
from genoplatform.expression.curation.facts import CohortFacts
from genoplatform.expression.curation.terms import TraitTerms
from genoplatform.expression.curation.text import first_held, fold, words
from genoplatform.expression.curation.trait_rules import contrast, is_control, is_tumor

Source = Literal["source_name", "title", "description"]
_FIELDS: tuple[tuple[Source, str], ...] = (
    ("source_name", "source_names"),
    ("title", "titles"),
    ("description", "descriptions"),
)
_MOST = 0.6  # share of samples that must say something
_CLAUSE = re.compile(r"[;|\n]+")
_PAIR = re.compile(r"^\s*([A-Za-z][\w .()/-]{0,60}?)\s*[=:]\s*(.+?)\s*$")
_AGE_IN_TEXT = (
    re.compile(r"\b(\d{1,3}(?:\.\d+)?)[\s-]*(?:years?|yrs?|yr)[\s-]*(?:old|of age)\b", re.IGNORECASE),
    re.compile(r"\b(\d{1,3}(?:\.\d+)?)\s*(?:yo|y/o|y\.o\.)(?![a-z])", re.IGNORECASE),
    re.compile(
        r"\b(?:aged?|age of)\s*:?\s*(\d{1,3}(?:\.\d+)?)\b(?!\s*(?:weeks?|wks?|days?|months?|mo\b))", re.IGNORECASE
    ),
    re.compile(r"\b(\d{1,3})\s*(?:years?|yrs?|yr|y)\b", re.IGNORECASE),
    re.compile(r"\b(?:[MF]|male|female)[\s,/_-]{1,2}(\d{2})\b", re.IGNORECASE),
    re.compile(r"\b(\d{2})[\s,/_-]{0,2}(?:[MF]\b|male\b|female\b)"),
)
_MONTHS_IN_TEXT = re.compile(r"\b(\d{1,3}(?:\.\d+)?)[\s-]*(months?|weeks?|days?)[\s-]*(?:old|of age)\b", re.IGNORECASE)
_GENDER_IN_TEXT = re.compile(r"(?<![A-Za-z])(females?|males?|wom[ae]n|m[ae]n|girls?|boys?)(?![A-Za-z])", re.IGNORECASE)
_GENDER_LETTER = re.compile(
    r"(?:\b\d{1,3}\s?y?(?:[/,_]\s?|-))([MF])\b|\b([MF])(?:[/,_]\s?|-)\d{1,3}(?:y|yr|yrs)?\b|\b\d{2}([MF])\b|\(([MF])\)"
)


@dataclass(frozen=True)
class TextChoice:
    """A field of the samples read for one variable: text -> code, and why."""

    source: Source
    codes: dict[str, float | None]
    rule: str
    why: str


def trait_from_text(facts: CohortFacts, terms: TraitTerms) -> TextChoice | None:
    """The first field in which samples with and without the trait are told apart by words."""
    about = terms.relevance(facts.background) == "subject"
    return _first_field(
        facts, lambda text: _trait_code(terms, text, about=about), "text-trait", "say whether the sample has the trait"
    )


def age_from_text(facts: CohortFacts) -> TextChoice | None:
    """The first field in which most samples state an age."""
    return _first_field(facts, text_age, "text-age", "state the age", differing=2)


def gender_from_text(facts: CohortFacts) -> TextChoice | None:
    """The first field in which most samples state a gender and not all the same."""
    return _first_field(facts, text_gender, "text-gender", "state the gender")


def text_age(text: str) -> float | None:
    """Age in years that a sample text states: "Age = 70", "a 62-year-old man", "aged 45", "58 yo", "M/45", "62F"."""
    for key, value in pairs(text):
        rank = age_key_rank(key)
        if rank is not None and (age := age_code(key, value)) is not None:
            return age
    small = _MONTHS_IN_TEXT.search(text)
    if small:
        return age_code("age", f"{small.group(1)} {small.group(2)}")
    for pattern in _AGE_IN_TEXT:
        match = pattern.search(text)
        if match and 0 < float(match.group(1)) <= 120:
            return float(match.group(1))
    return None


def text_gender(text: str) -> float | None:
    """0 or 1 from a sample text: a gender pair, else words (female, man), else a letter beside an age ("M/45")."""
    for key, value in pairs(text):
        if gender_key(key) and (code := gender_code(key, value)) is not None:
            return code
    found = {word.lower()[0] in "fwg" for word in _GENDER_IN_TEXT.findall(text)}
    if not found:
        letters = ["".join(groups) for groups in _GENDER_LETTER.findall(text)]
        found = {letter == "F" for letter in letters}
    return (0.0 if found.pop() else 1.0) if len(found) == 1 else None


def pairs(text: str) -> list[tuple[str, str]]:
    """Key and value of the clauses that are "key = value" or "key: value"."""
    found = (_PAIR.match(clause) for clause in _CLAUSE.split(text))
    return [(match.group(1).strip(), match.group(2)) for match in found if match]


def _trait_code(terms: TraitTerms, text: str, *, about: bool) -> float | None:
    """1 where the text names the trait (or a tumour, in a series about one), 0 where it says control, else None.

    Keyword clauses are left out: every sample of a series carries the same.
    """
    plain = " ; ".join(c for c in _CLAUSE.split(text) if not re.match(r"\s*keywords?\b", c, re.IGNORECASE))
    said = terms.said(plain)
    if said == "named":
        return contrast(terms, "", plain)
    if said == "denied" or _speaks_of_control(plain):
        return 0.0
    if about and terms.is_cancer and is_tumor(plain):
        return 1.0
    return 1.0 if about and first_held(fold(plain), ("patient", "case", "affected", "diseased")) else None


def _speaks_of_control(text: str) -> bool:
    """A control word that is one in running text too (single letters and "reference" are not)."""
    if not is_control(text):
        return False
    held = first_held(fold(text), words("control"))
    return held not in {
        "reference",
        "nl",
        "nc",
        "hc",
        "neg",
        "wt",
        "donor",
        "low risk",
        "benign",
        "surrounding",
        "cont",
        "asymptomatic",
    }


def _first_field(
    facts: CohortFacts, code: Callable[[str], float | None], rule: str, says: str, differing: int = 2
) -> TextChoice | None:
    for source, attribute in _FIELDS:
        texts: Iterable[str] = getattr(facts, attribute)
        coded = [(text, code(text)) for text in texts]
        known = [value for _, value in coded if value is not None]
        if len(set(known)) >= differing and len(known) >= _MOST * len(coded):
            return TextChoice(
                source,
                dict(coded),
                rule,
                f"the {source.replace('_', ' ')}s {says} ({len(known)} of {len(coded)} samples)",
            )
    return None
