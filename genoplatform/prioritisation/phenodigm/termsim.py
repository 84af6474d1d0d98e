"""Similarity of two ontology terms: the geometric mean of shared ancestry and information content.

Here: sqrt(simJ * IC) of one term against all others. Not here: sets of terms (scores.py).
Source: PhenoDigm (Smedley et al. 2013, Database), as the human phenotype tables of Exomiser are computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.ontology.graph import OntologyGraph

# Bits below which the most informative common ancestor is too general to count as a match.
MIN_CONTENT = 2.5


@dataclass(frozen=True)
class TermSimilarity:
    """Scores pairs of terms.

    simJ is the share of ancestors (each term its own ancestor) that two terms have in common; IC that of their
    most informative common ancestor. A term that no item carries has no content of its own: it meets others,
    and itself, in its ancestors.

    Attributes:
        ancestors: [n_terms, n_terms] reflexive ancestors.
        descendants: their transpose.
        content: information content in bits, [n_terms].
        min_content: pairs whose common ancestor has less score 0.
    """

    ancestors: csr_array
    descendants: csr_array
    content: NDArray[np.float64]
    min_content: float = MIN_CONTENT

    @classmethod
    def from_graph(
        cls, graph: OntologyGraph, content: NDArray[np.float64], min_content: float = MIN_CONTENT
    ) -> TermSimilarity:
        """Prepare from the ontology and the content of its terms in bits."""
        ancestors = csr_array(graph.ancestors.astype(np.float64))
        return cls(ancestors, csr_array(ancestors.T), content, min_content)

    def matches(self, term: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Terms that score above 0 with `term`, ascending, and their scores."""
        common = self._row(self.ancestors, term)
        telling = common[self.content[common] >= self.min_content]
        best = np.zeros(len(self.content))
        for ancestor in telling[np.argsort(self.content[telling], kind="stable")]:
            best[self._row(self.descendants, ancestor)] = self.content[ancestor]
        terms = np.flatnonzero(best)
        mine = np.zeros(len(self.content))
        mine[common] = 1.0
        shared = self.ancestors[terms] @ mine
        sizes = np.diff(self.ancestors.indptr)
        similarity = shared / (len(common) + sizes[terms] - shared)
        return terms, np.sqrt(similarity * best[terms])

    @staticmethod
    def _row(matrix: csr_array, row: int) -> NDArray[np.int32]:
        return np.asarray(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]], dtype=np.int32)
