"""Annotation rows of a release on the positions of one ontology.

Here: row ids to term positions, with a count of what could not be placed. Not here: which rows count as a
phenotype and how often it is seen (annotations.py).
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.ontology.graph import OntologyGraph


def term_positions(ids: pd.Series, graph: OntologyGraph) -> NDArray[np.intp]:
    """Position of each id in `graph.ids`, [n].

    Alternative ids and obsolete terms with one certain replacement are followed; -1 = leads to no single term.
    """
    index = pd.Index(graph.ids)
    found = index.get_indexer(pd.Index(ids)).astype(np.intp)
    if (found >= 0).all():
        return found
    others = sorted(ids[found < 0].unique().tolist())
    mapped = graph.resolve(others, obsolete="unique").mapped.drop_duplicates("id")
    target = pd.Series(index.get_indexer(pd.Index(mapped["to"])), index=mapped["id"])
    elsewhere = ids.map(target).fillna(-1).to_numpy(dtype=np.intp)
    return np.where(found >= 0, found, elsewhere)
