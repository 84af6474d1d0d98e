"""Whether a text denies what it names: "no variant in ABC1", "XYZ2 was excluded", "without seizures".

Belongs here: cue words and their reach within a sentence. Does not belong here: what a denied mention is worth.
A rule system in the manner of NegEx (Chapman et al. 2001), with cues for genes beside those for findings. The published
critic has none, so only cells that say so use it.
"""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[;\n]")
# What ends the reach of a cue inside a sentence.
_BREAK = re.compile(r"\b(?:but|however|although|whereas|while|except|instead|rather)\b")
_BEFORE = re.compile(
    r"\b(?:no|not|without|neither|nor|never|absence of|absent|lack(?:s|ed|ing)? of|lack(?:s|ed|ing)?|den(?:y|ies|ied)"
    r"|negative for|exclud(?:e|es|ed|ing)|rul(?:e|es|ed|ing) out|free of|refut(?:e|es|ed|ing)|fail(?:s|ed)? to)\b"
)
_AFTER = re.compile(
    r"\b(?:(?:was|were|is|are|be|been|being) (?:\w+ )?(?:excluded|ruled out|refuted|absent|negative|normal|benign)"
    r"|(?:was|were|is|are|did|do|does|could|can|has|have)(?:n't| not)\b|(?:cannot|no longer)\b|unlikely to)"
)
# "not only ABC1", "no longer doubt": a negative that affirms.
_AFFIRMING = re.compile(r"\b(?:not only|no doubt|not just|not surprising(?:ly)?)\b")
_REACH = 60
"""Characters a cue before a name reaches; one after it must start as near."""


def denied(lowered: str, start: int, end: int) -> bool:
    """Whether the name at [start, end) of lower-cased text stands in the reach of a negative cue of its sentence."""
    left, right = _sentence(lowered, start, end)
    before, after = lowered[max(left, start - _REACH) : start], lowered[end : min(right, end + _REACH)]
    return _cue_before(before) or _cue_after(after)


def _cue_before(text: str) -> bool:
    text = _after_last_break(_AFFIRMING.sub(" ", text))
    return _BEFORE.search(text) is not None


def _cue_after(text: str) -> bool:
    if found := _BREAK.search(text):
        text = text[: found.start()]
    return _AFTER.search(_AFFIRMING.sub(" ", text)) is not None


def _after_last_break(text: str) -> str:
    ends = [found.end() for found in _BREAK.finditer(text)]
    return text[ends[-1] :] if ends else text


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Bounds of the sentence around a span, no further than the cues reach."""
    left = max(0, start - _REACH)
    for found in _SENTENCE_END.finditer(text, left, start):
        left = found.end()
    following = _SENTENCE_END.search(text, end)
    return left, following.start() if following else len(text)
