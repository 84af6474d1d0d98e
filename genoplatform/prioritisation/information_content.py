"""Information content of ontology terms from how many items (genes or diseases) carry them.

Here: counts after propagation to ancestors, and -ln(count/total). Not here: which items and annotations are
counted (annotations.py), nor any similarity built on it (resnik.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError, EmptyResultError

# Every content is a whole multiple of this step, so a double holds sums of up to 2**13 of them without any
# rounding: scores do not depend on the order of summation, and equal profiles tie exactly. The step moves a
# content by at most 7.3e-12.
STEP = 2.0**-36


@dataclass(frozen=True)
class InformationContent:
    """IC(t) = -ln(c_t / N), with c_t items annotated to t or a descendant; terms without any count 0.

    Terms carry a small integer code that grows with their content (N - c_t), so that maxima over common
    ancestors are taken on two-byte integers and looked up once.

    Attributes:
        counts: c_t, [n_terms].
        n_items: N, items with at least one annotation.
        codes: N - c_t, 0 where c_t = 0, [n_terms].
        table: content in nats of each code, whole multiples of STEP, [N + 1].
    """

    counts: NDArray[np.int64]
    n_items: int
    codes: NDArray[np.uint16]
    table: NDArray[np.float64]

    @classmethod
    def from_counts(cls, counts: NDArray[np.int64], n_items: int) -> InformationContent:
        """Build from propagated counts [n_terms]. Raises EmptyResultError when nothing is annotated."""
        if n_items < 1:
            raise EmptyResultError("computing information content", "no annotated item", "check the knowledge base")
        if n_items > np.iinfo(np.uint16).max:
            raise BadInputError("computing information content", f"{n_items} items", "at most 65,535 are supported")
        codes = np.where(counts > 0, n_items - counts, 0).astype(np.uint16)
        share = (n_items - np.arange(n_items)) / n_items
        content = np.round(-np.log(share) / STEP) * STEP + 0.0
        return cls(counts, n_items, codes, np.append(content, 0.0))

    @property
    def values(self) -> NDArray[np.float64]:
        """Content of every term in nats, [n_terms]."""
        return self.table[self.codes]


def propagate(profiles: csr_array, ancestors: csr_array) -> csr_array:
    """Extend profiles [n_items, n_terms] to every (reflexive) ancestor [n_terms, n_terms]; entries are 1."""
    full = csr_array(profiles.astype(np.int32) @ ancestors.astype(np.int32))
    full.data = np.ones(full.nnz, dtype=np.int8)
    full.sort_indices()
    return full


def information_content(propagated: csr_array) -> InformationContent:
    """Content from propagated profiles [n_items, n_terms]; items without a term do not count towards N."""
    counts = np.bincount(propagated.indices, minlength=propagated.shape[1]).astype(np.int64)
    n_items = int(np.count_nonzero(np.diff(propagated.indptr)))
    return InformationContent.from_counts(counts, n_items)
