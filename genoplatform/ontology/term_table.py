"""Ontology releases as one stored table each: a row a term, with its parents (or ancestors) as lists."""

from __future__ import annotations

import pandas as pd

from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.mondo import MondoRelease
from genoplatform.ontology.obo import OboRelease


def term_table(release: OboRelease) -> pd.DataFrame:
    """The columns of `OboRelease.terms` and `parents` (is_a, in file order) and `ancestors` (reflexive, sorted).

    Obsolete terms have neither.
    """
    ordered = release.edges.sort_values(["child", "order"])
    parents = ordered.groupby("child")["parent"].agg(list)
    graph = OntologyGraph.from_tables(release.terms, release.edges)
    closure = graph.ancestors
    ancestors = {
        term: [graph.ids[i] for i in closure.indices[closure.indptr[row] : closure.indptr[row + 1]]]
        for row, term in enumerate(graph.ids)
    }
    ids = release.terms["id"]
    return release.terms.assign(
        parents=pd.Series([parents.get(term, []) for term in ids], index=ids.index, dtype=object),
        ancestors=pd.Series([ancestors.get(term, []) for term in ids], index=ids.index, dtype=object),
    )


def graph_of(table: pd.DataFrame) -> OntologyGraph:
    """The graph of a stored term table."""
    edges = table.loc[~table["obsolete"].astype(bool), ["id", "parents"]].explode("parents").dropna()
    edges = edges.rename(columns={"id": "child", "parents": "parent"})
    edges["order"] = edges.groupby("child").cumcount()
    return OntologyGraph.from_tables(table, edges.reset_index(drop=True))


def mondo_table(release: MondoRelease) -> pd.DataFrame:
    """The columns of `MondoRelease.terms` and `ancestors` (reflexive, sorted)."""
    ancestors = release.ancestors.groupby("id")["ancestor"].agg(list)
    ids = release.terms["id"]
    lists = pd.Series([ancestors.get(term, [term]) for term in ids], index=ids.index, dtype=object)
    return release.terms.assign(ancestors=lists)


def ancestor_pairs(table: pd.DataFrame) -> pd.DataFrame:
    """`MondoRelease.ancestors` again: id, ancestor."""
    pairs = table[["id", "ancestors"]].explode("ancestors", ignore_index=True)
    return pairs.rename(columns={"ancestors": "ancestor"}).astype("str")
