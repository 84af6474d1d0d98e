"""The deterministic synthesizer: from graded chunks to a confidence per gene, and from those to the ranking.

Belongs here: contribution, confidence, order. Does not belong here: the model's re-ranking of the head (lea).
Source: rare-disease specification, section 7.
"""

from __future__ import annotations

from collections.abc import Sequence

from genoplatform.agents.state import Candidate, EvidenceType, Grade, Grades

EVIDENCE_WEIGHTS: dict[EvidenceType, float] = {
    "case_report": 1.0,
    "functional": 1.0,
    "association": 0.8,
    "review": 0.6,
    "unknown": 0.5,
}
UNNAMED = 0.3
"""Factor of a chunk that does not name the gene."""
SUPPORTING = 3
"""Chunks whose contributions are added up."""
FULL_MARKS = 15.0
"""Three chunks of relevance 5 at full weight; the divisor stays this with fewer chunks."""


def contribution(grade: Grade) -> float:
    """Relevance x weight of the evidence type x 1, or `UNNAMED` without a mention."""
    return grade.relevance * EVIDENCE_WEIGHTS[grade.evidence_type] * (1.0 if grade.gene_mention_valid else UNNAMED)


def by_contribution(grades: Sequence[Grade]) -> list[Grade]:
    """Grades by falling contribution; equal ones as retrieved."""
    return sorted(grades, key=lambda grade: -contribution(grade))


def confidence(grades: Sequence[Grade]) -> float:
    """Sum of the largest `SUPPORTING` contributions over `FULL_MARKS`, inside 0 to 1."""
    total = sum(contribution(grade) for grade in by_contribution(grades)[:SUPPORTING])
    return min(1.0, max(0.0, total / FULL_MARKS))


def synthesize(genes: Sequence[str], grades: Grades) -> list[Candidate]:
    """Rank genes by confidence; equal ones in the order given."""
    scored = [(gene, confidence(grades.get(gene, ()))) for gene in genes]
    scored.sort(key=lambda item: -item[1])
    return [
        Candidate(
            gene, value, tuple(grade.chunk_id for grade in by_contribution(grades.get(gene, ()))[:SUPPORTING]), at
        )
        for at, (gene, value) in enumerate(scored, 1)
    ]


def ranking(ordered: Sequence[tuple[str, float]], supporting: dict[str, tuple[str, ...]]) -> list[Candidate]:
    """Candidates of (gene, confidence) pairs that are in their final order already."""
    return [Candidate(gene, value, supporting.get(gene, ()), at) for at, (gene, value) in enumerate(ordered, 1)]
