"""Prompt sensitivity in numbers: how much the wording of the prompt moves who comes first.

Belongs here: rates by wording, and their range. Does not belong here: asking (replay).
Source: rare-disease specification, section 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from genoplatform.agents.prompts import LEA_PARAPHRASES

COLUMNS = {
    "variant": "str",
    "n": "int64",
    "top1": "float64",
    "n_unexposed": "int64",
    "top1_unexposed": "float64",
    "agreement": "float64",
    "unreadable": "int64",
}


def sensitivity_table(
    records: Mapping[str, Mapping[str, Mapping[str, Any]]], correct: Mapping[str, bool], exposed: Mapping[str, int]
) -> pd.DataFrame:
    """One row a wording.

    Args:
        records: wording -> case id -> record of `replay.sensitivity_record`.
        correct: case id -> whether the cell whose prompts were replayed was right.
        exposed: case id -> whether the case's publication is in the knowledge base.

    Returns:
        variant, n, top1 (share right), n_unexposed, top1_unexposed, agreement (share of cases as right or wrong as the
        cell), unreadable (answers without an order). Shares of no case are missing.
    """
    rows = []
    for variant in LEA_PARAPHRASES:
        hits = {case: bool(record["top1_correct"]) for case, record in sorted(records.get(variant, {}).items())}
        unexposed = [hit for case, hit in hits.items() if not exposed[case]]
        rows.append(
            {
                "variant": variant,
                "n": len(hits),
                "top1": _share(list(hits.values())),
                "n_unexposed": len(unexposed),
                "top1_unexposed": _share(unexposed),
                "agreement": _share([hit == correct[case] for case, hit in hits.items()]),
                "unreadable": sum(not record["parse_ok"] for record in records.get(variant, {}).values()),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def ranges(table: pd.DataFrame) -> dict[str, float]:
    """Largest minus smallest share over the wordings, in percentage points, of all cases and of the unexposed."""
    return {
        name: round(100 * float(table[name].max() - table[name].min()), 2)
        for name in ("top1", "top1_unexposed")
        if table[name].notna().any()
    }


def _share(values: list[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")
