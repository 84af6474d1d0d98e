"""The judge's prompts in our own words, and the schemas of its answers.

Belongs here: wording and schemas. Does not belong here: the measures (judge).
Source of what is asked: the definitions of faithfulness, context precision and context recall of RAGAS (Es et al.
2023, and its documentation); rare-disease specification, section 12, for question, answer and reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from genoplatform.agents.quoting import DATA_RULE, as_data

STATEMENTS_SYSTEM = f"""You split an answer into single factual statements, each understandable on its own, with
pronouns replaced by what they stand for. {DATA_RULE}
Reply with a JSON object {{"statements": [strings]}} and nothing else; an empty list if it states nothing."""

SUPPORTED_SYSTEM = f"""You check statements against passages. For every statement, in order, give 1 if it follows
directly from the passages and 0 if it does not; knowledge from elsewhere does not count. {DATA_RULE}
Reply with a JSON object {{"verdicts": [0 or 1, one a statement]}} and nothing else."""

USEFUL_SYSTEM = f"""You judge whether one passage helps to arrive at a given reference answer to a question: 1 if it
does, 0 if it does not. {DATA_RULE}
Reply with a JSON object {{"verdict": 0 or 1}} and nothing else."""


def question(labels: Sequence[str]) -> str:
    """What the ranked list answers."""
    findings = ", ".join(labels) or "no recorded finding"
    return f"Which of the candidate genes causes the disease of a patient with {findings}?"


def reference(causal_gene: str, category: str) -> str:
    """What a right answer says."""
    return f"The causal gene is {causal_gene}, in a {category or 'monogenic'} disease."


def statements_prompt(asked: str, answer: str) -> str:
    """User prompt: split an answer."""
    return f"Question: {asked}\n\nAnswer: {as_data(answer)}"


def supported_prompt(statements: Sequence[str], contexts: Sequence[str]) -> str:
    """User prompt: check statements against passages."""
    numbered = "\n".join(f"{at}. {as_data(each)}" for at, each in enumerate(statements, 1))
    return f"Passages:\n{_passages(contexts)}\n\nStatements ({len(statements)}):\n{numbered}"


def useful_prompt(asked: str, context: str, answer: str) -> str:
    """User prompt: whether one passage helps."""
    return f"Question: {asked}\n\nReference answer: {answer}\n\nPassage: {as_data(context)}"


def _passages(contexts: Sequence[str]) -> str:
    return "\n".join(f"[{at}] {as_data(each)}" for at, each in enumerate(contexts, 1)) or "(none)"


STATEMENTS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"statements": {"type": "array", "items": {"type": "string"}, "maxItems": 40}},
    "required": ["statements"],
    "additionalProperties": False,
}
VERDICT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"type": "integer", "enum": [0, 1]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


def verdicts_schema(n: int) -> dict[str, Any]:
    """Schema of `n` verdicts."""
    items = {"type": "array", "items": {"type": "integer", "enum": [0, 1]}, "minItems": n, "maxItems": n}
    return {
        "type": "object",
        "properties": {"verdicts": items},
        "required": ["verdicts"],
        "additionalProperties": False,
    }
