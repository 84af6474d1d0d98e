"""Rank of the causal gene: in candidate lists of any system, and among all annotated genes.

Here: scores to the ranks table, one row per case. Not here: tie rules (ties.py), similarity, metrics
(genoplatform.inference).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.candidate_scores import ScoreChunks
from genoplatform.prioritisation.ties import TieRule, check_tie_rule, rank_of

RANK_COLUMNS = ("system", "case_id", "rank", "n_candidates", "tied", "tie_rule")


def rank_candidates(scored: pd.DataFrame, candidates: pd.DataFrame, *, tie_rule: TieRule) -> pd.DataFrame:
    """Rank of the causal gene of every candidate list, by score.

    Args:
        scored: system, case_id, score, candidate_index of one or several systems.
        candidates: case_id, candidate_genes, causal_index; one row per case.
        tie_rule: how equal scores are ordered.

    Returns:
        RANK_COLUMNS, one row per system and list, sorted; rank NaN where the system did not score the causal
        gene, so that a missing result counts as a failure and not as a smaller cohort.

    Raises:
        BadInputError: a list without its causal gene, several lists of a case, scores that are on no list.
    """
    check_tie_rule(tie_rule)
    lists = candidates.sort_values("case_id", ignore_index=True)
    _require_causal(lists)
    tables = [
        _ranks_of_system(str(system), part, lists, tie_rule) for system, part in scored.groupby("system", sort=True)
    ]
    if not tables:
        return pd.DataFrame(columns=list(RANK_COLUMNS))
    return pd.concat(tables, ignore_index=True)


def rank_all_genes(
    chunks: ScoreChunks,
    genes: Sequence[str],
    cases: pd.DataFrame,
    *,
    system: str,
    tie_rules: Sequence[TieRule] = ("mean",),
    evaluable: NDArray[np.bool_] | None = None,
) -> pd.DataFrame:
    """Rank of the causal gene among all scored genes.

    Args:
        chunks: slices of `cases` with their scores [n, len(genes)], covering all cases in order.
        genes: columns of the scores, in code-point order (list order and alphabet are then the same).
        cases: case_id, causal_gene.
        system: label of the result.
        tie_rules: each gives its own set of rows.
        evaluable: which cases have a usable term, [n_cases]; default all.

    Returns:
        RANK_COLUMNS, sorted by tie rule and case; rank NaN where the causal gene is not among `genes` or the
        case is not evaluable.
    """
    rules = [check_tie_rule(rule) for rule in tie_rules]
    target = pd.Index(list(genes)).get_indexer(pd.Index(cases["causal_gene"])).astype(np.intp)
    if evaluable is not None:
        target = np.where(evaluable, target, -1)
    rank = np.full((len(rules), len(cases)), np.nan)
    tied = np.zeros(len(cases), dtype=np.int64)
    for part, block in chunks:
        for row, rule in enumerate(rules):
            by_list: TieRule = "candidate_order" if rule == "alphabetical" else rule
            rank[row, part], tied[part] = rank_of(block, target[part], by_list)
    sizes = np.full(len(cases), len(genes))
    tables = [_table(system, cases["case_id"], rank[row], sizes, tied, rule) for row, rule in enumerate(rules)]
    return pd.concat(tables).sort_values(["tie_rule", "case_id"], ignore_index=True)


def _ranks_of_system(system: str, scored: pd.DataFrame, lists: pd.DataFrame, tie_rule: TieRule) -> pd.DataFrame:
    sizes = lists["candidate_genes"].map(len).to_numpy(dtype=np.intp)
    row = pd.Index(lists["case_id"]).get_indexer(pd.Index(scored["case_id"]))
    position = scored["candidate_index"].to_numpy(dtype=np.intp)
    if (row < 0).any() or (position >= sizes[row]).any():
        raise BadInputError(
            f"ranking {system}", "scores of candidates that are on no list", "pass the lists that were scored"
        )
    matrix = np.full((len(lists), int(sizes.max(initial=1))), np.nan)
    matrix[row, position] = scored["score"].to_numpy(dtype=np.float64)
    symbols = [genes + [""] * (matrix.shape[1] - len(genes)) for genes in map(list, lists["candidate_genes"])]
    rank, tied = rank_of(matrix, lists["causal_index"].to_numpy(dtype=np.intp), tie_rule, symbols)
    return _table(system, lists["case_id"], rank, sizes, tied, tie_rule)


def _table(
    system: str,
    case_ids: pd.Series,
    rank: NDArray[np.float64],
    sizes: NDArray[np.intp],
    tied: NDArray[np.int64],
    tie_rule: TieRule,
) -> pd.DataFrame:
    columns = (
        pd.array([system] * len(case_ids), dtype="str"),
        case_ids.array,
        rank,
        sizes.astype(np.int64),
        tied,
        pd.array([tie_rule] * len(case_ids), dtype="str"),
    )
    return pd.DataFrame(dict(zip(RANK_COLUMNS, columns, strict=True)))


def _require_causal(lists: pd.DataFrame) -> None:
    if not lists["case_id"].is_unique:
        raise BadInputError("ranking candidate lists", "several lists of one case", "pass one difficulty")
    outside = lists[(lists["causal_index"] < 0) | (lists["causal_index"] >= lists["candidate_genes"].map(len))]
    if not outside.empty:
        raise BadInputError(
            "ranking candidate lists",
            f"{len(outside)} lists without the causal gene, the first {outside['case_id'].iloc[0]}",
            "build the lists with the causal gene in each",
        )
