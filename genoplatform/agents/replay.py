"""Replaying a cell's stored prompts: with other system prompts (sensitivity), or with other models (ablation).

Belongs here: stored prompts, requests, records in the released schemas. Does not belong here: reading the answers
(replay_answers), the wordings (prompts), statistics (inference). Source: rare-disease specification, sections 12, 13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from genoplatform.agents.case_files import CaseFacts, file_name, whole, write_json
from genoplatform.agents.cell_run import Progress, RunReport
from genoplatform.agents.held_back import FAILED, HeldBack
from genoplatform.agents.lea import PURPOSE
from genoplatform.agents.llm import ChatAnswer, ChatRequest, Llm
from genoplatform.agents.prompts import LEA_PARAPHRASES, LEA_SYSTEM, lea_schema
from genoplatform.agents.replay_answers import free_order, wrapped_order

PRODUCTION = "production"


@dataclass(frozen=True)
class StoredPrompt:
    """A case's prompt as a cell asked it: the user's part, its head genes, and who came first in that cell."""

    facts: CaseFacts
    user: str
    head: tuple[str, ...]
    top1: str

    @property
    def top1_correct(self) -> bool:
        """Whether the cell put the causal gene first."""
        return self.top1 == self.facts.causal_gene


def stored_prompts(
    cases: Sequence[CaseFacts], responses: Mapping[str, Mapping[str, Any]]
) -> tuple[list[StoredPrompt], int]:
    """Prompts of the cases that have one, in the order given, and how many have none."""
    found = []
    for facts in cases:
        response = responses.get(facts.case_id)
        log = response["lea_log"] if response else None
        if response and log:
            head = tuple(log["lea_top_gene_symbols"])
            found.append(StoredPrompt(facts, log["lea_user_prompt"], head, response["ranked"][0]["symbol"]))
    return found, len(cases) - len(found)


@dataclass(frozen=True)
class Replay:
    """Asks stored prompts again and keeps a record of each.

    Attributes:
        llm: who is asked.
        root: where the records' folder goes.
        max_tokens: of an answer.
        structured: the server is asked to keep to the answer's schema.
        block: prompts asked in one call of the model's client.
    """

    llm: Llm
    root: Path
    max_tokens: int = 2048
    structured: bool = False
    block: int = 8

    def sensitivity(self, prompts: Sequence[StoredPrompt], progress: Progress | None = None) -> RunReport:
        """One record of every prompt under every wording, in `<root>/<variant>/`."""
        reports = [self._run(variant, system, prompts, progress) for variant, system in LEA_PARAPHRASES.items()]
        return RunReport(*(sum(getattr(each, name) for each in reports) for name in RunReport.__dataclass_fields__))

    def ablation(self, slug: str, prompts: Sequence[StoredPrompt], progress: Progress | None = None) -> RunReport:
        """One record of every prompt by this model, in `<root>/cell_S_ablation_<slug>/`."""
        return self._run(f"cell_S_ablation_{slug}", LEA_SYSTEM, prompts, progress)

    def _run(self, name: str, system: str, prompts: Sequence[StoredPrompt], progress: Progress | None) -> RunReport:
        waiting = [each for each in prompts if not whole(self.root / name / file_name(each.facts.case_id))]
        resumed, held = len(prompts) - len(waiting), HeldBack(name)
        for at in range(0, len(waiting), self.block):
            part = waiting[at : at + self.block]
            for prompt, answer in zip(part, self.llm.complete([self._request(system, p) for p in part]), strict=True):
                record = self._record(name, prompt, answer)
                held.add([FAILED + answer.error] if answer.error else [], partial(self._write, name, prompt, record))
            if progress is not None:
                progress(resumed + held.written, len(prompts))
        held.close()
        return RunReport(len(prompts), resumed, held.written, held.fallbacks)

    def _request(self, system: str, prompt: StoredPrompt) -> ChatRequest:
        schema = lea_schema(prompt.head) if self.structured else None
        return ChatRequest(system, prompt.user, self.max_tokens, schema, PURPOSE)

    def _record(self, name: str, prompt: StoredPrompt, answer: ChatAnswer) -> dict[str, Any]:
        if name in LEA_PARAPHRASES:
            return sensitivity_record(name, prompt, answer)
        return ablation_record(dict(self.llm.identity).get("model", ""), prompt, answer)

    def _write(self, name: str, prompt: StoredPrompt, record: dict[str, Any]) -> None:
        write_json(self.root / name / file_name(prompt.facts.case_id), record)


def sensitivity_record(variant: str, prompt: StoredPrompt, answer: ChatAnswer) -> dict[str, Any]:
    """The released record of one prompt under one wording; latency is left to the client's log."""
    order = free_order(answer.text, prompt.head)
    return {
        "case_id": prompt.facts.case_id,
        "variant": variant,
        **_common(prompt, order, answer),
        "n_candidates_to_lea": len(prompt.head),
        "ranking": order,
        "parse_ok": bool(order),
    }


def ablation_record(model: str, prompt: StoredPrompt, answer: ChatAnswer) -> dict[str, Any]:
    """The released record of one prompt by another model."""
    order, parse_error = wrapped_order(answer, prompt.head)
    return {
        "case_id": prompt.facts.case_id,
        "model": model,
        **_common(prompt, order, answer),
        "orig_top1": prompt.top1,
        "orig_correct": prompt.top1_correct,
        "cost_usd": None,
        "parse_error": parse_error,
        "error": answer.error or None,
        "parsed_top5": order[:5],
    }


def _common(prompt: StoredPrompt, order: list[str], answer: ChatAnswer) -> dict[str, Any]:
    causal = prompt.facts.causal_gene
    return {
        "category": prompt.facts.category,
        "causal_gene": causal,
        "top1": order[0] if order else None,
        "top1_correct": bool(order) and order[0] == causal,
        "causal_rank": order.index(causal) + 1 if causal in order else None,
        "tokens": {"in": answer.tokens_in, "out": answer.tokens_out},
        "finish_reason": answer.finish_reason,
        "latency_s": None,
        "raw_text": answer.text,
    }
