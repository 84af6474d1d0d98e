"""Scores of each case against the knowledge base without the case's own publication.

Here: removing what a publication alone supports and scoring again, exactly. Not here: which edges those are
(evidence.py), ranks (ranking.py), and the estimates made from both (genoplatform.inference).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.best_match import BestMatch
from genoplatform.prioritisation.evidence import EvidenceIndex
from genoplatform.prioritisation.queries import Queries
from genoplatform.prioritisation.reduced_profiles import ReducedProfiles
from genoplatform.prioritisation.resnik import CHUNK, ResnikScorer, case_slices, similarity
from genoplatform.prioritisation.threads import ordered_map

Scope = Literal["all_diseases", "own_disease"]
ContentMode = Literal["fixed", "recomputed"]
# What is removed for a case: a publication, and the diseases it is removed from (None = all).
Removal = tuple[str, tuple[str, ...] | None]


@dataclass(frozen=True)
class Counterfactual:
    """Scores cases as if their own publication had never been read into the knowledge base.

    Attributes:
        scorer: the ranker, over the knowledge base that `index` was made from.
        index: support of every gene-term edge.
        scope: remove the publication's rows of "all_diseases", or of the case's "own_disease" only.
        content: information content "fixed" at the full knowledge base, so that the difference between two
            scores is the removed annotations and nothing else, and cases share their work; or "recomputed"
            without them. A term that only the removed publication gave to a gene becomes rarer elsewhere, which
            moved a score by at most 0.025 nats and no rank in the released cohort.
    """

    scorer: ResnikScorer
    index: EvidenceIndex
    scope: Scope = "all_diseases"
    content: ContentMode = "fixed"

    def __post_init__(self) -> None:
        if self.content == "recomputed" and self.scorer.corpus != "genes":
            raise SettingsError(
                "removing a publication from the information content",
                f"content counted over {self.scorer.corpus}",
                'use content="fixed", or count over genes',
            )

    def iter_scores(
        self, cases: pd.DataFrame, queries: Queries, *, chunk: int = CHUNK, workers: int = 1
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their scores [n, n_genes]) in order, as ResnikScorer.iter_scores does.

        Args:
            cases: source_pmid ("" = nothing is removed), disease_ids.
            queries: the resolved terms of the same cases.
            chunk: cases in memory at a time.
            workers: threads.
        """
        removals = self._removals(cases)
        score = self._fixed if self.content == "fixed" else self._recomputed
        parts = case_slices(len(removals), chunk)
        blocks = ordered_map(lambda part: score(removals[part], queries.matrix[part]), parts, workers)
        yield from zip(parts, blocks, strict=True)

    def summary(self, cases: pd.DataFrame) -> pd.DataFrame:
        """What is removed for each case; an edge is a gene with one of its terms.

        Args:
            cases: case_id, causal_gene, source_pmid, disease_ids.

        Returns:
            case_id, edges_removed, genes_affected, genes_emptied, causal_terms (before), causal_terms_removed;
            in the order of `cases`.
        """
        removals = self._removals(cases)
        sizes = self.scorer.profiles.sizes
        gene_of = np.repeat(np.arange(len(sizes)), sizes)
        lost = {removal: gene_of[self.index.lost_edges(*removal)] for removal in set(removals)}
        causal = pd.Index(self.scorer.genes).get_indexer(pd.Index(cases["causal_gene"]))
        rows = []
        for removal, at in zip(removals, causal, strict=True):
            genes, removed = np.unique(lost[removal], return_counts=True)
            emptied = int((removed == sizes[genes]).sum())
            before = int(sizes[at]) if at >= 0 else 0
            rows.append((len(lost[removal]), len(genes), emptied, before, int(removed[genes == at].sum())))
        columns = ["edges_removed", "genes_affected", "genes_emptied", "causal_terms", "causal_terms_removed"]
        table = pd.DataFrame(rows, columns=columns).astype("int64")
        table.insert(0, "case_id", cases["case_id"].array)
        return table

    def _removals(self, cases: pd.DataFrame) -> list[Removal]:
        own = self.scope == "own_disease"
        return [
            (pmid, tuple(diseases) if own else None)
            for pmid, diseases in zip(cases["source_pmid"], cases["disease_ids"], strict=True)
        ]

    def _reduced(self, removals: Sequence[Removal]) -> ReducedProfiles:
        losses = [self.index.lost_edges(*removal) for removal in removals]
        return ReducedProfiles.from_losses(self.scorer.profiles, losses, self.scorer.best_match.ancestors)

    def _fixed(self, removals: Sequence[Removal], queries: csr_array) -> NDArray[np.float64]:
        """All cases together: the full scores, with the changed genes of each removal scored as extra items."""
        number = {removal: at for at, removal in enumerate(dict.fromkeys(removals))}
        of_case = np.array([number[removal] for removal in removals], dtype=np.intp)
        return self._scores(queries, of_case, self._reduced(list(number)), self.scorer.best_match)

    def _recomputed(self, removals: Sequence[Removal], queries: csr_array) -> NDArray[np.float64]:
        """Cases of one removal at a time, since each has an information content of its own."""
        scorer = self.scorer
        scores = np.empty((len(removals), len(scorer.genes)))
        for removal in dict.fromkeys(removals):
            mine = np.flatnonzero([other == removal for other in removals])
            reduced = self._reduced([removal])
            content = reduced.content(scorer.profiles, scorer.best_match.content)
            best_match = replace(scorer.best_match, content=content)
            scores[mine] = self._scores(queries[mine], np.zeros(len(mine), np.intp), reduced, best_match)
        return scores

    def _scores(
        self, queries: csr_array, of_case: NDArray[np.intp], reduced: ReducedProfiles, best_match: BestMatch
    ) -> NDArray[np.float64]:
        scores = similarity(best_match, queries, self.scorer.profiles, self.scorer.formula)
        changed = similarity(best_match, queries, reduced.profiles, self.scorer.formula)
        case, item = np.nonzero(of_case[:, None] == reduced.removal[None, :])
        scores[case, reduced.gene[item]] = changed[case, item]
        return scores
