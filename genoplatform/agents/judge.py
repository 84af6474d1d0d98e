"""A judge of rationales: faithfulness, context precision and context recall, by any model behind `Llm`.

Belongs here: the three measures and the calls they need. Does not belong here: wording (judge_prompts), which text of a
case is judged (judged_text), statistics (inference.judge). Definitions, after RAGAS:

* faithfulness: statements of the answer that follow from the contexts, over all statements of the answer.
* context precision: mean, over the places k of the contexts that are useful for the reference, of precision@k =
  useful among the first k / k; 0 where none is useful.
* context recall: statements of the reference that follow from the contexts, over all statements of the reference.

A measure whose calls failed, or whose answers could not be read, has no value; it is never taken for 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from genoplatform.agents import judge_prompts as words
from genoplatform.agents.llm import ChatRequest, Llm
from genoplatform.agents.strict_json import answered

METRICS = ("faithfulness", "context_precision", "context_recall")
PURPOSE = "judge"


@dataclass(frozen=True)
class Judged:
    """What is judged of one case.

    Attributes:
        case_id: the case.
        question: what was asked.
        answer: what the system said.
        contexts: passages it had, in order.
        reference: the right answer.
    """

    case_id: str
    question: str
    answer: str
    contexts: tuple[str, ...]
    reference: str


@dataclass(frozen=True)
class Judge:
    """Asks a model for verdicts.

    Attributes:
        llm: the judge.
        max_tokens: of an answer.
    """

    llm: Llm
    max_tokens: int = 1024

    def score(self, judged: Judged) -> tuple[dict[str, float | None], list[str]]:
        """The three measures of one case in `METRICS` order, None where there is no value, and why calls failed."""
        calls = _Calls(self.llm, self.max_tokens)
        said = calls.statements(judged.question, judged.answer)
        true = calls.statements(judged.question, judged.reference)
        scores = {
            "faithfulness": calls.share_supported(said, judged.contexts),
            "context_precision": average_precision(calls.useful(judged)),
            "context_recall": calls.share_supported(true, judged.contexts),
        }
        return scores, calls.failures


@dataclass
class _Calls:
    """The calls about one case."""

    llm: Llm
    max_tokens: int
    failures: list[str] = field(default_factory=list)

    def statements(self, question: str, answer: str) -> list[str] | None:
        prompt = words.statements_prompt(question, answer)
        value = self._ask(words.STATEMENTS_SYSTEM, [prompt], words.STATEMENTS_SCHEMA)[0]
        items = value.get("statements")
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            return None
        return [item for item in items if item.strip()]

    def share_supported(self, statements: list[str] | None, contexts: Sequence[str]) -> float | None:
        if not statements:
            return None
        prompt = words.supported_prompt(statements, contexts)
        value = self._ask(words.SUPPORTED_SYSTEM, [prompt], words.verdicts_schema(len(statements)))[0]
        verdicts = value.get("verdicts")
        if not isinstance(verdicts, list) or len(verdicts) != len(statements) or not all(map(_is_verdict, verdicts)):
            return None
        return sum(verdicts) / len(verdicts)

    def useful(self, judged: Judged) -> list[int] | None:
        """A verdict for every context; None if one of them could not be had."""
        prompts = [words.useful_prompt(judged.question, each, judged.reference) for each in judged.contexts]
        verdicts = [value.get("verdict") for value in self._ask(words.USEFUL_SYSTEM, prompts, words.VERDICT_SCHEMA)]
        return [each for each in verdicts if isinstance(each, int)] if all(map(_is_verdict, verdicts)) else None

    def _ask(self, system: str, prompts: Sequence[str], schema: dict[str, Any]) -> list[dict[str, Any]]:
        requests = [ChatRequest(system, prompt, self.max_tokens, schema, PURPOSE) for prompt in prompts]
        found = [answered(answer) for answer in self.llm.complete(requests)] if requests else []
        self.failures += [reason for _, reason in found if reason]
        return [value if isinstance(value, dict) else {} for value, _ in found]


def average_precision(useful: Sequence[int] | None) -> float | None:
    """Mean of precision@k over the places k with a 1; 0 without any, None without contexts."""
    if not useful:
        return None
    precisions = [sum(useful[: at + 1]) / (at + 1) for at, verdict in enumerate(useful) if verdict]
    return sum(precisions) / len(precisions) if precisions else 0.0


def _is_verdict(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in (0, 1)
