"""Evidence aggregation by a model (LEA): the head of the preliminary ranking is compared across genes and re-ranked.

Belongs here: evidence, the prompt, calls and their log, for one case or many at once. Does not belong here: the words
(prompts), reading answers (lea_answer), grounding. Source: rare-disease specification, section 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from genoplatform.agents.grounding import Shown, ground
from genoplatform.agents.lea_answer import merge, read_answer
from genoplatform.agents.llm import ChatAnswer, ChatRequest, Llm
from genoplatform.agents.prompts import LEA_CLOSING, LEA_GROUNDED_SYSTEM, LEA_SYSTEM, NO_LABELS, lea_schema
from genoplatform.agents.quoting import as_data, gives_orders
from genoplatform.agents.state import AgentState, LlmLog
from genoplatform.agents.synthesizer import by_contribution

PURPOSE = "lea"


@dataclass(frozen=True)
class LeaLimits:
    """How much a model is shown and may say; the defaults are the published ones.

    Attributes:
        head: genes of the preliminary ranking it compares.
        chunks_per_gene: chunks shown for each, by contribution.
        chunk_characters: characters of each.
        labels: phenotype labels shown.
        max_tokens: of its answer.
        rationale_characters: of each rationale in a structured answer.
        structured: the server is asked to keep to the answer's schema.
        grounded: it must cite what it was shown; a claim whose citation does not hold falls back to the preliminary
            confidence, and excerpts that address a model are withheld.
    """

    head: int = 15
    chunks_per_gene: int = 3
    chunk_characters: int = 1600
    labels: int = 12
    max_tokens: int = 1500
    rationale_characters: int = 180
    structured: bool = True
    grounded: bool = False


@dataclass(frozen=True)
class Prompt:
    """A prompt and what it shows."""

    head: list[str]
    labels: list[str]
    shown: dict[str, list[Shown]]
    withheld: int
    user: str


@dataclass(frozen=True)
class LeaSynthesizer:
    """Re-ranks preliminary rankings with a model.

    Attributes:
        llm: the model.
        limits: see `LeaLimits`.
    """

    llm: Llm
    limits: LeaLimits = field(default_factory=LeaLimits)

    def aggregate(self, states: Sequence[AgentState]) -> list[AgentState]:
        """Final states of cases that have a preliminary ranking; all are asked in one call of the model's client."""
        prompts = [self.prompt(state) for state in states]
        answers = self.llm.complete([self._request(prompt) for prompt in prompts])
        return [self._final(*each) for each in zip(states, prompts, answers, strict=True)]

    def aggregate_one(self, state: AgentState) -> AgentState:
        """The same for one case, as a node of the graph."""
        final = self.aggregate([state])[0]
        return {"ranked": final["ranked"], "logs": final["logs"]}

    def prompt(self, state: AgentState) -> Prompt:
        """The user prompt of a case and the evidence in it."""
        limits = self.limits
        head = [candidate.symbol for candidate in state["ranked"][: limits.head]]
        labels = state["labels"][: limits.labels]
        shown, withheld = {}, 0
        for gene in head:
            evidence = self._evidence(state, gene)
            kept = [each for each in evidence if not (limits.grounded and gives_orders(each.text))]
            withheld += len(evidence) - len(kept)
            shown[gene] = kept
        return Prompt(head, labels, shown, withheld, user_prompt(labels, head, shown))

    def _evidence(self, state: AgentState, gene: str) -> list[Shown]:
        hits = {hit.chunk_id: hit for hit in state["retrieved"].get(gene, ())}
        best = by_contribution(state["grades"].get(gene, ()))[: self.limits.chunks_per_gene]
        return [Shown.of(hits[each.chunk_id], each, self.limits.chunk_characters) for each in best]

    @property
    def system_prompt(self) -> str:
        """The system prompt in force."""
        return LEA_GROUNDED_SYSTEM if self.limits.grounded else LEA_SYSTEM

    def _request(self, prompt: Prompt) -> ChatRequest:
        limits, schema = self.limits, None
        if limits.structured:
            schema = lea_schema(prompt.head, grounded=limits.grounded, rationale=limits.rationale_characters)
        return ChatRequest(self.system_prompt, prompt.user, limits.max_tokens, schema, PURPOSE)

    def _final(self, state: AgentState, prompt: Prompt, answer: ChatAnswer) -> AgentState:
        verdicts, reason = read_answer(answer, prompt.head)
        preliminary = {each.symbol: each.aggregate_confidence for each in state["ranked"]}
        grounded = ground(verdicts, prompt.shown, preliminary, enforce=self.limits.grounded)
        details = {
            "lea_top_gene_symbols": prompt.head,
            "hpo_labels": prompt.labels,
            "lea_evidence_per_gene": {gene: [each.record() for each in shown] for gene, shown in prompt.shown.items()},
            "withheld_chunks": prompt.withheld,
            "grounding": [claim.record() for claim in grounded],
        }
        log = LlmLog.of(self._request(prompt), answer, reason, details)
        ranked = merge(state["ranked"], [claim.verdict for claim in grounded], self.limits.head)
        return {**state, "ranked": ranked, "logs": [*state["logs"], log]}


def user_prompt(labels: Sequence[str], head: Sequence[str], shown: dict[str, list[Shown]]) -> str:
    """Phenotype, the head genes in preliminary order, each gene's evidence, and the closing order."""
    parts = [
        f"Patient phenotype: {', '.join(labels) or NO_LABELS}",
        f"Candidate genes ({len(head)}): {', '.join(head)}",
    ]
    for gene in head:
        lines = [f"Gene {gene}"]
        for at, each in enumerate(shown[gene], 1):
            mention = "yes" if each.mention else "no"
            lines.append(f"[{at}] section {each.section_type}, gene named: {mention}, relevance {each.relevance} of 5")
            lines.append(as_data(each.text))
        if not shown[gene]:
            lines.append("no evidence")
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, LEA_CLOSING])
