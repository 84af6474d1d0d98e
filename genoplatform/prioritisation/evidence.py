"""Which gene annotations would not exist without one publication.

Here: for a publication, the gene-term edges that rest on nothing else. Not here: what their loss does to a
score (counterfactual.py).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.annotations import KnowledgeBase

Ids = NDArray[np.intp]


@dataclass(frozen=True)
class EvidenceIndex:
    """Support of every gene-term edge: edge <- disease annotations <- file rows <- publications.

    A row disappears when it cites the removed publication (also when it cites others: it is that paper's
    observation). A disease annotation disappears when all its rows do, an edge when all disease annotations
    behind it do. Rows that cite no publication, and annotations with no row at all, never disappear.

    Attributes:
        pairs: disease_id, hpo_id of each disease annotation (the index is the pair id).
        n_rows: evidence rows of each pair, [n_pairs].
        pair_edges: edges of each pair: (offsets [n_pairs + 1], edge ids). An edge id is a position in the
            knowledge base's `direct` matrix.
        n_supports: pairs behind each edge, [n_edges].
        citing: publication -> (pair ids, rows of that pair citing it).
    """

    pairs: pd.DataFrame
    n_rows: Ids
    pair_edges: tuple[Ids, Ids]
    n_supports: Ids
    citing: dict[str, tuple[Ids, Ids]]

    @classmethod
    def from_knowledge_base(cls, kb: KnowledgeBase) -> EvidenceIndex:
        """Index a knowledge base. Raises BadInputError if it was built without evidence rows."""
        if kb.evidence.empty:
            raise BadInputError(
                "tracing annotations to publications",
                f"a {kb.source} knowledge base without evidence rows",
                "build it with the disease annotation rows of the same release",
            )
        pairs = kb.contributions[["disease_id", "hpo_id"]].drop_duplicates(ignore_index=True)
        lookup = pd.MultiIndex.from_frame(pairs)
        pair = lookup.get_indexer(pd.MultiIndex.from_frame(kb.contributions[["disease_id", "hpo_id"]]))
        edge = _edge_ids(kb)
        order = np.lexsort((edge, pair))
        offsets = np.searchsorted(pair[order], np.arange(len(pairs) + 1))
        evidence = kb.evidence.assign(
            pair=lookup.get_indexer(pd.MultiIndex.from_frame(kb.evidence[["disease_id", "hpo_id"]]))
        )
        evidence = evidence[evidence["pair"] >= 0]
        n_rows = np.bincount(evidence[["pair", "row"]].drop_duplicates()["pair"], minlength=len(pairs))
        supports = np.bincount(edge, minlength=kb.direct.nnz)
        return cls(pairs, n_rows, (offsets, edge[order]), supports, _citing(evidence))

    def lost_edges(self, pmid: str, diseases: Collection[str] | None = None) -> Ids:
        """Edges without other support once rows citing `pmid` are gone, sorted edge ids.

        Args:
            pmid: "PMID:<digits>"; unknown or "" removes nothing.
            diseases: remove rows of these diseases only; None = of all diseases.
        """
        pair, n_citing = self.citing.get(pmid, (np.empty(0, np.intp), np.empty(0, np.intp)))
        gone = n_citing == self.n_rows[pair]
        if diseases is not None:
            gone &= self.pairs["disease_id"].iloc[pair].isin(list(diseases)).to_numpy(dtype=bool)
        offsets, edges = self.pair_edges
        touched = [edges[offsets[p] : offsets[p + 1]] for p in pair[gone]]
        if not touched:
            return np.empty(0, np.intp)
        edge, removed = np.unique(np.concatenate(touched), return_counts=True)
        return np.asarray(edge[removed == self.n_supports[edge]], dtype=np.intp)


def _edge_ids(kb: KnowledgeBase) -> Ids:
    """Position in kb.direct of each contribution's (gene, term)."""
    n_terms = len(kb.graph.ids)
    gene = pd.Index(kb.genes).get_indexer(pd.Index(kb.contributions["gene_symbol"]))
    term = pd.Index(kb.graph.ids).get_indexer(pd.Index(kb.contributions["hpo_id"]))
    row = np.repeat(np.arange(len(kb.genes)), np.diff(kb.direct.indptr))
    return np.searchsorted(row * n_terms + kb.direct.indices, gene * n_terms + term).astype(np.intp)


def _citing(evidence: pd.DataFrame) -> dict[str, tuple[Ids, Ids]]:
    cited = evidence[evidence["pmid"] != ""]
    counts = cited.groupby(["pmid", "pair"], sort=True)["row"].nunique().reset_index()
    pmid, start = np.unique(counts["pmid"].to_numpy(dtype=str), return_index=True)
    bounds = pairwise(np.append(start, len(counts)))
    pair, rows = counts["pair"].to_numpy(dtype=np.intp), counts["row"].to_numpy(dtype=np.intp)
    return {str(p): (pair[a:b], rows[a:b]) for p, (a, b) in zip(pmid, bounds, strict=True)}
