"""Cases with what was observed and what was looked for and not found.

Here: both term sets resolved against one ontology. Not here: reading cases, scoring them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.queries import Queries, build_queries


@dataclass(frozen=True)
class LikelihoodQueries:
    """Resolved cases; each distinct term counts once.

    Attributes:
        observed: terms of the patients.
        excluded: terms stated to be absent, of the same cases; None in the observed-only variant.
    """

    observed: Queries
    excluded: Queries | None

    @classmethod
    def build(
        cls,
        observed: Sequence[Sequence[str]],
        excluded: Sequence[Sequence[str]] | None,
        graph: OntologyGraph,
    ) -> LikelihoodQueries:
        """Resolve the terms of each case. Raises BadInputError when the two lists differ in length."""
        if excluded is not None and len(excluded) != len(observed):
            raise BadInputError(
                "preparing cases", f"{len(observed)} cases with observed, {len(excluded)} with excluded terms"
            )
        absent = None if excluded is None else build_queries(excluded, graph)
        return cls(build_queries(observed, graph), absent)

    def __len__(self) -> int:
        return int(self.observed.matrix.shape[0])

    def matrices(self, part: slice | NDArray[np.intp]) -> tuple[csr_array, csr_array | None]:
        """Observed and excluded terms of some cases, [n, n_terms] each."""
        return self.observed.matrix[part], None if self.excluded is None else self.excluded.matrix[part]

    @property
    def evaluable(self) -> NDArray[np.bool_]:
        """Which cases have at least one usable term of either kind, [n_cases]."""
        if self.excluded is None:
            return self.observed.evaluable
        return self.observed.evaluable | self.excluded.evaluable
