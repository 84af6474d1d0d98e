"""The planner that asks a model for search phrases; without usable ones the published queries are used.

Belongs here: asking and reading. Does not belong here: the words (prompts).
Source: rare-disease specification, section 7; no published cell uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from genoplatform.agents.llm import ChatRequest, Llm
from genoplatform.agents.planner import PHRASE_LABELS, plan_queries
from genoplatform.agents.prompts import NO_LABELS, PLANNER_SYSTEM, phrases_schema
from genoplatform.agents.state import Case, LlmLog
from genoplatform.agents.strict_json import answered

PURPOSE = "planner"
LONGEST_PHRASE = 80


@dataclass(frozen=True)
class LlmPlanner:
    """Words the phenotype part of the queries with a model.

    Attributes:
        llm: the model.
        labels: phenotype labels shown.
        max_tokens: of its answer.
    """

    llm: Llm
    labels: int = 12
    max_tokens: int = 512

    def __call__(self, case: Case, labels: Sequence[str]) -> tuple[dict[str, str], list[LlmLog]]:
        """Queries of every candidate, and the log of the call."""
        shown = ", ".join(labels[: self.labels]) or NO_LABELS
        request = ChatRequest(
            PLANNER_SYSTEM, f"Phenotype labels: {shown}", self.max_tokens, phrases_schema(PHRASE_LABELS), PURPOSE
        )
        answer = self.llm.complete([request])[0]
        value, reason = answered(answer)
        phrases = _phrases(value, case.candidate_genes)
        if not reason and not phrases:
            reason = "json_response_invalid"
        log = LlmLog.of(request, answer, reason, {"phrases": phrases})
        return plan_queries(case.candidate_genes, phrases or labels), [log]


def _phrases(value: Any, genes: Sequence[str]) -> list[str]:
    """Distinct non-empty phrases; one that names a candidate would favour it in every gene's query and is left out."""
    named = {gene.lower() for gene in genes}
    items = [item.strip() for item in value if isinstance(item, str)] if isinstance(value, list) else []
    kept = [item for item in items if item and len(item) <= LONGEST_PHRASE and named.isdisjoint(item.lower().split())]
    return list(dict.fromkeys(kept))[:PHRASE_LABELS]
