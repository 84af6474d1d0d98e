"""Which packets become cases: the five exclusion rules of the published pipeline, in their order.

Here: the rules and what they drop. Not here: resolving ontology terms, categories, sampling.
Source: the geno_agent cohort definition (at least 3 terms, one ascertained gene, a disease, no chromosomal or
mitochondrial disorder).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

MIN_HPO_TERMS = 3
EXCLUDED_ROOTS = ("MONDO:0019042", "MONDO:0044970")  # chromosomal, mitochondrial
ASCERTAINED = frozenset({"CAUSATIVE", "CONTRIBUTORY", ""})
REASONS = ("few_hpo", "no_single_gene", "multi_gene", "no_disease", "excluded_disease")


@dataclass(frozen=True)
class Inclusion:
    """Attributes: kept (records + causal_gene, mondo_ids), dropped[case_id, reason, detail], report (kept, reasons)."""

    kept: pd.DataFrame
    dropped: pd.DataFrame
    report: dict[str, int]


def first_mondo(mapping: pd.DataFrame) -> dict[str, str]:
    """Disease id -> MONDO id; the first term in ontology order wins.

    Args:
        mapping: columns mondo_id, disease_id (exact matches). MONDO ids order as their numbers do.
    """
    ordered = mapping.sort_values("mondo_id", kind="stable").drop_duplicates("disease_id")
    return dict(zip(ordered["disease_id"], ordered["mondo_id"], strict=True))


def terms_under(ancestors: pd.DataFrame, roots: Sequence[str]) -> frozenset[str]:
    """Ids with one of ``roots`` among their reflexive ancestors (columns id, ancestor)."""
    return frozenset(ancestors.loc[ancestors["ancestor"].isin(list(roots)), "id"])


def apply_inclusion(
    records: pd.DataFrame,
    mapping: pd.DataFrame,
    ancestors: pd.DataFrame,
    *,
    min_terms: int = MIN_HPO_TERMS,
    excluded_roots: Sequence[str] = EXCLUDED_ROOTS,
) -> Inclusion:
    """Apply the five rules; a case leaves at the first it breaks.

    Args:
        records: ``PhenopacketRelease.records``.
        mapping: exact matches, columns mondo_id, disease_id.
        ancestors: reflexive MONDO ancestors, columns id, ancestor.
        min_terms: fewest distinct observed HPO terms.
        excluded_roots: MONDO roots whose descendants, roots included, are left out.

    Returns:
        Kept records, in the order given, with causal_gene and mondo_ids. A disease without a MONDO id
        excludes nobody.
    """
    to_mondo, barred = first_mondo(mapping), terms_under(ancestors, excluded_roots)
    verdicts = [
        _verdict(terms, symbols, statuses, _mondo_ids(diseases, to_mondo), bool(diseases), min_terms, barred)
        for terms, symbols, statuses, diseases in zip(
            records["hpo_terms"], records["gene_symbols"], records["gene_statuses"], records["disease_ids"], strict=True
        )
    ]
    table = pd.DataFrame(verdicts, columns=["reason", "detail", "causal_gene", "mondo_ids"], index=records.index)
    keep = table["reason"] == ""
    kept = records.assign(causal_gene=table["causal_gene"], mondo_ids=table["mondo_ids"])[keep]
    dropped = table.loc[~keep, ["reason", "detail"]]
    dropped.insert(0, "case_id", records.loc[~keep, "case_id"])
    counts = Counter(dropped["reason"])
    report = {"kept": len(kept)} | {reason: counts[reason] for reason in REASONS}
    return Inclusion(kept.reset_index(drop=True), dropped.reset_index(drop=True), report)


def _mondo_ids(diseases: Sequence[str], to_mondo: Mapping[str, str]) -> list[str]:
    resolved = (d if d.startswith("MONDO:") else to_mondo.get(d) for d in diseases)
    return list(dict.fromkeys(m for m in resolved if m))


def _verdict(
    terms: Sequence[str],
    symbols: Sequence[str],
    statuses: Sequence[str],
    mondo: list[str],
    has_disease: bool,
    min_terms: int,
    barred: frozenset[str],
) -> tuple[str, str, str, Any]:
    genes = sorted({s for s, status in zip(symbols, statuses, strict=True) if status in ASCERTAINED})
    hit = [m for m in mondo if m in barred]
    rules = (
        ("few_hpo", len(terms) < min_terms, f"{len(terms)} observed terms"),
        ("no_single_gene", not genes, "no ascertained gene"),
        ("multi_gene", len(genes) > 1, ", ".join(genes)),
        ("no_disease", not has_disease, "no disease"),
        ("excluded_disease", bool(hit), ", ".join(hit)),
    )
    reason, detail = next(((name, why) for name, broken, why in rules if broken), ("", ""))
    return reason, detail, genes[0] if genes else "", mondo
