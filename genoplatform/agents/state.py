"""What the agents hand to each other: the case as they may see it, grades, candidates, and the graph's state.

Belongs here: the types. Does not belong here: how any of them is made. No agent is told which gene is causal: a `Case`
does not hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from genoplatform.agents.llm import ChatAnswer, ChatRequest
from genoplatform.retrieval.hits import Hit

EvidenceType = Literal["case_report", "functional", "association", "review", "unknown"]
EVIDENCE_TYPES: tuple[EvidenceType, ...] = ("case_report", "functional", "association", "review", "unknown")

Retrieved = Mapping[str, Sequence[Hit]]
"""Gene -> its chunks, best first."""


@dataclass(frozen=True)
class Case:
    """One patient and the genes to rank; the order of the genes is the last word on ties."""

    case_id: str
    hpo_terms: tuple[str, ...]
    candidate_genes: tuple[str, ...]


@dataclass(frozen=True)
class Grade:
    """The critic's judgement of one chunk for one gene.

    Attributes:
        chunk_id: the chunk.
        gene_mention_valid: the gene, or an alias of it, stands in the text.
        relevance: 1 (neither gene nor phenotype) to 5 (the gene and two phenotype labels close to each other).
        evidence_type: what kind of evidence the text is.
        rationale: why, in words.
    """

    chunk_id: str
    gene_mention_valid: bool
    relevance: int
    evidence_type: EvidenceType
    rationale: str = ""


Grades = Mapping[str, Sequence[Grade]]
"""Gene -> grades, in the order of its chunks."""


@dataclass(frozen=True)
class Candidate:
    """One gene of a finished ranking; `final_rank` counts from 1, confidence lies in 0 to 1."""

    symbol: str
    aggregate_confidence: float
    supporting_chunks: tuple[str, ...]
    final_rank: int


@dataclass(frozen=True)
class PassRecord:
    """What one retrieval pass added over the passes before it.

    Attributes:
        number: 0 for the first retrieval.
        strategy: how the queries were written.
        queries: queries sent.
        new_chunks: (gene, chunk) pairs not retrieved before.
        new_mentions: those of them whose text names the gene.
        grades_raised: genes whose best relevance rose.
        confidences_changed: genes whose confidence changed.
        order_changed: genes at another rank than after the pass before.
    """

    number: int
    strategy: str
    queries: int
    new_chunks: int
    new_mentions: int = 0
    grades_raised: int = 0
    confidences_changed: int = 0
    order_changed: int = 0


@dataclass(frozen=True)
class LlmLog:
    """One call of a model about a case: what it was asked, what it said, and why its answer was not used, if so."""

    purpose: str
    system_prompt: str
    user_prompt: str
    response_raw: str = ""
    response_parsed: Any = None
    tokens_in: int = 0
    tokens_out: int = 0
    finish_reason: str = ""
    fallback_reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, request: ChatRequest, answer: ChatAnswer, reason: str, details: Mapping[str, Any]) -> LlmLog:
        """The log of an answered request, without its latency: the client's own log has that, no result needs it."""
        return cls(
            request.purpose,
            request.system,
            request.user,
            answer.text,
            answer.parsed,
            answer.tokens_in,
            answer.tokens_out,
            answer.finish_reason,
            reason,
            details,
        )


class AgentState(TypedDict, total=False):
    """The state the graph's nodes read and write."""

    case: Case
    expanded_hpo: list[str]
    labels: list[str]
    queries: dict[str, str]
    searched: dict[str, list[Hit]]
    retrieved: dict[str, list[Hit]]
    grades: dict[str, list[Grade]]
    ranked: list[Candidate]
    iteration: int
    passes: list[PassRecord]
    logs: list[LlmLog]
