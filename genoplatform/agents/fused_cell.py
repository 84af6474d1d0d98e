"""Cell N: two systems fused by reciprocal rank, case by case, in the released schema with both ranks.

Belongs here: from a scored system and a cell's files to fused files. Does not belong here: the fusion
(`prioritisation.fusion`). Source: rare-disease specification, section 8: M first, S second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.agents.case_files import CaseFacts, file_name, write_json
from genoplatform.prioritisation.fusion import candidate_ranks, fuse

FUSED, FUSED_DIRECTORY = "N", "cell_N_rrf_m_s"


def fused_records(
    first: Mapping[str, int], second: Mapping[str, int], causal_gene: str, supporting: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """The fused list of one case.

    Args:
        first, second: gene -> rank in each system; a gene one of them lacks takes its rank n + 1.
        causal_gene: of the case.
        supporting: gene -> chunk ids of the second system.
    """
    tables = [_ranks(ranks) for ranks in (first, second)]
    fused = fuse(*tables, system=FUSED)
    size = len(fused)
    rows = zip(fused["gene"], fused["score"], strict=True)
    return [
        {
            "symbol": gene,
            "is_causal": gene == causal_gene,
            "aggregate_confidence": float(score),
            "supporting_chunks": list(supporting.get(gene, ())),
            "final_rank": at,
            "_rrf_m_rank": int(first.get(gene, size + 1)),
            "_rrf_s_rank": int(second.get(gene, size + 1)),
        }
        for at, (gene, score) in enumerate(rows, 1)
    ]


def write_fused(
    folder: Path, cases: Iterable[CaseFacts], scored: pd.DataFrame, second: Mapping[str, list[dict[str, Any]]]
) -> dict[str, int]:
    """Write the fused file of every case that the second system has ranked.

    Args:
        folder: of the fused rankings.
        cases: of one list.
        scored: case_id, gene, score, candidate_index of the first system.
        second: case id -> released list of the second system.

    Returns:
        Report: cases fused, and cases without one of the two.
    """
    ranks = candidate_ranks(scored)
    by_case = {str(case): dict(zip(part["gene"], part["rank"], strict=True)) for case, part in ranks.groupby("case_id")}
    report = {"cases": 0, "not ranked by the first system": 0, "not ranked by the second system": 0}
    for facts in cases:
        first, entries = by_case.get(facts.case_id), second.get(facts.case_id)
        report["not ranked by the first system"] += first is None
        report["not ranked by the second system"] += entries is None
        if first is None or entries is None:
            continue
        places = {entry["symbol"]: entry["final_rank"] for entry in entries}
        chunks = {entry["symbol"]: entry["supporting_chunks"] for entry in entries}
        write_json(folder / file_name(facts.case_id), fused_records(first, places, facts.causal_gene, chunks))
        report["cases"] += 1
    return report


def _ranks(ranks: Mapping[str, int]) -> pd.DataFrame:
    genes = pd.array(list(ranks), dtype="str")
    return pd.DataFrame(
        {"case_id": pd.array([""] * len(ranks), dtype="str"), "gene": genes, "rank": list(ranks.values())}
    )
