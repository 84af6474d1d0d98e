"""The model-free floor: what a plain similarity already finds, whatever the tie rule.

Belongs here: the split of cases by whether a distractor is as similar as the causal gene, the bounds it sets on
the top-1 rate of a ranker without any model, and tie bounds of a score at any depth beside chance.
Does not belong here: computing similarities (prioritisation), or bounds on comparisons (`bounds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.inference.candidate_lists import CandidateLists

TIE_TOLERANCE = 1e-9


def difficulty_tie_split(similarity: pd.DataFrame, tolerance: float = TIE_TOLERANCE) -> pd.DataFrame:
    """Compare the most similar distractor with the causal gene, case by case.

    Args:
        similarity: difficulty, case_id, causal_similarity, hardest_distractor_similarity.
        tolerance: similarities closer than this are a tie.

    Returns:
        One row per difficulty with counts and percentages (2 decimals): n_cases, matches_or_exceeds_n/_pct,
        strict_exceeds_n/_pct, tie_at_zero_n/_pct (both are 0: no informative annotation, not a competitor),
        tie_above_zero_n/_pct, causal_bma_is_zero_n.
    """
    causal = similarity["causal_similarity"].to_numpy(dtype=np.float64)
    rival = similarity["hardest_distractor_similarity"].to_numpy(dtype=np.float64)
    if np.isnan(causal).any() or np.isnan(rival).any():
        raise BadInputError("splitting cases by difficulty", "a case lacks a similarity")
    tie = np.abs(rival - causal) <= tolerance
    strict = ~tie & (rival > causal)
    zero = causal <= tolerance
    flags = pd.DataFrame(
        {
            "difficulty": similarity["difficulty"].to_numpy(),
            "matches_or_exceeds": strict | tie,
            "strict_exceeds": strict,
            "tie_at_zero": tie & zero,
            "tie_above_zero": tie & ~zero,
            "causal_bma_is_zero": zero,
        }
    )
    groups = flags.groupby("difficulty", sort=True)
    counts = groups.sum().astype("int64").add_suffix("_n")
    counts.insert(0, "n_cases", groups.size())
    for name in ("matches_or_exceeds", "strict_exceeds", "tie_at_zero", "tie_above_zero"):
        at = list(counts.columns).index(f"{name}_n")
        counts.insert(at + 1, f"{name}_pct", (100.0 * counts[f"{name}_n"] / counts["n_cases"]).round(2))
    return counts.reset_index()


def hardest_distractor(scored: pd.DataFrame) -> pd.DataFrame:
    """Causal and largest distractor score of each case.

    Args:
        scored: case_id, is_causal (bool), score; one row per candidate.

    Returns:
        case_id, causal_similarity, hardest_distractor_similarity; a case without either is an error.
    """
    best = scored.groupby(["case_id", "is_causal"])["score"].max().unstack()
    if best.shape[1] != 2 or best.isna().to_numpy().any():
        raise BadInputError("finding the hardest distractor", "a case lacks its causal gene or distractors")
    table = pd.DataFrame({"causal_similarity": best[True], "hardest_distractor_similarity": best[False]})
    return table.reset_index()


def model_free_floor(split: pd.DataFrame, n_candidates: int) -> pd.DataFrame:
    """Top-1 of the similarity alone: ties all lost, ties all won, and the chance level.

    Args:
        split: the result of `difficulty_tie_split`.
        n_candidates: length of a candidate list.

    Returns:
        difficulty, n_cases, lower_hits, upper_hits, lower, upper, chance.
    """
    n = split["n_cases"]
    lower, upper = n - split["matches_or_exceeds_n"], n - split["strict_exceeds_n"]
    return pd.DataFrame(
        {
            "difficulty": split["difficulty"],
            "n_cases": n,
            "lower_hits": lower,
            "upper_hits": upper,
            "lower": lower / n,
            "upper": upper / n,
            "chance": 1.0 / n_candidates,
        }
    )


def tie_bounds(lists: CandidateLists, depths: Sequence[int] = (1, 5, 10)) -> pd.DataFrame:
    """Top-k rates of each system's score if ties went against the causal gene, at random, or its way.

    Returns:
        system, top_k, n, lower, expected, upper, chance.
    """
    n_lists, size = lists.scores.shape
    own = lists.scores[np.arange(n_lists), lists.causal][:, None]
    better, block = (lists.scores > own).sum(axis=1), (lists.scores == own).sum(axis=1)
    rows = []
    for system, at in lists.keys.groupby("system", sort=True).indices.items():
        for k in depths:
            share = np.clip((k - better[at]) / block[at], 0.0, 1.0)
            rows.append(
                {
                    "system": system,
                    "top_k": k,
                    "n": len(at),
                    "lower": float((better[at] + block[at] <= k).mean()),
                    "expected": float(share.mean()),
                    "upper": float((better[at] < k).mean()),
                    "chance": min(k / size, 1.0),
                }
            )
    return pd.DataFrame(rows)
