"""Hard candidate lists: the genes whose phenotype looks most like the case.

Here: choosing distractors from scores of all genes. Not here: the similarity itself (``prioritisation``); scores
come in as a matrix or a callable.
Source: the geno_agent hard cohort (top 49 by Resnik best-match average, same-disease genes left out, lists
shuffled by a fresh generator on the case seed).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.cohort.candidates import (
    N_DISTRACTORS,
    CandidateLists,
    gene_pool,
    per_case_seed,
    split_by_pool,
)
from genoplatform.cohort.sampling import RANDOM_SEED
from genoplatform.cohort.schema import CANDIDATE_COLUMNS, as_candidate_table
from genoplatform.errors import BadInputError

Scores = NDArray[np.float64] | Callable[[int], NDArray[np.float64]]
# Sums of the same terms in another order differ in the last bits; scores equal to ten digits are one tie.
TIE_DECIMALS = 10


def hard_candidates(
    cases: pd.DataFrame,
    scores: Scores,
    genes: Sequence[str],
    symbols: Sequence[str],
    gene_diseases: pd.DataFrame,
    *,
    n_distractors: int = N_DISTRACTORS,
    seed: int = RANDOM_SEED,
) -> CandidateLists:
    """The highest-scoring protein-coding genes of other diseases, beside the causal gene.

    Args:
        cases: columns case_id, causal_gene, disease_ids.
        scores: similarity, cases x genes in the order of ``cases`` and ``genes``, or a callable from the
            case's position to one row. Only genes with a positive score can be chosen.
        genes: symbols of the columns (genes with annotations).
        symbols: approved protein-coding symbols.
        gene_diseases: columns gene_symbol, disease_id; a gene with one of the case's diseases is no distractor.
        n_distractors: genes beside the causal one.
        seed: global seed, mixed with the case id.

    Returns:
        Lists ordered by the shuffle. report: cases, causal_not_in_pool, filled (cases that had fewer scored
        genes than places and were topped up at random).

    Raises:
        BadInputError: scores of another shape or with NaN.
    """
    pool = gene_pool(symbols, n_distractors)
    ranker = _Ranker(genes, pool, gene_diseases, n_distractors)
    inside, dropped = split_by_pool(cases.reset_index(drop=True), pool)
    rows, filled = [], 0
    for at, case_id, causal, diseases in zip(
        inside.index, inside["case_id"], inside["causal_gene"], inside["disease_ids"], strict=True
    ):
        row = scores(int(at)) if callable(scores) else scores[at]
        chosen = ranker.top(_checked(row, len(genes), case_id), causal, diseases)
        case_seed = per_case_seed(case_id, seed)
        filled += len(chosen) < n_distractors
        lineup = [causal, *_filled(chosen, causal, pool, n_distractors, case_seed)]
        random.Random(case_seed).shuffle(lineup)
        rows.append((case_id, "hard", lineup, lineup.index(causal), str(case_seed)))
    table = as_candidate_table(pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS)))
    report = {"cases": len(table), "pool": len(pool), "causal_not_in_pool": len(dropped), "filled": filled}
    return CandidateLists(table, dropped, report)


class _Ranker:
    """Genes in alphabetical order with their diseases, ready to be ranked case by case."""

    def __init__(self, genes: Sequence[str], pool: list[str], gene_diseases: pd.DataFrame, size: int) -> None:
        names = np.asarray(genes, dtype=object)
        order = np.argsort(names, kind="stable")
        self._columns = order[pd.Series(names[order]).isin(pool).to_numpy()]
        self._names = names[self._columns]
        self._size = size
        groups = gene_diseases.groupby("disease_id")["gene_symbol"]
        self._by_disease = {disease: set(symbols) for disease, symbols in groups}

    def top(self, row: NDArray[np.float64], causal: str, diseases: Sequence[str]) -> list[str]:
        """The best genes by (-score, symbol), causal and same-disease genes left out."""
        score = np.round(row[self._columns], TIE_DECIMALS)
        barred = {causal}.union(*(self._by_disease.get(d, set()) for d in diseases))
        ranked = (self._names[i] for i in np.argsort(-score, kind="stable") if score[i] > 0)
        out: list[str] = []
        for gene in ranked:
            if len(out) == self._size:
                break
            if gene not in barred:
                out.append(gene)
        return out


def _checked(row: NDArray[np.float64], n_genes: int, case_id: str) -> NDArray[np.float64]:
    row = np.asarray(row, dtype=np.float64)
    if row.shape != (n_genes,) or np.isnan(row).any():
        raise BadInputError(
            f"choosing hard distractors for {case_id}",
            f"scores of shape {row.shape}, NaN {int(np.isnan(row).sum())}",
            f"give one number for each of the {n_genes} genes",
        )
    return row


def _filled(chosen: list[str], causal: str, pool: list[str], size: int, seed: int) -> list[str]:
    missing = size - len(chosen)
    if not missing:
        return chosen
    taken = {causal, *chosen}
    return chosen + random.Random(seed).sample([g for g in pool if g not in taken], missing)
