"""What the ratio rules look up, by term: which diseases have a frequency there, and which.

Here: annotations carried up the ontology once, as sparse rows of diseases. Not here: the rules (ratios.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.likelihood.annotations import DiseaseAnnotations

ROOT = "HP:0000118"  # phenotypic abnormality

Positions = NDArray[np.intp]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class TermRows:
    """For each term the diseases that have a value there; zero is a value.

    Attributes:
        offsets: [n_terms + 1].
        diseases: ascending within a term.
        values: of the same length as `diseases`.
    """

    offsets: Positions
    diseases: Positions
    values: Values

    @classmethod
    def largest(
        cls, term: NDArray[np.integer[Any]], disease: Positions, value: Values, shape: tuple[int, int]
    ) -> TermRows:
        """From (term, disease, value) triples in any order, the largest value of each pair kept.

        Args:
            term: [n].
            disease: [n].
            value: [n].
            shape: number of terms and of diseases.
        """
        n_terms, n_diseases = shape
        key = term.astype(np.int64) * n_diseases + disease
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        best = np.maximum.reduceat(value[order], first) if len(first) else np.empty(0)
        offsets = np.searchsorted(key[first], np.arange(n_terms + 1) * n_diseases)
        return cls(offsets.astype(np.intp), (key[first] % max(n_diseases, 1)).astype(np.intp), best)

    def row(self, term: int) -> tuple[Positions, Values]:
        """Diseases with a value at `term`, and the values."""
        inside = slice(self.offsets[term], self.offsets[term + 1])
        return self.diseases[inside], self.values[inside]


@dataclass(frozen=True)
class DiseaseTables:
    """Annotations of all diseases, by term.

    Attributes:
        n_diseases: D.
        exact: frequency of the annotation at the term itself; 0 = absent.
        carried: largest frequency among annotations at or below the term; 0 where all of them are absent.
        absent_at: diseases with an absent annotation at the term itself (values 0).
        absent_below: diseases with an absent annotation at or below the term (values 0).
        discounted: largest frequency/10^steps among annotations strictly below the term, steps counted on the
            shortest path that does not pass through the phenotypic root.
    """

    n_diseases: int
    exact: TermRows
    carried: TermRows
    absent_at: TermRows
    absent_below: TermRows
    discounted: TermRows

    @classmethod
    def from_annotations(cls, annotations: DiseaseAnnotations, ancestors: csr_array, decay: csr_array) -> DiseaseTables:
        """Carry annotations up the graph.

        Args:
            annotations: pooled annotations.
            ancestors: [n_terms, n_terms] reflexive ancestors.
            decay: [n_terms, n_terms] of `step_decay`.
        """
        shape = (ancestors.shape[0], annotations.n_diseases)
        disease, term, frequency = annotations.disease, annotations.term, annotations.frequency
        above = ancestors[term]
        source = np.repeat(np.arange(len(term)), np.diff(above.indptr))
        gone = annotations.absent
        gone_source = gone[source]
        climb = decay[term]
        climber = np.repeat(np.arange(len(term)), np.diff(climb.indptr))
        return cls(
            n_diseases=shape[1],
            exact=TermRows.largest(term, disease, frequency, shape),
            carried=TermRows.largest(above.indices, disease[source], frequency[source], shape),
            absent_at=TermRows.largest(term[gone], disease[gone], frequency[gone], shape),
            absent_below=TermRows.largest(
                above.indices[gone_source], disease[source][gone_source], frequency[source][gone_source], shape
            ),
            discounted=TermRows.largest(climb.indices, disease[climber], frequency[climber] / climb.data, shape),
        )


def step_decay(graph: OntologyGraph) -> csr_array:
    """10^steps from every term to each strict ancestor, [n_terms, n_terms].

    Steps follow the shortest is_a path that does not pass through the phenotypic root; ancestors with no other
    path have no entry. A path may end at the root.
    """
    parents = csr_array(graph.parents.astype(np.int32))
    onward = parents.copy()
    if ROOT in graph.index:
        at = graph.index[ROOT]
        onward.data[onward.indptr[at] : onward.indptr[at + 1]] = 0
        onward.eliminate_zeros()
    powers = csr_array(parents.astype(np.float64) * 10.0)
    frontier, steps = parents, 1
    while frontier.nnz:
        steps += 1
        frontier = _beyond(csr_array(frontier @ onward), powers)
        powers = csr_array(powers + frontier * 10.0**steps)
    return powers


def _beyond(candidate: csr_array, reached: csr_array) -> csr_array:
    """Entries of `candidate` that `reached` does not have, as ones."""
    candidate.data[:] = 1
    old = candidate.multiply(reached.astype(np.bool_))
    left = csr_array(candidate - old)
    left.eliminate_zeros()
    return left
