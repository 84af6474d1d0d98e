"""Candidate gene lists: per-case seeds and the standard (random) distractors.

Here: the seed recipe and lists of one causal gene among 49 random protein-coding genes.
Not here: distractors chosen by similarity (``distractors``).
Source: the geno_agent candidate recipe (BLAKE2b-64 seed, sample, then shuffle with the same generator).
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import pandas as pd

from genoplatform.cohort.sampling import RANDOM_SEED
from genoplatform.cohort.schema import CANDIDATE_COLUMNS, as_candidate_table
from genoplatform.errors import BadInputError

N_DISTRACTORS = 49


@dataclass(frozen=True)
class CandidateLists:
    """Attributes: table (``CANDIDATE_COLUMNS``), dropped[case_id, reason, detail], report (counts)."""

    table: pd.DataFrame
    dropped: pd.DataFrame
    report: dict[str, int]


def per_case_seed(case_id: str, seed: int = RANDOM_SEED) -> int:
    """Big-endian unsigned integer of BLAKE2b-64 over ``"<seed>|<case_id>"``."""
    return int.from_bytes(blake2b(f"{seed}|{case_id}".encode(), digest_size=8).digest(), "big")


def sample_then_shuffle(causal: str, pool: Sequence[str], k: int, seed: int) -> list[str]:
    """``k`` distractors of ``pool`` after the causal gene, then shuffled by the same generator."""
    rng = random.Random(seed)
    genes = [causal, *rng.sample(pool, k)]
    rng.shuffle(genes)
    return genes


def gene_pool(symbols: Sequence[str], n_distractors: int = N_DISTRACTORS) -> list[str]:
    """Sorted unique symbols.

    Raises:
        BadInputError: too few for one list.
    """
    pool = sorted(set(symbols))
    if len(pool) <= n_distractors:
        raise BadInputError(
            "drawing candidate genes", f"a pool of {len(pool)} symbols for lists of {n_distractors + 1}"
        )
    return pool


def standard_candidates(
    cases: pd.DataFrame, symbols: Sequence[str], *, n_distractors: int = N_DISTRACTORS, seed: int = RANDOM_SEED
) -> CandidateLists:
    """Random candidate list of every case whose causal gene is in the pool.

    Args:
        cases: columns case_id, causal_gene.
        symbols: approved protein-coding symbols.
        n_distractors: genes beside the causal one.
        seed: global seed, mixed with the case id.

    Returns:
        Lists in shuffled order; a case with a causal gene outside the pool is dropped and counted.
    """
    pool = gene_pool(symbols, n_distractors)
    inside, dropped = split_by_pool(cases, pool)
    rows = []
    for case_id, causal in zip(inside["case_id"], inside["causal_gene"], strict=True):
        at = bisect_left(pool, causal)
        case_seed = per_case_seed(case_id, seed)
        genes = sample_then_shuffle(causal, pool[:at] + pool[at + 1 :], n_distractors, case_seed)
        rows.append((case_id, "standard", genes, genes.index(causal), str(case_seed)))
    table = as_candidate_table(pd.DataFrame(rows, columns=list(CANDIDATE_COLUMNS)))
    return CandidateLists(table, dropped, {"cases": len(table), "pool": len(pool), "causal_not_in_pool": len(dropped)})


def split_by_pool(cases: pd.DataFrame, pool: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Cases whose causal gene is in ``pool``, and the others as dropped[case_id, reason, detail]."""
    inside = cases["causal_gene"].isin(pool)
    lost = cases.loc[~inside, ["case_id", "causal_gene"]].sort_values("case_id").reset_index(drop=True)
    dropped = lost.rename(columns={"causal_gene": "detail"}).assign(reason="causal_not_in_pool")
    return cases[inside], dropped[["case_id", "reason", "detail"]]
