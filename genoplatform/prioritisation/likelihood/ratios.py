"""Likelihood ratio of one term in every disease: the rules of LIRICAL 2.x (Robinson et al. 2020, AJHG).

Here: six rules for an observed term, four for an excluded one, each over all diseases at once, and which rule
spoke. Not here: products over terms, genes, ranks (ranker.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.likelihood.background import Background
from genoplatform.prioritisation.likelihood.tables import ROOT, DiseaseTables

PRESENT_BUT_ABSENT_IN_DISEASE = 0.001
EXCLUDED_AND_ABSENT_IN_DISEASE = 1000.0
# Smallest ratio of a term that the disease may merely not mention, and smallest chance of not having a term.
WEAKEST = 0.01
# Above this background an excluded term says nothing.
UBIQUITOUS = 0.99


class Rule(IntEnum):
    """Which rule gave a ratio, under the names of the published program."""

    QUERY_TERM_PRESENT_BUT_EXCLUDED_IN_DISEASE = 1
    EXACT_MATCH = 2
    DISEASE_TERM_SUBCLASS_OF_QUERY = 3
    QUERY_TERM_SUBCLASS_OF_DISEASE_TERM = 4
    NON_ROOT_COMMON_ANCESTOR = 5
    NO_MATCH_BELOW_ROOT = 6
    EXCLUDED_QUERY_TERM_EXCLUDED_IN_DISEASE = 7
    EXCLUDED_QUERY_TERM_UBIQUITOUS = 8
    EXCLUDED_QUERY_TERM_NOT_PRESENT_IN_DISEASE = 9
    EXCLUDED_QUERY_TERM_PRESENT_IN_DISEASE = 10


@dataclass(frozen=True)
class Ratios:
    """Ratios of one term.

    Attributes:
        values: likelihood ratio in each disease, [n_diseases]; may be 0.
        rules: `Rule` of each, [n_diseases].
    """

    values: NDArray[np.float64]
    rules: NDArray[np.int8]

    @classmethod
    def constant(cls, value: float, rule: Rule, n_diseases: int) -> Ratios:
        """The same ratio everywhere, to be overwritten."""
        return cls(np.full(n_diseases, value), np.full(n_diseases, rule, dtype=np.int8))

    def put(self, diseases: NDArray[np.intp], values: NDArray[np.float64] | float, rule: Rule) -> None:
        """Overwrite the ratios of some diseases."""
        self.values[diseases] = values
        self.rules[diseases] = rule


@dataclass(frozen=True)
class RatioModel:
    """Ratios of any term in every disease of a knowledge base.

    Attributes:
        graph: the ontology.
        tables: annotations of the diseases.
        background: frequencies over all diseases of the release, which may be more than those in `tables`.
        ancestors: [n_terms, n_terms] reflexive ancestors.
    """

    graph: OntologyGraph
    tables: DiseaseTables
    background: Background
    ancestors: csr_array

    def observed(self, term: int) -> Ratios:
        """Ratios of an observed term, the weakest rule first and each stronger one over it."""
        tables, background = self.tables, float(self.background.floored[term])
        ratios = Ratios.constant(WEAKEST, Rule.NO_MATCH_BELOW_ROOT, tables.n_diseases)
        self._common_ancestor(term, ratios)
        self._direct_parent(term, ratios)
        diseases, frequency = tables.carried.row(term)
        ratios.put(diseases, frequency / background, Rule.DISEASE_TERM_SUBCLASS_OF_QUERY)
        diseases, frequency = tables.exact.row(term)
        ratios.put(diseases, frequency / background, Rule.EXACT_MATCH)
        for ancestor in self._ancestors(term):
            diseases, _ = tables.absent_at.row(ancestor)
            ratios.put(diseases, PRESENT_BUT_ABSENT_IN_DISEASE, Rule.QUERY_TERM_PRESENT_BUT_EXCLUDED_IN_DISEASE)
        return ratios

    def excluded(self, term: int) -> Ratios:
        """Ratios of an excluded term."""
        tables, background = self.tables, float(self.background.floored[term])
        if background > UBIQUITOUS:
            ratios = Ratios.constant(1.0, Rule.EXCLUDED_QUERY_TERM_UBIQUITOUS, tables.n_diseases)
        else:
            unaffected = 1 / (1 - background)
            rule = Rule.EXCLUDED_QUERY_TERM_NOT_PRESENT_IN_DISEASE
            ratios = Ratios.constant(unaffected, rule, tables.n_diseases)
            diseases, frequency = tables.carried.row(term)
            diseases, frequency = diseases[frequency > 0], frequency[frequency > 0]
            values = np.maximum(WEAKEST, 1 - frequency) / (1 - background)
            ratios.put(diseases, values, Rule.EXCLUDED_QUERY_TERM_PRESENT_IN_DISEASE)
        diseases, _ = tables.absent_below.row(term)
        ratios.put(diseases, EXCLUDED_AND_ABSENT_IN_DISEASE, Rule.EXCLUDED_QUERY_TERM_EXCLUDED_IN_DISEASE)
        return ratios

    def _common_ancestor(self, term: int, ratios: Ratios) -> None:
        """The nearest shared ancestor decides, so it is written last. Never the phenotypic root itself."""
        root = self.graph.index.get(ROOT, -1)
        background = self.background.floored
        for ancestor in reversed(upward(self.graph, term)):
            if ancestor != root:
                diseases, decayed = self.tables.discounted.row(ancestor)
                values = np.maximum(WEAKEST, decayed / background[ancestor])
                ratios.put(diseases, values, Rule.NON_ROOT_COMMON_ANCESTOR)

    def _direct_parent(self, term: int, ratios: Ratios) -> None:
        """A parent's frequency is shared out evenly among its children."""
        share = np.zeros(self.tables.n_diseases)
        for parent in self.graph.parents_in_order(term):
            diseases, frequency = self.tables.exact.row(parent)
            each = frequency / int(self.graph.children_count[parent])
            share[diseases] = np.maximum(share[diseases], each)
        diseases = np.flatnonzero(share > 0)
        values = np.maximum(share[diseases], self._chance(term)) / self.background.floored[term]
        ratios.put(diseases, values, Rule.QUERY_TERM_SUBCLASS_OF_DISEASE_TERM)

    def _chance(self, term: int) -> float:
        """Frequency below which sharing out does not go; negative for rare terms, and then without effect."""
        raw = float(self.background.raw[term])
        return raw * (0.002 + (raw - 0.01) * 0.098 / 0.09)

    def _ancestors(self, term: int) -> NDArray[np.int32]:
        rows = self.ancestors
        return np.asarray(rows.indices[rows.indptr[term] : rows.indptr[term + 1]], dtype=np.int32)


def upward(graph: OntologyGraph, term: int) -> list[int]:
    """`term` and its ancestors, breadth first, parents in the order of the file."""
    order = [term]
    seen = {term}
    for reached in order:
        fresh = [parent for parent in graph.parents_in_order(reached) if parent not in seen]
        seen.update(fresh)
        order.extend(fresh)
    return order
