"""The acceptance gate of a finished cohort: every failure, not the first.

Here: the published conditions on cases and lists. Not here: declared table checks of the platform.
Source: geno_agent acceptance gate (3 terms, 50 unique candidates, causal gene among them, categories within 20 %
of a quarter of the cohort).
"""

from __future__ import annotations

import pandas as pd

from genoplatform.cohort.candidates import N_DISTRACTORS
from genoplatform.cohort.inclusion import MIN_HPO_TERMS

CATEGORY_TOLERANCE = 0.20
N_CATEGORIES = 4


def gate_failures(
    cases: pd.DataFrame, candidates: pd.DataFrame, *, n_candidates: int = N_DISTRACTORS + 1, balanced: bool = True
) -> pd.DataFrame:
    """Everything that keeps a cohort from being accepted.

    Args:
        cases: case table.
        candidates: candidate lists of one difficulty.
        n_candidates: length of a list.
        balanced: also ask each category to hold n/4 within 20 %, which only the released design promises.

    Returns:
        columns rule, subject (case id or category), detail; empty when accepted.
    """
    joined = cases[["case_id", "causal_gene", "hpo_terms"]].merge(candidates, on="case_id", how="left")
    found: list[tuple[str, str, str]] = []
    for row in joined.itertuples(index=False):
        found.extend(_case_failures(row, n_candidates))
    if balanced:
        found.extend(_balance_failures(cases))
    return pd.DataFrame(found, columns=["rule", "subject", "detail"], dtype="str")


def _case_failures(row: object, n_candidates: int) -> list[tuple[str, str, str]]:
    case_id, genes = str(getattr(row, "case_id", "")), getattr(row, "candidate_genes", None)
    terms = getattr(row, "hpo_terms", [])
    out = []
    if len(terms) < MIN_HPO_TERMS:
        out.append(("min_hpo_terms", case_id, f"{len(terms)} terms"))
    if not isinstance(genes, list):
        return [*out, ("has_candidates", case_id, "no candidate list")]
    if len(genes) != n_candidates or len(set(genes)) != n_candidates:
        out.append(("n_candidates", case_id, f"{len(genes)} genes, {len(set(genes))} distinct"))
    causal, at = getattr(row, "causal_gene", ""), int(getattr(row, "causal_index", -1))
    if not 0 <= at < len(genes) or genes[at] != causal:
        out.append(("causal_in_list", case_id, f"{causal} is not at index {at}"))
    return out


def _balance_failures(cases: pd.DataFrame) -> list[tuple[str, str, str]]:
    share = len(cases) / N_CATEGORIES
    counts = cases["category"].value_counts().sort_index()
    return [
        ("category_balance", str(category), f"{n} cases, {share:.2f} +/- {CATEGORY_TOLERANCE * share:.2f} allowed")
        for category, n in counts.items()
        if abs(n - share) > CATEGORY_TOLERANCE * share
    ]
