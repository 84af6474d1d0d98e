"""Scores of the genes on each case's candidate list.

Here: from scores against all genes to the scored table, one row per candidate. Not here: similarity
(resnik.py), ranks (ranking.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import BadInputError

ScoreChunks = Iterable[tuple[slice, NDArray[np.float64]]]

SCORED_COLUMNS = ("system", "case_id", "gene", "score", "candidate_index")


@dataclass(frozen=True)
class CandidateScores:
    """Scored candidate lists of one system.

    Attributes:
        scored: SCORED_COLUMNS, sorted by case and list position; NaN score = the case could not be scored.
        report: counts of cases, candidates, candidates unknown to the system (score 0), cases not scored.
    """

    scored: pd.DataFrame
    report: dict[str, int]


def score_candidates(
    chunks: ScoreChunks,
    genes: Sequence[str],
    cases: pd.DataFrame,
    candidates: pd.DataFrame,
    *,
    system: str,
    evaluable: NDArray[np.bool_] | None = None,
    unknown: float = 0.0,
) -> CandidateScores:
    """Pick the candidates of each case out of its scores against all genes.

    Args:
        chunks: slices of `cases` with their scores [n, len(genes)], covering all cases in order.
        genes: columns of the scores.
        cases: case_id, in the order that the chunks were made from.
        candidates: case_id, candidate_genes; one row per case. Cases without a list are left out.
        system: label of the result.
        evaluable: which cases have a usable term, [n_cases]; the others get NaN scores. Default all.
        unknown: score of a candidate that the system does not know; the lowest its scale has (0 for a similarity,
            -inf for a log ratio), or unknown genes would stand before known ones that do not fit.

    Returns:
        The scored table.

    Raises:
        BadInputError: a list of a case that was not given, or several lists of one case.
    """
    lists = candidates.set_index("case_id")["candidate_genes"]
    _require_lists(lists, cases)
    flat = _flat(lists, cases["case_id"])
    column = pd.Index(list(genes)).get_indexer(pd.Index(flat["gene"]))
    score = _gather(chunks, flat["case"].to_numpy(), column, len(cases), unknown)
    if evaluable is not None:
        score[~evaluable[flat["case"].to_numpy()]] = np.nan
    scored = flat.assign(
        system=pd.array([system] * len(flat), dtype="str"),
        case_id=cases["case_id"].to_numpy()[flat["case"].to_numpy()],
        score=score,
    )
    report = {
        "cases": len(lists),
        "candidates": len(flat),
        "candidates_unknown": int((column < 0).sum()),
        "cases_not_scored": int(flat.loc[np.isnan(score), "case"].nunique()),
    }
    table = scored.sort_values(["case_id", "candidate_index"], ignore_index=True)[list(SCORED_COLUMNS)]
    return CandidateScores(table, report)


def _flat(lists: pd.Series, case_ids: pd.Series) -> pd.DataFrame:
    """One row per candidate: case (position in `case_ids`, ascending), gene, candidate_index."""
    row = pd.Index(case_ids).get_indexer(pd.Index(lists.index))
    order = np.argsort(row)
    flat = pd.DataFrame(
        {
            "case": np.repeat(row[order], lists.iloc[order].map(len)),
            "gene": pd.array([gene for genes in lists.iloc[order] for gene in genes], dtype="str"),
        }
    )
    return flat.assign(candidate_index=flat.groupby("case").cumcount())


def nothing_scored() -> pd.DataFrame:
    """The scored table without a row, for a profile that does not run a system."""
    text = {name: pd.Series(dtype="str") for name in ("system", "case_id", "gene")}
    table = pd.DataFrame({**text, "score": pd.Series(dtype="float64"), "candidate_index": pd.Series(dtype="int64")})
    return table[list(SCORED_COLUMNS)]


def _gather(
    chunks: ScoreChunks, case: NDArray[np.intp], column: NDArray[np.intp], n_cases: int, unknown: float
) -> NDArray[np.float64]:
    """Score of each (case, column), cases ascending; `unknown` where the column is -1."""
    score = np.full(len(case), unknown)
    done = 0
    for part, block in chunks:
        done += len(block)
        first, last = np.searchsorted(case, [part.start, part.start + len(block)])
        inside = slice(first, last)
        found = block[case[inside] - part.start, column[inside]]
        score[inside] = np.where(column[inside] >= 0, found, unknown)
    if done != n_cases:
        raise BadInputError("scoring candidate lists", f"scores of {done} cases for {n_cases} cases")
    return score


def _require_lists(lists: pd.Series, cases: pd.DataFrame) -> None:
    if not lists.index.is_unique:
        raise BadInputError("scoring candidate lists", "several lists of one case", "pass one difficulty at a time")
    missing = lists.index.difference(pd.Index(cases["case_id"]))
    if len(missing):
        raise BadInputError(
            "scoring candidate lists",
            f"{len(missing)} lists of cases that were not given, the first {missing[0]}",
            "pass the cases that the lists were made for",
        )
