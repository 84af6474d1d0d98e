"""Lists that do not depend on the engine's order among equal scores: asked deep enough, sorted by score, then chunk id.

An engine cuts a list anywhere in a run of equal scores. Here a list is asked for with some room, and again with more
while the run goes on at its end, or while a gene filter has left too few.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from genoplatform.retrieval.index import TEXT, IndexQuery, Scored, VectorIndex

_ROOM = 8
DEEPEST = 8_192
"""A list is not followed further: beyond, equal scores stay in the engine's order."""


@dataclass
class _Asked:
    query: IndexQuery
    depth: int
    found: list[Scored] | None = None


def settled(index: VectorIndex, queries: Sequence[IndexQuery]) -> list[list[Scored]]:
    """The first `limit` points of each query, sorted by score, then chunk id.

    Args:
        index: an open index.
        queries: a gene filter is checked again on the text: engines match its words, not the symbol as written.
    """
    asked = [_Asked(query, query.limit + _ROOM) for query in queries]
    while open_ones := [item for item in asked if item.found is None]:
        lists = index.query([replace(item.query, limit=item.depth) for item in open_ones])
        texts = _texts(index, open_ones, lists)
        for item, answer in zip(open_ones, lists, strict=True):
            _settle(item, answer, texts)
    return [item.found or [] for item in asked]


def _settle(item: _Asked, answer: list[Scored], texts: dict[str, str]) -> None:
    limit, gene = item.query.limit, item.query.only.gene
    kept = answer
    if gene is not None:
        word = symbol_pattern(gene)
        kept = [point for point in answer if word.search(texts.get(point.chunk_id, ""))]
    enough = len(kept) > limit and kept[-1].score < kept[limit - 1].score
    if enough or len(answer) < item.depth or item.depth >= DEEPEST:
        item.found = sorted(kept, key=lambda point: (-point.score, point.chunk_id))[:limit]
    item.depth = min(2 * item.depth, DEEPEST)


def _texts(index: VectorIndex, asked: list[_Asked], lists: list[list[Scored]]) -> dict[str, str]:
    wanted = [
        point.chunk_id
        for item, answer in zip(asked, lists, strict=True)
        if item.query.only.gene is not None
        for point in answer
    ]
    found = index.payloads(list(dict.fromkeys(wanted))) if wanted else {}
    return {chunk_id: str(payload.get(TEXT, "")) for chunk_id, payload in found.items()}


def symbol_pattern(symbol: str) -> re.Pattern[str]:
    """Matches a gene symbol as a word, in any case.

    Text of a window is the tokenizer's (lower case, blanks around punctuation), so `HLA-A` also stands as `hla - a`.
    """
    parts = re.findall(r"[^\W_]+|[\W_]", symbol.strip())
    written = r"\s*".join(re.escape(part) for part in parts if not part.isspace())
    return re.compile(rf"(?<![^\W_]){written}(?![^\W_])", re.IGNORECASE)
