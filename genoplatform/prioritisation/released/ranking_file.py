"""One released ranking: a JSON list of candidates with confidence and final rank, checked and put in rank order.

Here: what one file must hold. Not here: where it lies (layout.py), tables of many (rankings.py).
Source: rare-disease specification, sections 8 and 13.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

LIST_SIZE = 50
"""Candidates of a released list: the causal gene and 49 distractors."""

_FIELDS = ("symbol", "is_causal", "aggregate_confidence", "final_rank")


class RankingRejectedError(ValueError):
    """A file that is no valid ranking; `reason` is a short counted key."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail
        super().__init__(f"{reason}: {detail}")


@dataclass(frozen=True)
class Ranking:
    """A checked ranking, in rank order.

    Attributes:
        genes: symbols, best first.
        confidence: the system's confidence in each; need not fall along the list.
        causal: 0-based position of the causal gene.
    """

    genes: list[str]
    confidence: list[float]
    causal: int


def parse_ranking(content: bytes, size: int = LIST_SIZE) -> Ranking:
    """Read and check one file; further fields (supporting_chunks and a fusion's own ranks) are left behind.

    Raises:
        RankingRejectedError: not-json, not-a-list, entry-fields, list-size, repeated-symbol, causal-count,
            rank-permutation, confidence-not-numeric.
    """
    entries = _entries(content)
    if len(entries) != size:
        raise RankingRejectedError("list-size", f"{len(entries)} candidates, not {size}")
    entries.sort(key=lambda entry: entry["final_rank"])
    ranks = [entry["final_rank"] for entry in entries]
    if ranks != list(range(1, size + 1)):
        raise RankingRejectedError("rank-permutation", f"the final ranks are not 1 to {size}: {_odd_rank(ranks)}")
    genes = [entry["symbol"] for entry in entries]
    if twice := sorted({gene for gene in genes if genes.count(gene) > 1}):
        raise RankingRejectedError("repeated-symbol", ", ".join(twice))
    causal = [i for i, entry in enumerate(entries) if entry["is_causal"]]
    if len(causal) != 1:
        raise RankingRejectedError("causal-count", f"{len(causal)} causal entries, not 1")
    return Ranking(genes, [_confidence(entry) for entry in entries], causal[0])


def _entries(content: bytes) -> list[dict[str, Any]]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RankingRejectedError("not-json", str(error)) from error
    if not isinstance(document, list):
        raise RankingRejectedError("not-a-list", f"the document is a {type(document).__name__}")
    for number, entry in enumerate(document):
        _check_fields(number, entry)
    return document


def _check_fields(number: int, entry: Any) -> None:
    if not isinstance(entry, dict) or any(name not in entry for name in _FIELDS):
        missing = [name for name in _FIELDS if not isinstance(entry, dict) or name not in entry]
        raise RankingRejectedError("entry-fields", f"entry {number} lacks {', '.join(missing)}")
    symbol, causal, rank = entry["symbol"], entry["is_causal"], entry["final_rank"]
    if not isinstance(symbol, str) or not symbol:
        raise RankingRejectedError("entry-fields", f"entry {number}: symbol {symbol!r}")
    if not isinstance(causal, bool):
        raise RankingRejectedError("entry-fields", f"entry {number}: is_causal {causal!r}")
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise RankingRejectedError("rank-permutation", f"entry {number}: final_rank {rank!r}")


def _confidence(entry: dict[str, Any]) -> float:
    value = entry["aggregate_confidence"]
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise RankingRejectedError("confidence-not-numeric", f"{entry['symbol']}: {value!r}")
    return float(value)


def _odd_rank(ranks: list[int]) -> str:
    """The first rank that is out of place, in words."""
    place, rank = next((i, rank) for i, rank in enumerate(ranks, 1) if rank != i)
    return f"{rank} where {place} should be"
