"""The critic that asks a model: chunks graded in batches, each grade checked and replaced where it does not hold.

Belongs here: batches, parsing, overrides. Does not belong here: the rule it falls back to (critic), the words
(prompts). Source: rare-disease specification, section 7; no published cell uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from genoplatform.agents.critic import Critic
from genoplatform.agents.llm import ChatAnswer, ChatRequest, Llm
from genoplatform.agents.prompts import CRITIC_SYSTEM, NO_LABELS, critic_schema
from genoplatform.agents.quoting import as_data, shortened
from genoplatform.agents.state import EVIDENCE_TYPES, Grade, LlmLog, Retrieved
from genoplatform.agents.strict_json import answered, number
from genoplatform.retrieval.hits import Hit

PURPOSE = "critic"
RATIONALE_KEPT = 200


@dataclass(frozen=True)
class LlmCriticLimits:
    """Chunks a batch, characters of each, labels shown; the answer may have base + `chunk_tokens` x chunks tokens."""

    batch: int = 10
    characters: int = 2400
    labels: int = 12
    base_tokens: int = 1500
    chunk_tokens: int = 250


@dataclass(frozen=True)
class _Batch:
    gene: str
    hits: Sequence[Hit]
    rules: Sequence[Grade]


@dataclass(frozen=True)
class LlmCritic:
    """Grades with a model over a deterministic critic.

    Attributes:
        llm: the model.
        rules: grades what the model does not, and tests every mention it claims.
        limits: see `LlmCriticLimits`.
    """

    llm: Llm
    rules: Critic
    limits: LlmCriticLimits = field(default_factory=LlmCriticLimits)

    def __call__(self, retrieved: Retrieved, labels: Sequence[str]) -> tuple[dict[str, list[Grade]], list[LlmLog]]:
        """Grades of every chunk, and a log of every batch that fell back, wholly or for some chunks."""
        fallback = self.rules.grade(retrieved, labels)
        batches = [batch for gene, hits in retrieved.items() for batch in self._batches(gene, hits, fallback[gene])]
        requests = [self._request(batch, labels) for batch in batches]
        grades: dict[str, list[Grade]] = {gene: [] for gene in retrieved}
        logs = []
        for batch, request, answer in zip(batches, requests, self.llm.complete(requests), strict=True):
            graded, log = self._graded(batch, request, answer)
            grades[batch.gene] += graded
            logs.append(log)
        return grades, logs

    def _batches(self, gene: str, hits: Sequence[Hit], rules: Sequence[Grade]) -> list[_Batch]:
        size = self.limits.batch
        return [_Batch(gene, hits[at : at + size], rules[at : at + size]) for at in range(0, len(hits), size)]

    def _request(self, batch: _Batch, labels: Sequence[str]) -> ChatRequest:
        limits = self.limits
        head = f"Gene: {batch.gene}\nPatient phenotype: {', '.join(labels[: limits.labels]) or NO_LABELS}"
        texts = [
            f"[{at}] section {hit.section_type}\n{as_data(shortened(hit.text, limits.characters))}"
            for at, hit in enumerate(batch.hits, 1)
        ]
        numbers = [str(at) for at in range(1, len(batch.hits) + 1)]
        tokens = limits.base_tokens + limits.chunk_tokens * len(batch.hits)
        schema = critic_schema(numbers, EVIDENCE_TYPES)
        return ChatRequest(CRITIC_SYSTEM, "\n\n".join([head, *texts]), tokens, schema, PURPOSE)

    def _graded(self, batch: _Batch, request: ChatRequest, answer: ChatAnswer) -> tuple[list[Grade], LlmLog]:
        value, reason = answered(answer)
        if not reason and not isinstance(value, dict):
            reason = "json_response_invalid"
        given = value if isinstance(value, dict) else {}
        grades, fallen, overridden = [], 0, 0
        for at, (hit, rule) in enumerate(zip(batch.hits, batch.rules, strict=True), 1):
            grade = read_grade(given.get(str(at)), rule)
            fallen += grade is rule
            literal = not grade.gene_mention_valid or self.rules.mention_valid(batch.gene, hit.text)
            overridden += not literal
            grades.append(grade if literal else replace(grade, gene_mention_valid=False))
        details = {"gene": batch.gene, "chunks": len(grades), "fallbacks": fallen, "mentions_overridden": overridden}
        log = LlmLog.of(request, answer, reason, details)
        return grades, log


def read_grade(given: Any, rule: Grade) -> Grade:
    """One chunk's grade as the model gave it; the rule's where any field of it does not hold."""
    if not isinstance(given, dict):
        return rule
    mention, relevance, kind = (given.get(name) for name in ("gene_mention_valid", "relevance", "evidence_type"))
    score = number(relevance)
    known = [each for each in EVIDENCE_TYPES if each == kind]
    if not isinstance(mention, bool) or score is None or score != int(score) or not 1 <= score <= 5 or not known:
        return rule
    return Grade(rule.chunk_id, mention, int(score), known[0], str(given.get("rationale") or "")[:RATIONALE_KEPT])
