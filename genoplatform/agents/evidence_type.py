"""What kind of evidence a text is, by its section and by cue words.

Belongs here: the cues and their order. Does not belong here: what each kind weighs (synthesizer).
Source: rare-disease specification, section 7; the review cues are not given there and are ours. Cues are looked up as
plain text, with their borders checked: a regular expression of all of them is fifty times slower on a chunk.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from genoplatform.agents.gene_names import in_word, occurrences
from genoplatform.agents.state import EvidenceType

PAPER_CASE_SECTIONS = frozenset({"case"})
"""The published rule looks for this label, which no production chunk has: theirs is `case_report`."""
CASE_SECTIONS = frozenset({"case", "case_report"})

# Whole words, and words by their beginning.
_FUNCTIONAL = (
    *("knockout", "knockouts", "knock-out", "knock-outs", "knock out", "in vitro", "in-vitro", "in vivo", "in-vivo"),
    *("cell line", "cell lines", "loss of function", "loss-of-function", "gain of function", "gain-of-function"),
)
_FUNCTIONAL_STEMS = (
    *("luciferase", "transfect", "overexpress", "protein expression"),
    *("functional analys", "functional stud", "functional assay"),
)
_ASSOCIATION = ("case-control", "case control", "cohort", "cohorts", "gwas", "odds ratio", "odds ratios")
_ASSOCIATION_STEMS = ("meta-analys", "metaanalys", "allele frequenc")
_REVIEW = ("review", "reviews", "reviewed", "overview", "recent advances", "state of the art")
_CASE = (
    *("patient", "patients", "proband", "probands", "family", "families", "case report", "case reports"),
    *("case series", "case presentation", "case presentations", "index case"),
    *("clinical presentation", "clinical history"),
)
# What a text must hold before its statistic is looked for.
_STATISTICS = (
    ("=", re.compile(r"\bor\s?=\s?\d")),
    ("<", re.compile(r"\bp\s?<\s?0?\.")),
    ("95", re.compile(r"\b95\s?% ?(?:ci\b|confidence)")),
)


def evidence_type(
    section_type: str, lowered: str, case_sections: Collection[str] = PAPER_CASE_SECTIONS
) -> EvidenceType:
    """The first kind whose cue fits: case section, functional, association, review in an introduction, case, unknown.

    Args:
        section_type: label of the chunk's section.
        lowered: its text in lower case.
        case_sections: section labels that make a case report whatever the text says.
    """
    if section_type in case_sections:
        return "case_report"
    if _has_word(lowered, _FUNCTIONAL) or _has_stem(lowered, _FUNCTIONAL_STEMS):
        return "functional"
    if _has_word(lowered, _ASSOCIATION) or _has_stem(lowered, _ASSOCIATION_STEMS) or _has_statistic(lowered):
        return "association"
    if section_type == "introduction" and _has_word(lowered, _REVIEW):
        return "review"
    return "case_report" if _has_word(lowered, _CASE) else "unknown"


def _has_word(lowered: str, words: Sequence[str]) -> bool:
    return any(next(occurrences(word, lowered), None) is not None for word in words if word in lowered)


def _has_stem(lowered: str, stems: Sequence[str]) -> bool:
    return any(_begins_a_word(stem, lowered) for stem in stems if stem in lowered)


def _begins_a_word(stem: str, lowered: str) -> bool:
    start = lowered.find(stem)
    while start >= 0:
        if not in_word(lowered[start - 1 : start] if start else ""):
            return True
        start = lowered.find(stem, start + 1)
    return False


def _has_statistic(lowered: str) -> bool:
    return any(sign in lowered and pattern.search(lowered) is not None for sign, pattern in _STATISTICS)
