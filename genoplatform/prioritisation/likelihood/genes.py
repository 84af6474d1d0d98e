"""From scores of diseases to scores of genes: a gene is as likely as its best disease.

Here: disease-gene links on score columns. Not here: how a disease is scored, or ranks and ties.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import EmptyResultError


@dataclass(frozen=True)
class GeneDiseases:
    """Diseases of each gene.

    Attributes:
        genes: symbols in code-point order, each with at least one scored disease.
        offsets: start of each gene in `disease`, [n_genes].
        disease: column of each link's disease, ascending within a gene, [n_links].
    """

    genes: list[str]
    offsets: NDArray[np.intp]
    disease: NDArray[np.intp]

    @classmethod
    def from_links(cls, links: pd.DataFrame, diseases: Sequence[str]) -> GeneDiseases:
        """Build from links; those of diseases that are not scored are ignored.

        Args:
            links: disease_id, gene_symbol.
            diseases: the columns of the score matrices.

        Raises:
            EmptyResultError: no link to a scored disease.
        """
        pairs = links[["gene_symbol", "disease_id"]].drop_duplicates()
        column = pd.Index(list(diseases)).get_indexer(pd.Index(pairs["disease_id"]))
        pairs = pairs.assign(column=column)[column >= 0].sort_values(["gene_symbol", "column"], ignore_index=True)
        if pairs.empty:
            found = f"{len(links)} links, none to one of {len(diseases)} diseases"
            raise EmptyResultError("linking genes to diseases", found, "use links of the same release")
        genes = pairs["gene_symbol"].drop_duplicates()
        return cls(genes.tolist(), genes.index.to_numpy(np.intp), pairs["column"].to_numpy(np.intp))

    def diseases_of(self, gene: str) -> NDArray[np.intp]:
        """Columns of a gene's diseases; none for an unknown gene."""
        at = bisect_left(self.genes, gene)
        if at == len(self.genes) or self.genes[at] != gene:
            return np.empty(0, dtype=np.intp)
        return self.disease[self.offsets[at] : self.offsets[at + 1] if at + 1 < len(self.genes) else None]

    def best(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Largest score among each gene's diseases: [n, n_diseases] to [n, n_genes]."""
        linked = scores[:, self.disease]
        return np.asarray(np.maximum.reduceat(linked, self.offsets, axis=1), dtype=np.float64)
