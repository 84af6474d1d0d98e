"""Cell O: the model alone ranks the candidates from the phenotype, without any literature.

Belongs here: its prompt, parse and confidences. Does not belong here: the words (prompts).
Source: rare-disease specification, section 8 (final version: free generation; a grammar distorts at temperature 0).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from genoplatform.agents.lexicon import Lexicon
from genoplatform.agents.llm import ChatAnswer, ChatRequest, Llm
from genoplatform.agents.prompts import LLM_ONLY_SYSTEM, NO_LABELS, gene_list_schema
from genoplatform.agents.state import AgentState, Candidate, Case, LlmLog
from genoplatform.agents.strict_json import parse_json
from genoplatform.agents.synthesizer import ranking

PURPOSE = "llm_only"
NO_GENE = "no_gene_recovered"
_TOKEN = re.compile(r"[A-Za-z0-9-]+")


@dataclass(frozen=True)
class LlmOnlyLimits:
    """labels shown, tokens of the answer, and whether the server is asked to keep to a schema (as published: not)."""

    labels: int = 12
    max_tokens: int = 4096
    structured: bool = False


@dataclass(frozen=True)
class LlmOnly:
    """Ranks by asking the model."""

    llm: Llm
    lexicon: Lexicon
    limits: LlmOnlyLimits = field(default_factory=LlmOnlyLimits)

    def rank(self, cases: Sequence[Case]) -> list[AgentState]:
        """Final states of cases, all asked in one call of the model's client."""
        labels = [self.lexicon.labels(self.lexicon.resolve(case.hpo_terms))[: self.limits.labels] for case in cases]
        requests = [self._request(case, names) for case, names in zip(cases, labels, strict=True)]
        answers = self.llm.complete(requests)
        return [_final(*each) for each in zip(cases, labels, requests, answers, strict=True)]

    def _request(self, case: Case, labels: Sequence[str]) -> ChatRequest:
        user = (
            f"Patient phenotype: {', '.join(labels) or NO_LABELS}\n\nCandidate genes: {', '.join(case.candidate_genes)}"
        )
        schema = gene_list_schema(case.candidate_genes) if self.limits.structured else None
        return ChatRequest(LLM_ONLY_SYSTEM, user, self.limits.max_tokens, schema, PURPOSE)


def read_order(text: str, candidates: Sequence[str]) -> list[str]:
    """Candidates an answer names, in its order: a JSON list's strings, else any token that is a candidate."""
    try:
        value = parse_json(text)
    except ValueError:
        value = None
    named = [item for item in value if isinstance(item, str) and item in candidates] if isinstance(value, list) else []
    if not named:
        named = [token for token in _TOKEN.findall(text) if token in candidates]
    return list(dict.fromkeys(named))


def llm_only_ranking(named: Sequence[str], candidates: Sequence[str]) -> list[Candidate]:
    """Named genes first, confidence (n - i) / n rounded to 4 for place i from 0; the rest as listed, confidence 0."""
    n = len(candidates)
    ordered = [(gene, round((n - at) / n, 4)) for at, gene in enumerate(named)]
    return ranking([*ordered, *((gene, 0.0) for gene in candidates if gene not in named)], {})


def _final(case: Case, labels: Sequence[str], request: ChatRequest, answer: ChatAnswer) -> AgentState:
    named = [] if answer.error else read_order(answer.text, case.candidate_genes)
    reason = f"llm_call_failed:{answer.error}" if answer.error else "" if named else NO_GENE
    log = LlmLog.of(request, answer, reason, {"hpo_labels": list(labels), "genes_named": len(named)})
    return {
        "case": case,
        "labels": list(labels),
        "ranked": llm_only_ranking(named, case.candidate_genes),
        "logs": [log],
    }
