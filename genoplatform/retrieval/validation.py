"""Validation of an index as a substrate for genes (rare_disease.md sections 2.7 and 4.5).

Source recall: does a case's gene, or its phenotype, find the article the case was published in? Symbol grounding: do
the chunks found for a gene name it? Coverage: how many articles does a gene find?
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd

from genoplatform.retrieval.hits import Hit, Searcher

T = TypeVar("T")
_AT_ONCE = 64
GROUNDING = "retrieval_substrate_symbol_grounding"


class NothingFound:
    """A `Searcher` that finds nothing: of a profile without an index."""

    def search(self, queries: Sequence[str], **options: object) -> list[list[Hit]]:
        """No hits."""
        return [[] for _ in queries]


@dataclass(frozen=True)
class SourceCase:
    """A case whose own publication is in the index."""

    case_id: str
    gene: str
    labels: str
    pmcid: str


def eligible_cases(cases: pd.DataFrame, labels: Mapping[str, str], articles: Mapping[str, str]) -> list[SourceCase]:
    """Cases whose publication is indexed.

    Args:
        cases: case_id, causal_gene, hpo_terms (primary ids), source_pmid ("PMID:n" or "").
        labels: HPO id -> name.
        articles: PMID (digits) -> pmcid of the indexed articles. The corpus itself says which PMID an article has, so
            no identifier service is asked.
    """
    found = []
    columns = [cases.sort_values("case_id")[name] for name in ("case_id", "causal_gene", "hpo_terms", "source_pmid")]
    for case_id, gene, terms, source in zip(*columns, strict=True):
        pmcid = articles.get(str(source).removeprefix("PMID:"))
        if pmcid:
            words = " ".join(labels[term] for term in terms if term in labels)
            found.append(SourceCase(case_id, gene, words, pmcid))
    return found


def source_recall(searcher: Searcher, cases: Sequence[SourceCase], depths: Sequence[int], depth: int) -> pd.DataFrame:
    """Recall of the source article among the parents of the first chunks (check A).

    Returns:
        query (gene or hpo), depth, cases, found, recall (NaN without cases), sorted by query and depth.
    """
    rows = []
    for name, queries in (("gene", [case.gene for case in cases]), ("hpo", [case.labels for case in cases])):
        places = [
            next((place for place, hit in enumerate(hits, 1) if hit.pmcid == case.pmcid), None)
            for case, hits in zip(cases, _searched(searcher, queries, depth), strict=True)
        ]
        for limit in sorted(depths):
            found = sum(place is not None and place <= limit for place in places)
            rows.append((name, limit, len(cases), found, found / len(cases) if cases else float("nan")))
    table = pd.DataFrame(rows, columns=["query", "depth", "cases", "found", "recall"])
    return table.astype({"query": "str", "depth": "int64", "cases": "int64", "found": "int64", "recall": "float64"})


def sampled_genes(genes: Sequence[str], number: int, seed: int) -> list[str]:
    """The paper's sample: `random.Random` seeded with the big-endian BLAKE2b-64 of "seed|retrieval_substrate_...".

    Args:
        genes: causal genes; their sorted distinct symbols are drawn from.
        number: genes, at most.
        seed: the global seed.
    """
    distinct = sorted(set(genes))
    digest = hashlib.blake2b(f"{seed}|{GROUNDING}".encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big")).sample(distinct, min(number, len(distinct)))


def symbol_grounding(searcher: Searcher, genes: Sequence[str], depth: int) -> pd.DataFrame:
    """Share of the chunks found for each gene that name it as a word (check B).

    Returns:
        gene, chunks, share (case-sensitive, as in the paper), share_any_case; sorted by gene. Text of long sections is
        the tokenizer's, all lower case, so the first share misses symbols that a reader would see.
    """
    rows = []
    for gene, hits in zip(genes, _searched(searcher, genes, depth), strict=True):
        exact = re.compile(rf"\b{re.escape(gene)}\b")
        loose = re.compile(exact.pattern, re.IGNORECASE)
        number = max(len(hits), 1)
        shares = (sum(bool(pattern.search(hit.text)) for hit in hits) / number for pattern in (exact, loose))
        rows.append((gene, len(hits), *shares))
    columns = ["gene", "chunks", "share", "share_any_case"]
    table = pd.DataFrame(rows, columns=columns).sort_values("gene", ignore_index=True)
    return table.astype({"gene": "str", "chunks": "int64", "share": "float64", "share_any_case": "float64"})


def article_coverage(searcher: Searcher, genes: Sequence[str], depth: int, least: int) -> pd.DataFrame:
    """Distinct articles that a hybrid search of each gene symbol finds (section 4.5).

    Args:
        searcher: over the index.
        genes: symbols; distinct ones are asked once.
        depth: chunks, on either side and after fusion.
        least: articles a covered gene has.

    Returns:
        gene, articles, covered; sorted by gene.
    """
    distinct = sorted(set(genes))
    counts = [len({hit.pmcid for hit in hits}) for hits in _searched(searcher, distinct, depth)]
    table = pd.DataFrame({"gene": distinct, "articles": counts}).astype({"gene": "str", "articles": "int64"})
    return table.assign(covered=table["articles"] >= least)


def replacements(
    failed: Sequence[str], groups: Mapping[str, str], sample: Sequence[str], passes: Callable[[str], bool], seed: int
) -> dict[str, str | None]:
    """Who stands in for each case that is not covered (section 4.5).

    Args:
        failed: case ids that are not covered, in order.
        groups: case id -> category, of every case that could be drawn.
        sample: case ids drawn.
        passes: whether a case is covered.
        seed: of one generator, whose state moves on from case to case.

    Returns:
        Failed case -> its replacement, the first of its category's shuffled remaining cases that passes; None: no one.
    """
    rng = random.Random(seed)
    taken = set(sample)
    chosen: dict[str, str | None] = {}
    for case in failed:
        rest = sorted(other for other, group in groups.items() if group == groups[case] and other not in taken)
        rng.shuffle(rest)
        chosen[case] = next((other for other in rest if passes(other)), None)
        taken |= {chosen[case] or case}
    return chosen


def _searched(searcher: Searcher, queries: Sequence[str], depth: int) -> Iterator[list[Hit]]:
    """Hybrid hits with both sides `depth` deep, some queries at a time: what is held does not grow with the cohort."""
    for group in _groups(queries, _AT_ONCE):
        yield from searcher.search(group, limit=depth, prefetch=depth)


def _groups(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))
