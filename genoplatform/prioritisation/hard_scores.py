"""What hard candidate lists are built from: rows of similarity to every gene, on demand.

Here: score rows by case position, holding one chunk at a time. Not here: choosing and shuffling the distractors
(genoplatform.cohort.distractors), which takes the rows as a callable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from genoplatform.prioritisation.queries import Queries
from genoplatform.prioritisation.resnik import CHUNK, ResnikScorer


class ScoreRows:
    """Scores of one case against all genes, `rows(position)` -> [n_genes]; fastest in ascending order.

    A gene that shares no ancestor with information content above 0 with the case scores 0 and, by the published
    recipe, is no distractor. Equal scores are equal to the last bit, whatever the order of summation.

    Args:
        scorer: gives the order of the genes.
        queries: resolved cases, in the order of the positions.
        chunk: cases scored and held at a time.
    """

    def __init__(self, scorer: ResnikScorer, queries: Queries, chunk: int = CHUNK) -> None:
        self._scorer, self._queries, self._chunk = scorer, queries, chunk
        self._held, self._block = -1, np.empty((0, 0))

    def __call__(self, position: int) -> NDArray[np.float64]:
        """Row of the case at `position`."""
        number, offset = divmod(position, self._chunk)
        if number != self._held:
            start = number * self._chunk
            self._block = self._scorer.score(self._queries.matrix[start : start + self._chunk])
            self._held = number
        return np.asarray(self._block[offset])
