"""Resnik best-match similarity of a case to every gene.

Here: the two formulas that the literature both calls "best-match average", named for what they do, and the
scorer that runs them over whole cohorts in bounded memory. Not here: sums of best matches (best_match.py),
candidate lists and ranks (ranking.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import SettingsError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.annotations import Corpus, KnowledgeBase
from genoplatform.prioritisation.best_match import BestMatch, Profiles
from genoplatform.prioritisation.information_content import information_content, propagate
from genoplatform.prioritisation.propagation import LevelSchedule
from genoplatform.prioritisation.queries import Queries, build_queries
from genoplatform.prioritisation.threads import ordered_map

Formula = Literal["average_of_means", "pooled_mean"]
FORMULAS: tuple[Formula, ...] = get_args(Formula)

# Cases scored in one pass: enough to share the rows of common terms, few enough to stay near 100 MB.
CHUNK = 256


@dataclass(frozen=True)
class ResnikScorer:
    """Scores cases against all genes of a knowledge base.

    Attributes:
        genes: column labels of every score matrix, code-point order.
        graph: ontology of the knowledge base.
        profiles: gene profiles.
        best_match: best-match sums under the declared information content.
        formula: how the two sums become a score.
        corpus: what information content was counted over.
    """

    genes: list[str]
    graph: OntologyGraph
    profiles: Profiles
    best_match: BestMatch
    formula: Formula
    corpus: Corpus

    @classmethod
    def from_knowledge_base(
        cls, kb: KnowledgeBase, *, formula: Formula = "average_of_means", corpus: Corpus = "genes"
    ) -> ResnikScorer:
        """Prepare the scorer; information content is counted over the genes or the diseases of `kb`."""
        if formula not in FORMULAS:
            raise SettingsError("choosing a best-match formula", repr(formula), "one of " + ", ".join(FORMULAS))
        ancestors = csr_array(kb.graph.ancestors)
        profiles = Profiles.from_direct(kb.direct, ancestors)
        counted = profiles.propagated if corpus == "genes" else propagate(kb.corpus_profiles(corpus), ancestors)
        schedule = LevelSchedule.from_parents(csr_array(kb.graph.parents))
        best_match = BestMatch(ancestors, schedule, information_content(counted))
        return cls(kb.genes, kb.graph, profiles, best_match, formula, corpus)

    def queries(self, cases_terms: Sequence[Sequence[str]]) -> Queries:
        """Resolve the observed terms of each case; alternative ids are mapped, unknown terms counted out."""
        return build_queries(cases_terms, self.graph)

    def score(self, matrix: csr_array) -> NDArray[np.float64]:
        """Scores of resolved cases [n_cases, n_terms] against all genes, [n_cases, n_genes], in nats."""
        return similarity(self.best_match, matrix, self.profiles, self.formula)

    def iter_scores(
        self, queries: Queries, *, chunk: int = CHUNK, workers: int = 1
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their scores [n, n_genes]) in order; memory does not grow with the cohort."""
        parts = case_slices(queries.matrix.shape[0], chunk)
        blocks = ordered_map(lambda part: self.score(queries.matrix[part]), parts, workers)
        yield from zip(parts, blocks, strict=True)

    def score_all(
        self, cases_terms: Sequence[Sequence[str]], *, chunk: int = CHUNK, workers: int = 1
    ) -> NDArray[np.float64]:
        """All scores at once, [n_cases, n_genes], 0 for a case without a usable term; see iter_scores."""
        scores = np.empty((len(cases_terms), len(self.genes)))
        for part, block in self.iter_scores(self.queries(cases_terms), chunk=chunk, workers=workers):
            scores[part] = block
        return scores


def case_slices(n_cases: int, chunk: int) -> list[slice]:
    """Slices of at most `chunk` cases that cover all of them in order."""
    return [slice(start, min(start + chunk, n_cases)) for start in range(0, n_cases, chunk)]


def similarity(best_match: BestMatch, queries: csr_array, profiles: Profiles, formula: Formula) -> NDArray[np.float64]:
    """Best-match similarity of each query to each profile, 0 where either has no term.

    average_of_means: half the mean over query terms plus half the mean over profile terms of the best match.
    pooled_mean: the mean over the best matches of all terms of both.

    Args:
        best_match: sums under one information content.
        queries: [n_queries, n_terms].
        profiles: n_items profiles.
        formula: one of FORMULAS.

    Returns:
        [n_queries, n_items], in nats.
    """
    n_query = np.diff(queries.indptr).astype(np.float64)[:, None]
    n_item = profiles.sizes.astype(np.float64)[None, :]
    of_query = best_match.query_sums(queries, profiles)
    of_item = best_match.profile_sums(queries, profiles)
    if formula == "pooled_mean":
        of_query += of_item
        of_query /= np.maximum(n_query + n_item, 1.0)
        return of_query
    of_query /= np.maximum(n_query, 1.0)
    of_item /= np.maximum(n_item, 1.0)
    of_query += of_item
    of_query *= 0.5
    return of_query
