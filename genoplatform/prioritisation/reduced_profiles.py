"""Gene profiles after a publication is removed.

Here: the few genes that a removal changes, as profiles of their own. Not here: which edges are lost
(evidence.py), scoring (counterfactual.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.prioritisation.best_match import Profiles
from genoplatform.prioritisation.information_content import InformationContent

Ids = NDArray[np.intp]


@dataclass(frozen=True)
class ReducedProfiles:
    """One item per (removal, changed gene); a gene that lost every term keeps an empty profile.

    Attributes:
        removal: position of the removal, ascending, [n_items].
        gene: row of the gene in the full profiles, [n_items].
        profiles: what is left of each gene.
    """

    removal: Ids
    gene: Ids
    profiles: Profiles

    @classmethod
    def from_losses(cls, full: Profiles, losses: Sequence[Ids], ancestors: csr_array) -> ReducedProfiles:
        """Reduce `full` by each removal of `losses`: positions of lost entries in `full.direct`."""
        direct = full.direct
        gene_of = np.repeat(np.arange(len(full.sizes)), full.sizes)
        removals: list[int] = []
        genes: list[int] = []
        terms: list[NDArray[np.int32]] = []
        for number, lost in enumerate(losses):
            for gene in np.unique(gene_of[lost]):
                entries = np.arange(direct.indptr[gene], direct.indptr[gene + 1])
                removals.append(number)
                genes.append(int(gene))
                terms.append(direct.indices[np.setdiff1d(entries, lost, assume_unique=True)])
        left = _rows(terms, int(direct.shape[1]))
        return cls(np.array(removals, np.intp), np.array(genes, np.intp), Profiles.from_direct(left, ancestors))

    def content(self, full: Profiles, before: InformationContent) -> InformationContent:
        """Information content over genes after a single removal, from the content before it."""
        n_terms = len(before.counts)
        taken = np.bincount(full.propagated[self.gene].indices, minlength=n_terms)
        left = np.bincount(self.profiles.propagated.indices, minlength=n_terms)
        emptied = int((self.profiles.sizes == 0).sum())
        return InformationContent.from_counts(before.counts - taken + left, before.n_items - emptied)


def _rows(terms: Sequence[NDArray[np.int32]], n_terms: int) -> csr_array:
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in terms], dtype=np.intp)])
    columns = np.concatenate([np.empty(0, np.int32), *terms])
    return csr_array((np.ones(len(columns), np.int8), columns, offsets), shape=(len(terms), n_terms))
