"""Text of sample annotation: cells into key and value, folding of spelling variants, missing words, numbers.

Knows nothing of traits or of decisions.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from genoplatform.expression.curation.vocabulary import WORDS

_SPELLING = (("ae", "e"), ("oe", "e"), ("our", "or"), ("yse", "yze"), ("centre", "center"), ("fibre", "fiber"))
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?")
_TOKEN = re.compile(r"[a-z0-9]+|\+")
_SHORT_TOKEN = re.compile(r"[A-Za-z0-9]+")
_PLURAL = 4  # shorter words keep their final s ("als", "ms")


def split_cell(cell: str) -> tuple[str, str]:
    """Key and value of a characteristics cell: text before and after the first colon, stripped; key "" without one."""
    key, colon, value = cell.partition(":")
    return (key.strip(), value.strip()) if colon else ("", cell.strip())


def _singular(token: str) -> str:
    if len(token) <= _PLURAL or not token.endswith("s") or token.endswith(("ss", "us", "is")):
        return token
    return token[:-3] + "y" if token.endswith("ies") else token[:-1]


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """Text as space-separated tokens: lower case, accents and possessives off, American spelling, singular.

    "Tumours, Crohn's_disease" gives "tumor crohn disease". Signs other than letters, digits and "+" separate.
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).lower()
    plain = re.sub(r"['\u2019`\u00b4]s\b|['\u2019`\u00b4]", "", plain)
    for british, american in _SPELLING:
        plain = plain.replace(british, american)
    return " ".join(_singular(token) for token in _TOKEN.findall(plain))


def holds(folded: str, phrase: str) -> bool:
    """Whether the folded text holds the folded phrase as whole words."""
    return f" {phrase} " in f" {folded} "


def first_held(folded: str, phrases: tuple[str, ...]) -> str | None:
    """The first of the folded phrases that the folded text holds as whole words, or None."""
    padded = f" {folded} "
    return next((phrase for phrase in phrases if f" {phrase} " in padded), None)


def short_tokens(text: str) -> list[str]:
    """Letter-digit runs of the raw text, case kept: where abbreviations are looked for."""
    return _SHORT_TOKEN.findall(text)


@cache
def words(kind: str) -> tuple[str, ...]:
    """The folded general words of one kind (`vocabulary/words.yml`), longest first."""
    return tuple(sorted({fold(word) for word in WORDS[kind]} - {""}, key=lambda w: (-len(w), w)))


_UNKNOWN = re.compile(r"^(?:(?:other|or|status|is|value|age|sex|gender)\W+)*(?:unknown|not available|not known)\W*$")
_MISSING = frozenset(word.lower() for word in WORDS["missing"])


@lru_cache(maxsize=200_000)
def is_missing(value: str) -> bool:
    """Whether the value (without its key) says that nothing is known."""
    lowered = value.strip().lower()
    if _UNKNOWN.match(lowered):
        return True
    return lowered in _MISSING or lowered.strip(" .-_()#*") in _MISSING or fold(value) in _MISSING - {""}


def numbers(value: str) -> list[float]:
    """Numbers in the text, decimal commas read as points; digits inside words ("p53") do not count."""
    return [float(match.replace(",", ".")) for match in _NUMBER.findall(value)]


def as_number(value: str) -> float | None:
    """The number that the text is, units after it allowed ("36.2", "99 bpm", "1.72 m"); None for other text."""
    match = re.match(r"^\s*[<>=~≤≥]*\s*([-+]?\d+(?:[.,]\d+)?(?:[eE][-+]?\d+)?)\s*([a-zA-Z%/^0-9().µμ ]{0,14})$", value)
    return float(match.group(1).replace(",", ".")) if match else None
