"""The evidence aggregation's answer: parsing, and merging it with the preliminary ranking.

Belongs here: what of a model's answer is used. Does not belong here: asking for it (lea), checking what it cites
(grounding). Source: rare-disease specification, section 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.state import Candidate
from genoplatform.agents.strict_json import answered, number
from genoplatform.agents.synthesizer import ranking

INVALID = "json_response_invalid"
RATIONALE_KEPT = 200


@dataclass(frozen=True)
class Verdict:
    """What the model said of one gene; `chunks` and `quote` where it was asked to cite."""

    gene: str
    confidence: float
    rationale: str
    chunks: tuple[int, ...] = ()
    quote: str = ""


def read_answer(answer: ChatAnswer, head: Sequence[str]) -> tuple[list[Verdict], str]:
    """Usable elements of an answer in its order, and "" or why there is none.

    Unknown genes are ignored, an element without a numeric confidence is skipped (without any: 0), confidences are
    brought into 0 to 1, rationales cut, and of a repeated gene the first element counts.

    Returns:
        Verdicts, and "", `llm_call_failed:<type>` (call or JSON failed) or `json_response_invalid` (not a list, or no
        usable element).
    """
    value, failure = answered(answer)
    if failure:
        return [], failure
    verdicts = _verdicts(value, head) if isinstance(value, list) else []
    return verdicts, "" if verdicts else INVALID


def _verdicts(elements: list[Any], head: Sequence[str]) -> list[Verdict]:
    found: dict[str, Verdict] = {}
    for element in elements:
        gene = element.get("gene") if isinstance(element, dict) else None
        if not isinstance(gene, str) or gene not in head or gene in found:
            continue
        confidence = number(element.get("confidence", 0))
        if confidence is None:
            continue
        found[gene] = Verdict(
            gene,
            min(1.0, max(0.0, confidence)),
            str(element.get("rationale") or "")[:RATIONALE_KEPT],
            _numbers(element.get("chunks")),
            element["quote"] if isinstance(element.get("quote"), str) else "",
        )
    return list(found.values())


def _numbers(value: Any) -> tuple[int, ...]:
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, int) and not isinstance(item, bool))


def merge(preliminary: Sequence[Candidate], verdicts: Sequence[Verdict], head_size: int) -> list[Candidate]:
    """The final ranking: head by the model's confidence, then what it left out of the head, then the tail.

    Head genes that the model did not return keep preliminary order and confidence behind the others, so the
    confidence need not fall along the list.

    Args:
        preliminary: the deterministic ranking.
        verdicts: of genes of the head, in the model's order, which decides equal confidences.
        head_size: genes the model was asked about.
    """
    if not verdicts:
        return list(preliminary)
    judged = {verdict.gene for verdict in verdicts}
    ordered = [(verdict.gene, verdict.confidence) for verdict in sorted(verdicts, key=lambda each: -each.confidence)]
    rest = [candidate for candidate in preliminary[:head_size] if candidate.symbol not in judged]
    ordered += [(each.symbol, each.aggregate_confidence) for each in [*rest, *preliminary[head_size:]]]
    return ranking(ordered, {each.symbol: each.supporting_chunks for each in preliminary})
