"""Maxima over all ancestors of every term of an is_a graph, as a few whole-array steps.

Here: the order in which rows are filled so that each is final before a child reads it. Not here: what the
propagated values mean (information_content.py, resnik.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class LevelSchedule:
    """Terms arranged by depth, so that one pass over the levels carries maxima from parents to children.

    Within a level, terms with more parents come first: the children that have a k-th parent are then a
    prefix of the level, a view and not a copy.

    Attributes:
        order: term index of each row, [n_rows].
        row: row of each term, -1 for a term left out, [n_terms].
        level: longest path to a root, in edges, [n_terms].
        parents: is_a parents, row = child, [n_terms, n_terms].
        steps: (first child row, parent row of each child from there on), in the order to apply.
    """

    order: Rows
    row: Rows
    level: Rows
    parents: csr_array
    steps: tuple[tuple[int, Rows], ...]

    @classmethod
    def from_parents(cls, parents: csr_array) -> LevelSchedule:
        """Schedule every term of the graph. Raises BadInputError if the graph has a cycle."""
        level = _levels(parents)
        order = np.lexsort((np.arange(len(level)), -np.diff(parents.indptr), level)).astype(np.intp)
        return cls._arranged(order, level, parents)

    def restrict(self, keep: NDArray[np.bool_]) -> LevelSchedule:
        """The same schedule for the terms of `keep` ([n_terms]), which must hold all ancestors of each."""
        return self._arranged(self.order[keep[self.order]], self.level, self.parents)

    @classmethod
    def _arranged(cls, order: Rows, level: Rows, parents: csr_array) -> LevelSchedule:
        row = np.full(len(level), -1, dtype=np.intp)
        row[order] = np.arange(len(order), dtype=np.intp)
        return cls(order, row, level, parents, _steps(order, row, level, parents))

    def propagate_max(self, values: NDArray[np.uint16]) -> None:
        """Raise each row of `values` ([n_rows, m], in `order`) to the maximum over its ancestors, in place."""
        for start, parent_rows in self.steps:
            children = values[start : start + len(parent_rows)]
            np.maximum(children, values.take(parent_rows, axis=0), out=children)


def _levels(parents: csr_array) -> Rows:
    n_terms = parents.shape[0]
    child = np.repeat(np.arange(n_terms), np.diff(parents.indptr))
    parent = parents.indices
    level = np.zeros(n_terms, dtype=np.intp)
    for _ in range(n_terms + 1):
        deeper = level.copy()
        np.maximum.at(deeper, child, level[parent] + 1)
        if np.array_equal(deeper, level):
            return level
        level = deeper
    raise BadInputError("ordering ontology terms by depth", "the is_a edges form a cycle", "check the obo release")


def _steps(order: Rows, row: Rows, level: Rows, parents: csr_array) -> tuple[tuple[int, Rows], ...]:
    if not len(order):
        return ()
    first = parents.indptr[order]
    n_parents = np.diff(parents.indptr)[order]
    bounds = np.searchsorted(level[order], np.arange(level[order[-1]] + 2))
    steps: list[tuple[int, Rows]] = []
    for start, stop in pairwise(bounds):
        in_level = n_parents[start:stop]
        for slot in range(int(in_level.max(initial=0))):
            n_children = int(np.count_nonzero(in_level > slot))
            parent_terms = parents.indices[first[start : start + n_children] + slot]
            steps.append((int(start), row[parent_terms]))
    return tuple(steps)
