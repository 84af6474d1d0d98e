"""Cases as term sets against one ontology.

Here: resolving observed terms, with a count of what could not be used. Not here: reading cases
(genoplatform.cohort), scoring them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.ontology.graph import OntologyGraph


@dataclass(frozen=True)
class Queries:
    """Cases as term sets.

    Attributes:
        matrix: [n_cases, n_terms] of ones, each distinct usable term once.
        dropped: id, reason of terms that could not be used, distinct.
        report: counts of terms given, mapped, dropped, and cases left without a term.
    """

    matrix: csr_array
    dropped: pd.DataFrame
    report: dict[str, int]

    @property
    def evaluable(self) -> NDArray[np.bool_]:
        """Which cases have at least one usable term, [n_cases]."""
        return np.diff(self.matrix.indptr) > 0


def build_queries(cases_terms: Sequence[Sequence[str]], graph: OntologyGraph) -> Queries:
    """Resolve the observed terms of each case.

    Args:
        cases_terms: term ids of each case; alternative ids and obsolete terms with one replacement are mapped.
        graph: the ontology.

    Returns:
        The term sets; terms unknown to the ontology are left out and counted, never an error: packets are
        newer than the ontology as often as not.
    """
    sizes = np.fromiter((len(terms) for terms in cases_terms), dtype=np.intp, count=len(cases_terms))
    given = pd.DataFrame(
        {
            "case": np.repeat(np.arange(len(cases_terms)), sizes),
            "id": pd.array([term for terms in cases_terms for term in terms], dtype="str"),
        }
    )
    index = pd.Index(graph.ids)
    direct = index.get_indexer(pd.Index(given["id"]))
    others = sorted(given.loc[direct < 0, "id"].unique().tolist())
    found = graph.resolve(others, obsolete="unique")
    lookup = found.mapped[["id", "to"]]
    mapped = given[direct < 0].merge(lookup, on="id")
    case = np.concatenate([given["case"].to_numpy()[direct >= 0], mapped["case"].to_numpy()])
    term = np.concatenate([direct[direct >= 0], index.get_indexer(pd.Index(mapped["to"]))])
    matrix = csr_array((np.ones(len(case), np.int32), (case, term)), (len(cases_terms), len(graph.ids)))
    matrix.sum_duplicates()
    matrix.data = np.ones(matrix.nnz, dtype=np.int8)
    report = {
        "terms": len(given),
        "terms_mapped": len(mapped),
        "terms_dropped": int(given["id"].isin(found.dropped["id"]).sum()),
        "cases_without_terms": int((np.diff(matrix.indptr) == 0).sum()),
    }
    return Queries(matrix, found.dropped[["id", "reason"]], report)
