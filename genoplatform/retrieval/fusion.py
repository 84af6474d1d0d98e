"""Reciprocal-rank fusion of two ranked lists, with the constant as a parameter and ties in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence


def reciprocal_ranks(lists: Sequence[Sequence[str]], constant: int = 2) -> list[tuple[str, float]]:
    """Fuse ranked lists of ids.

    Args:
        lists: ids best first, each at most once a list.
        constant: an id scores the sum over lists of 1 / (constant + zero-based rank). The paper's engine, Qdrant
            v1.14.1, has 2 built in (rare_disease.md section 2.5).

    Returns:
        (id, score), best first; equal scores by id.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked):
            scores[item] = scores.get(item, 0.0) + 1.0 / (constant + rank)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
