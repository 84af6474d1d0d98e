"""What a characteristics key is about (disease, group, tissue, treatment, ...), by the words of `vocabulary/keys.yml`.

Says nothing of values and decides nothing.
"""

from __future__ import annotations

from functools import cache

from genoplatform.expression.curation.text import first_held, fold
from genoplatform.expression.curation.vocabulary import KEYS

_BONUS = (("treatment", -45), ("person", -35), ("line", -35), ("disease", 5), ("group", 3), ("tissue", -3))


@cache
def key_words(kind: str) -> tuple[str, ...]:
    """The folded words of one kind."""
    return tuple(sorted({fold(word) for word in KEYS[kind]}))


def is_about(key: str, kind: str) -> bool:
    """Whether the folded key holds a word of the kind; kinds `bare_*` ask for the whole key."""
    if kind == "line":
        return is_about(key, "cell_line") or is_about(key, "bare_person")
    if kind.startswith("bare_"):
        return key in key_words(kind)
    return first_held(key, key_words(kind)) is not None


def status_bonus(key: str) -> int:
    """How much the folded key speaks for (or against) a disease status; the first kind that fits counts."""
    return next((bonus for kind, bonus in _BONUS if is_about(key, kind)), 0)
