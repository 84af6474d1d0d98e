"""The names of one trait, and whether a text names it, denies it or is merely about it.

Decides nothing about rows; general words (control, case) are in `text.words`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from genoplatform.expression.curation.text import fold, holds, short_tokens, words
from genoplatform.expression.curation.vocabulary import CANCERS, TRAITS

Said = Literal["named", "denied", "silent"]
Relevance = Literal["subject", "mentioned", "absent"]
_REPEATED = 2
_FUZZY_FROM = 9  # letters; shorter words are often one letter from other words
_WINDOW = 3  # words before a name in which a negation denies it
_LONG = 4  # abbreviations from this length on also match in lower case


@dataclass(frozen=True)
class TraitTerms:
    """Names of a trait, folded where they are phrases.

    Attributes:
        trait: name as the benchmark spells it.
        names: phrases that name it, longest first.
        short: abbreviations, matched as one token, case kept.
        broader: phrases that say a series is about the trait's field.
        measure: names of characteristics whose number is the trait.
        case_from, case_below: number from which (below which) a measured sample is a case; both None = continuous.
        is_cancer: whether general tumour words mean the trait in a series about it.
    """

    trait: str
    names: tuple[str, ...]
    short: frozenset[str]
    broader: tuple[str, ...]
    measure: tuple[str, ...]
    case_from: float | None
    case_below: float | None
    is_cancer: bool
    _lower_short: frozenset[str] = field(default=frozenset(), repr=False)
    _shortest: tuple[str, ...] = field(default=(), repr=False)

    def said(self, text: str) -> Said:
        """Whether the text names the trait, names it only under a negation, or does not name it."""
        folded = fold(text)
        found = [self._denied(folded, name) for name in self.names if holds(folded, name)]
        if not found:
            found = [
                self._denied(folded, token) for token in folded.split() if any(misspelt(token, n) for n in self.names)
            ]
        found += [self._short_denied(text, position) for position in self._short_positions(text)]
        if not found:
            return "silent"
        return "denied" if all(found) else "named"

    def names_it(self, text: str) -> bool:
        """Whether the text names the trait outside a negation."""
        return self.said(text) == "named"

    def relevance(self, background: str) -> Relevance:
        """Whether the trait or its field is a series' subject (in the title, or named twice), a mention, or absent.

        Without any background nothing speaks against the trait: then it counts as the subject.
        """
        if not background.strip():
            return "subject"
        title = " ".join(re.findall(r"^!Series_title\s*(.*)$", background, re.MULTILINE))
        if self._mentions(title):
            return "subject"
        mentions = self._mentions(background)
        return "absent" if not mentions else "mentioned" if mentions < _REPEATED else "subject"

    def _mentions(self, text: str) -> int:
        """How often names, abbreviations or words of the field stand in the text."""
        padded = f" {fold(text)} "
        phrases = sum(padded.count(f" {phrase} ") for phrase in self._shortest)
        return phrases + sum(token in self.short for token in short_tokens(text))

    def measures_it(self, key: str) -> bool:
        """Whether the key of a characteristic is a measure of the trait."""
        folded = fold(re.sub(r"\(.*?\)|\[.*?\]", " ", key)) or fold(key)
        return any(holds(folded, name) or holds(fold(key), name) for name in self.measure)

    def is_measure(self, key: str) -> bool:
        """Whether the key, its unit in brackets left out, is exactly a measure of the trait."""
        return fold(re.sub(r"\(.*?\)|\[.*?\]", " ", key)) in self.measure

    def in_field(self, text: str) -> bool:
        """Whether the text holds a word of the trait's field (names included)."""
        folded = fold(text)
        return self.names_it(text) or any(holds(folded, phrase) for phrase in self.broader)

    def _denied(self, folded: str, name: str) -> bool:
        """Every occurrence of the name has a negation within a few words before it, or "free" right after it."""
        padded, needle = f" {folded} ", f" {name} "
        start = padded.find(needle)
        while start >= 0:
            before = padded[:start].split()[-_WINDOW:]
            after = padded[start + len(needle) - 1 :].split()[:1]
            if not (set(before) & _negations() or after in (["free"], ["negative"])):
                return False
            start = padded.find(needle, start + 1)
        return True

    def _short_positions(self, text: str) -> list[int]:
        tokens = short_tokens(text)
        alone = len(tokens) == 1
        return [
            i
            for i, token in enumerate(tokens)
            if token in self.short or ((alone or len(token) >= _LONG) and token.lower() in self._lower_short)
        ]

    def _short_denied(self, text: str, position: int) -> bool:
        tokens = [token.lower() for token in short_tokens(text)]
        before, after = tokens[max(0, position - _WINDOW) : position], tokens[position + 1 : position + 2]
        return bool(set(before) & _negations()) or after in (["free"], ["negative"])


@lru_cache(maxsize=1)
def _negations() -> frozenset[str]:
    return frozenset(words("negation"))


@lru_cache(maxsize=100_000)
def misspelt(token: str, name: str) -> bool:
    """Whether a long token is one typing error away from a one-word name ("endometroid" for "endometrioid")."""
    if (
        min(len(token), len(name)) < _FUZZY_FROM
        or " " in name
        or token[0] != name[0]
        or abs(len(token) - len(name)) > 1
    ):
        return False
    start = next((i for i, (a, b) in enumerate(zip(token, name, strict=False)) if a != b), min(len(token), len(name)))
    rest, other = token[start:], name[start:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return swapped or rest[1:] == other[1:] or rest == other[1:] or rest[1:] == other


def _derived(trait: str) -> tuple[list[str], list[str]]:
    """Names and abbreviations that the trait name itself gives: the words, what is in brackets, and its initials."""
    spoken = re.sub(r"[_]+", " ", trait)
    inside = re.findall(r"\(([^)]*)\)", spoken)
    outside = re.sub(r"\([^)]*\)", " ", spoken).strip()
    names: list[str] = [outside]
    short: list[str] = []
    for part in inside:
        (short if re.fullmatch(r"[A-Z0-9-]{2,6}", part) else names).append(part)
    initials = "".join(word[0].upper() for word in re.split(r"[\s-]+", outside) if word)
    if len(initials) >= 3:  # two letters are any two words
        short.append(initials)
    return names, short


def _not_holding_another(phrases: set[str]) -> tuple[str, ...]:
    """Phrases that hold no other of them, so that one mention counts once ("asthma" for "severe asthma")."""
    return tuple(sorted(p for p in phrases if not any(q != p and holds(p, q) for q in phrases)))


@lru_cache(maxsize=512)
def trait_terms(trait: str) -> TraitTerms:
    """Terms of a trait: our vocabulary and what its name gives; a trait that we do not list has only the latter."""
    listed = TRAITS.get(trait, {})
    names, short = _derived(trait)
    phrases = {fold(name) for name in (*names, *listed.get("names", ()))} - {""}
    broader = {fold(name) for name in listed.get("broader", ())} - {""}
    abbreviations = frozenset((*listed.get("short", ()), *short))
    known_cancer = trait in CANCERS or bool(re.search(r"cancer|carcinoma|tumou?r|sarcoma|lymphoma|leuk", trait.lower()))
    return TraitTerms(
        trait=trait,
        names=tuple(sorted(phrases, key=lambda p: (-len(p), p))),
        short=abbreviations,
        broader=tuple(sorted(broader)),
        measure=tuple(sorted({fold(name) for name in listed.get("measure", ())} - {""})),
        case_from=listed.get("case_from"),
        case_below=listed.get("case_below"),
        is_cancer=known_cancer,
        _lower_short=frozenset(token.lower() for token in abbreviations),
        _shortest=_not_holding_another(phrases | broader),
    )
