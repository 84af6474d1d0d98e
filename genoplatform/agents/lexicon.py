"""Phenotype terms in words: labels, synonyms, and the expansion towards more general terms in one fixed order.

Belongs here: looking terms up. Does not belong here: queries (planner, rewriting) or matching texts (critic).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.term_table import graph_of

EXPANSION_DISTANCE = 2


class Lexicon:
    """Labels, synonyms and is_a steps of one HPO release.

    Args:
        graph: HPO.
        synonyms: term id -> other names, in a fixed order.
    """

    def __init__(self, graph: OntologyGraph, synonyms: Mapping[str, Sequence[str]] | None = None) -> None:
        self._graph = graph
        self._synonyms = synonyms or {}

    @classmethod
    def from_table(cls, hpo_terms: pd.DataFrame) -> Lexicon:
        """From the stored term table (`ontology.term_table`)."""
        named = zip(hpo_terms["id"], hpo_terms["synonyms"], strict=True)
        return cls(graph_of(hpo_terms), {str(term): [str(name) for name in names] for term, names in named})

    def resolve(self, terms: Sequence[str]) -> list[str]:
        """Current ids of `terms` (alternative ids mapped, unknown ones left out), first-seen order."""
        return list(self._graph.resolve(terms).ids)

    def labels(self, terms: Iterable[str]) -> list[str]:
        """Distinct names of known terms, in their order."""
        graph = self._graph
        return list(dict.fromkeys(graph.names[graph.index[term]] for term in terms if term in graph.index))

    def synonyms(self, term: str) -> list[str]:
        """Other names of a term; none of them its label."""
        return [name for name in self._synonyms.get(term, ()) if [name] != self.labels([term])]

    def ancestors(self, term: str, distance: int = EXPANSION_DISTANCE) -> list[str]:
        """The term and its ancestors up to `distance` is_a edges away, breadth first.

        Parents stand in the order of the term's is_a lines, so that the order is that of the pinned file, whatever
        the machine; an unknown term gives nothing.
        """
        graph = self._graph
        if term not in graph.index:
            return []
        found, level = {graph.index[term]: None}, [graph.index[term]]
        for _ in range(distance):
            level = [parent for at in level for parent in graph.parents_in_order(at) if parent not in found]
            level = list(dict.fromkeys(level))
            found |= dict.fromkeys(level)
        return [graph.ids[at] for at in found if graph.ids[at].startswith("HP:")]

    def expand(self, terms: Iterable[str], distance: int = EXPANSION_DISTANCE) -> list[str]:
        """Union of `ancestors` over the terms, first-seen order."""
        return list(dict.fromkeys(found for term in terms for found in self.ancestors(term, distance)))
