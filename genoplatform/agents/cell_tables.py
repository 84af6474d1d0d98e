"""A cell's files as tables: the outcome of every case, what its passes added, and whether its claims are grounded.

Belongs here: from files to rows. Does not belong here: ranks for the evaluation (`prioritisation.released` reads the
same files), statistics (inference).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from genoplatform.agents.grounding import grounding_counts

NATIVE, PLUMBING, SCIENCE = "native", "plumbing", "science"
"""Whether a language model had a part in a figure (native: none), and what that model's figures are worth."""

OUTCOME_TYPES = {
    "cell": "str",
    "case_id": "str",
    "category": "str",
    "cluster": "str",
    "evidence": "str",
    "rank": "int64",
    "n_candidates": "int64",
    "top1": "str",
    "confidence": "float64",
    "fallback_reason": "str",
    "tokens_in": "int64",
    "tokens_out": "int64",
    "claims": "int64",
    "abstentions": "int64",
    "citation_not_retrieved": "int64",
    "quote_not_in_chunk": "int64",
    "claim_without_citation": "int64",
}
PASS_TYPES = {
    "cell": "str",
    "case_id": "str",
    "number": "int64",
    "strategy": "str",
    "queries": "int64",
    "new_chunks": "int64",
    "new_mentions": "int64",
    "grades_raised": "int64",
    "confidences_changed": "int64",
    "order_changed": "int64",
}


def outcome_rows(
    cell: str,
    evidence: str,
    lists: Mapping[str, Sequence[Mapping[str, Any]]],
    responses: Mapping[str, Mapping[str, Any]],
    cases: Mapping[str, Mapping[str, str]],
) -> list[dict[str, Any]]:
    """One row a case of a cell.

    Args:
        cell: its name.
        evidence: `NATIVE`, or what the model's identity says.
        lists: case id -> released list.
        responses: case id -> response record; may lack cases.
        cases: case id -> category, cluster.
    """
    return [
        {
            "cell": cell,
            "case_id": case_id,
            "category": cases[case_id]["category"],
            "cluster": cases[case_id]["cluster"],
            "evidence": evidence,
            **_ranking(entries),
            **_response(responses.get(case_id)),
        }
        for case_id, entries in sorted(lists.items())
    ]


def _ranking(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    causal = next(entry for entry in entries if entry["is_causal"])
    first = entries[0]
    return {
        "rank": causal["final_rank"],
        "n_candidates": len(entries),
        "top1": first["symbol"],
        "confidence": float(first["aggregate_confidence"]),
    }


def _response(response: Mapping[str, Any] | None) -> dict[str, Any]:
    log = (response or {}).get("lea_log") or {}
    counts = grounding_counts((response or {}).get("claims", []))
    counts.pop("claims_with_faults")
    return {
        "fallback_reason": log.get("lea_fallback_reason", ""),
        "tokens_in": log.get("lea_tokens_in", 0),
        "tokens_out": log.get("lea_tokens_out", 0),
        **counts,
    }


def pass_rows(cell: str, responses: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row a retrieval pass."""
    return [
        {"cell": cell, "case_id": case_id, **record}
        for case_id, response in sorted(responses.items())
        for record in response["passes"]
    ]


def typed(rows: Sequence[Mapping[str, Any]], types: Mapping[str, str], by: Sequence[str]) -> pd.DataFrame:
    """Rows as a table with these columns and types, also without a row, sorted."""
    table = pd.DataFrame(list(rows), columns=list(types)).astype(dict(types))
    return table.sort_values(list(by), ignore_index=True)


def pass_summary(passes: pd.DataFrame) -> pd.DataFrame:
    """What the passes of each cell added, over its cases.

    Returns:
        cell, number, strategy, cases, queries, new_chunks, new_mentions, grades_raised, confidences_changed,
        order_changed: sums over cases; a row a cell and pass.
    """
    sums = ["queries", "new_chunks", "new_mentions", "grades_raised", "confidences_changed", "order_changed"]
    grouped = passes.groupby(["cell", "number", "strategy"], sort=True)
    return grouped.agg(cases=("case_id", "size"), **{name: (name, "sum") for name in sums}).reset_index()


def cell_summary(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Rates and counts of each cell.

    Returns:
        cell, evidence, cases, top1, top5, top10 (shares), mrr, fallbacks, claims, abstentions, faults.
    """
    faults = ["citation_not_retrieved", "quote_not_in_chunk", "claim_without_citation"]
    scored = outcomes.assign(
        **{f"top{k}": (outcomes["rank"] <= k).astype("float64") for k in (1, 5, 10)},
        mrr=1 / outcomes["rank"],
        fallbacks=(outcomes["fallback_reason"] != "").astype("int64"),
        faults=outcomes[faults].sum(axis=1),
    )
    means = {name: (name, "mean") for name in ("top1", "top5", "top10", "mrr")}
    sums = {name: (name, "sum") for name in ("fallbacks", "claims", "abstentions", "faults")}
    grouped = scored.groupby(["cell", "evidence"], sort=True)
    return grouped.agg(cases=("case_id", "size"), **means, **sums).reset_index()
