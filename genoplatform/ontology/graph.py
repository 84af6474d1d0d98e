"""The is_a graph of an ontology as sparse matrices: ancestors, descendants, parents. Ids are resolved in `resolve`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import sparse

from genoplatform.errors import BadInputError
from genoplatform.ontology.obo import cycle_members
from genoplatform.ontology.resolve import IdTable, ObsoletePolicy, Resolution


@dataclass(frozen=True, eq=False)
class OntologyGraph:
    """The non-obsolete terms of one ontology release and their is_a closure.

    Attributes:
        ids: n term ids, sorted; a term's position is its row and column below.
        index: id -> position.
        names: n labels, in the order of `ids`.
        parents: (n, n) bool CSR, row = child, column = direct parent.
        ancestors: (n, n) bool CSR, row t holds every ancestor of t and t itself.
        children_count: (n,) number of direct children in this graph.
    """

    ids: list[str]
    index: dict[str, int]
    names: list[str]
    parents: sparse.csr_array
    ancestors: sparse.csr_array
    children_count: np.ndarray
    _ordered_parents: sparse.csr_array = field(repr=False)
    _descendants: sparse.csc_array = field(repr=False)
    _id_table: IdTable = field(repr=False)

    @classmethod
    def from_tables(cls, terms: pd.DataFrame, edges: pd.DataFrame) -> OntologyGraph:
        """Build the graph from the tables of `read_obo`.

        Args:
            terms: id, name, obsolete, replaced_by, consider, alt_ids.
            edges: child, parent, order.

        Raises:
            BadInputError: no live term, an edge to a term that is not live, or a cycle.
        """
        live = terms[~terms["obsolete"].astype(bool)].sort_values("id")
        ids = pd.Index(live["id"])
        child, parent = ids.get_indexer(edges["child"]), ids.get_indexer(edges["parent"])
        _check(ids, edges, child, parent)
        n = len(ids)
        parents = sparse.csr_array((np.ones(len(child), dtype=bool), (child, parent)), shape=(n, n))
        parents.sort_indices()
        ancestors = _closure(parents)
        return cls(
            ids=ids.tolist(),
            index={term: i for i, term in enumerate(ids)},
            names=live["name"].tolist(),
            parents=parents,
            ancestors=ancestors,
            children_count=np.bincount(parents.indices, minlength=n),
            _ordered_parents=_in_file_order(child, parent, edges["order"].to_numpy(), n),
            _descendants=sparse.csc_array(ancestors),
            _id_table=IdTable.from_terms(terms),
        )

    def resolve(self, ids: Iterable[str], *, obsolete: ObsoletePolicy = "unique") -> Resolution:
        """Primary ids of `ids`, with a record of what was mapped and what was dropped. See `IdTable.resolve`."""
        return self._id_table.resolve(ids, obsolete=obsolete)

    def parents_in_order(self, i: int) -> list[int]:
        """Positions of the direct parents of term `i`, in the order of its is_a lines in the file."""
        rows = self._ordered_parents
        return [int(p) for p in rows.indices[rows.indptr[i] : rows.indptr[i + 1]]]

    def descendants(self, root: str) -> set[str]:
        """Ids of the terms at or below `root`.

        Raises:
            BadInputError: `root` is not a live term of this release.
        """
        columns, i = self._descendants, self._position(root)
        return {self.ids[d] for d in columns.indices[columns.indptr[i] : columns.indptr[i + 1]]}

    def is_a(self, term: str, root: str) -> bool:
        """Whether `term` is `root` or below it; both must be live terms."""
        i, j = self._position(term), self._position(root)
        row = self.ancestors.indices[self.ancestors.indptr[i] : self.ancestors.indptr[i + 1]]
        return bool(np.any(row == j))

    def _position(self, term: str) -> int:
        try:
            return self.index[term]
        except KeyError:
            raise BadInputError(
                "looking up a term", f"{term} is not a live term of this release", "resolve ids first"
            ) from None


def _check(ids: pd.Index, edges: pd.DataFrame, child: np.ndarray, parent: np.ndarray) -> None:
    if not len(ids):
        raise BadInputError("building the ontology graph", "no term that is not obsolete")
    if not ids.is_unique:
        raise BadInputError("building the ontology graph", f"repeated ids: {ids[ids.duplicated()][:5].tolist()}")
    dangling = edges[(child < 0) | (parent < 0)]
    if len(dangling):
        found = f"{len(dangling)} edges to unknown or obsolete terms, first {dangling.iloc[0].tolist()}"
        raise BadInputError("building the ontology graph", found)
    if members := cycle_members(ids, edges):
        raise BadInputError("building the ontology graph", f"is_a cycle through {members[:5]}")


def _closure(parents: sparse.csr_array) -> sparse.csr_array:
    """Reflexive transitive closure by repeated squaring: log2(depth) sparse products."""
    closure = sparse.csr_array(parents + sparse.eye_array(parents.shape[0], dtype=bool, format="csr"))
    while True:
        squared = sparse.csr_array(closure @ closure)
        if squared.nnz == closure.nnz:
            closure.sort_indices()
            return closure
        closure = squared


def _in_file_order(child: np.ndarray, parent: np.ndarray, order: np.ndarray, n: int) -> sparse.csr_array:
    """Row t: the parents of t, stored (not sorted) in file order. Only indptr and indices are read."""
    by_child = np.lexsort((order, child))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(child, minlength=n))])
    data = np.ones(len(child), dtype=bool)
    return sparse.csr_array((data, parent[by_child], indptr), shape=(n, n))
