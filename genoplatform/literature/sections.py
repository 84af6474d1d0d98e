"""The type of a section by its heading (rare_disease.md section 1.3): first match wins, whole words, any case."""

from __future__ import annotations

import functools
import re

_RULES = (
    ("abstract", r"abstract"),
    ("introduction", r"introduction|background"),
    ("methods", r"materials and methods|methods?|procedures?"),
    ("results", r"results?"),
    ("discussion", r"discussion|conclusions?"),
    ("case_report", r"case report|case presentation"),
    ("references", r"references?|bibliography"),
    ("acknowledgements", r"acknowledge?ments?"),
)
OTHER = "other"
SECTION_TYPES = (*(name for name, _ in _RULES), OTHER)
_PATTERNS = [(name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for name, words in _RULES]


@functools.lru_cache(maxsize=4096)
def section_type(heading: str) -> str:
    """One of `SECTION_TYPES`; `other` for an empty heading and for any without a known word."""
    return next((name for name, pattern in _PATTERNS if pattern.search(heading)), OTHER)
