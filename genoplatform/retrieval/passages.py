"""What of a hit to show a person: the part of its text that holds most of the query, its terms marked, and a link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from genoplatform.retrieval.bm25 import Bm25
from genoplatform.retrieval.settled import symbol_pattern

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Passage:
    """A part of a text; `spans` are (start, end) of the query's terms in `text`."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def marked(self, before: str, after: str) -> str:
        """The text with every span between two marks."""
        parts, position = [], 0
        for start, end in self.spans:
            parts += [self.text[position:start], before, self.text[start:end], after]
            position = end
        return "".join([*parts, self.text[position:]])


def passage(text: str, query: str, bm25: Bm25, *, gene: str | None = None, width: int = 300) -> Passage:
    """The window of a text with most distinct terms of the query.

    Args:
        text: of the chunk.
        query: its words are looked for by their stems.
        bm25: knows stems and stopwords.
        gene: symbol to mark as well.
        width: characters, about; cut at words.
    """
    text = " ".join(text.split())
    spans = _term_spans(text, set(bm25.stems(query)), bm25)
    if gene:
        spans |= {match.span(): f"gene {gene}" for match in symbol_pattern(gene).finditer(text)}
    start, end = _window(text, spans, width)
    inside = sorted(span for span in spans if start <= span[0] and span[1] <= end)
    lead, tail = ("… " if start else ""), (" …" if end < len(text) else "")
    shift = len(lead) - start
    return Passage(lead + text[start:end] + tail, tuple((a + shift, b + shift) for a, b in _apart(inside)))


def _term_spans(text: str, wanted: set[str], bm25: Bm25) -> dict[tuple[int, int], str]:
    found = {}
    for match in _WORD.finditer(text):
        stems = bm25.stems(match.group())
        if stems and stems[0] in wanted:
            found[match.span()] = stems[0]
    return found


def _window(text: str, spans: dict[tuple[int, int], str], width: int) -> tuple[int, int]:
    if len(text) <= width:
        return 0, len(text)
    best, start = (0, 0), 0
    for first, _ in sorted(spans):
        inside = [term for (a, b), term in spans.items() if first <= a and b <= first + width]
        if (len(set(inside)), len(inside)) > best:
            best, start = (len(set(inside)), len(inside)), first
    start = max(0, min(start - width // 5, len(text) - width))
    start = text.rfind(" ", 0, start) + 1 if start else 0
    cut = text.rfind(" ", start, start + width + 1)
    return start, len(text) if start + width >= len(text) else max(cut, start + 1)


def _apart(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans without those that begin inside an earlier one."""
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def article_link(pmcid: str) -> str:
    """Where a person reads the article; "" for an id of neither kind."""
    if pmcid.upper().startswith("PMC"):
        return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    scheme, _, doi = pmcid.partition(":")
    return f"https://doi.org/{doi}" if scheme.lower() == "doi" and doi else ""
