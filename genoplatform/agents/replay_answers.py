"""Orders of genes out of the free answers of replayed prompts, read more leniently than the cell reads them.

Belongs here: the two published ways of reading. Does not belong here: the cell's own (lea_answer).
Source: rare-disease specification, section 12.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from genoplatform.agents.llm import ChatAnswer
from genoplatform.agents.strict_json import number, parse_json

_GENE_KEY = re.compile(r'"gene"\s*:\s*"([^"]+)"')
_WRAPPERS = ("ranking", "genes", "results", "ranked", "output")


def free_order(text: str, genes: Sequence[str]) -> list[str]:
    """Genes of the longest JSON array from the first "[" on, else of every `"gene": "..."`, in their order.

    Of elements with a confidence the larger comes first, equal ones as written.
    """
    found = _longest_array(text)
    if found is None:
        return _known(_GENE_KEY.findall(text), genes)
    return _by_confidence(found, genes)


def wrapped_order(answer: ChatAnswer, genes: Sequence[str]) -> tuple[list[str], bool]:
    """Genes of an answer in JSON mode, and whether it could not be read.

    A list, a list under one of the usual names, gene -> entry, gene -> number, and a single entry are accepted.
    """
    if answer.error:
        return [], False
    try:
        value = parse_json(answer.text)
    except ValueError:
        return [], True
    order = _by_confidence(_entries(value), genes)
    return order, not order


def _entries(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return []
    for name in _WRAPPERS:
        if isinstance(value.get(name), list):
            return list(value[name])
    if isinstance(value.get("gene"), str):
        return [value]
    return [
        {**entry, "gene": gene} if isinstance(entry, dict) else {"gene": gene, "confidence": entry}
        for gene, entry in value.items()
    ]


def _by_confidence(elements: Sequence[Any], genes: Sequence[str]) -> list[str]:
    pairs = []
    for element in elements:
        if isinstance(element, str):
            pairs.append((element, 0.0))
        elif isinstance(element, dict) and isinstance(element.get("gene"), str):
            pairs.append((element["gene"], number(element.get("confidence", 0)) or 0.0))
    pairs.sort(key=lambda pair: -pair[1])
    return _known([gene for gene, _ in pairs], genes)


def _known(names: Sequence[str], genes: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name in genes))


def _longest_array(text: str) -> list[Any] | None:
    start = text.find("[")
    end = text.rfind("]")
    while 0 <= start < end:
        try:
            value = json.loads(text[start : end + 1])
        except (ValueError, RecursionError):
            end = text.rfind("]", 0, end)
            continue
        return value if isinstance(value, list) else None
    return None
