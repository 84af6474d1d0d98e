"""Which text of a stored case a judge sees: question, answer, contexts, reference.

Belongs here: building those from a cell's responses. Does not belong here: judging (judge), files (judge_run).
Source: rare-disease specification, section 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from genoplatform.agents.judge import Judged
from genoplatform.agents.judge_prompts import question, reference

Mode = Literal["full", "top1only"]
CONTEXTS, CONTEXT_CHARACTERS, ANSWER_CHARACTERS = 20, 1500, 5000


def judged_text(response: Mapping[str, Any], mode: Mode, contexts: int = CONTEXTS) -> Judged:
    """What a judge sees of one case.

    Args:
        response: the case's response record (`case_files.response_record`).
        mode: "full": the model's whole answer, contexts in the order of the prompt. "top1only": one sentence about the
            first gene, contexts in the order of the final ranking.
        contexts: passages, at most.
    """
    log = response["lea_log"] or {}
    labels = log.get("hpo_labels", [])
    evidence = log.get("lea_evidence_per_gene") or {}
    order = [entry["symbol"] for entry in response["ranked"]] if mode == "top1only" else list(evidence)
    passages = [
        f"{gene}, {chunk['pmcid']}: {chunk['text'][:CONTEXT_CHARACTERS]}"
        for gene in order
        for chunk in evidence.get(gene, [])
    ]
    answer = _first(response) if mode == "top1only" else str(log.get("lea_response_raw", ""))[:ANSWER_CHARACTERS]
    truth = reference(response["causal_gene"], response["category"])
    return Judged(response["case_id"], question(labels), answer, tuple(passages[:contexts]), truth)


def _first(response: Mapping[str, Any]) -> str:
    first = response["ranked"][0]
    said = {claim["gene"]: claim["rationale"] for claim in response["claims"]}
    rationale = said.get(first["symbol"], "")
    return f"{first['symbol']} is the most likely gene (confidence {first['aggregate_confidence']:.2f}): {rationale}"
