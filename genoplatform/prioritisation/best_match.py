"""Sums of best matches between term sets: the numeric core of every best-match similarity.

Here: for many queries against many item profiles, the sum over query terms of the best match in the profile
and the reverse, where a match is the largest information content of a common ancestor (Resnik 1995). Not
here: how the two sums become one score (resnik.py), or where profiles come from (annotations.py).

No term-by-term matrix exists at any time: maxima travel down the graph level by level, on two-byte codes,
once per distinct query term (against items) and once per query (against terms).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.prioritisation.information_content import InformationContent, propagate
from genoplatform.prioritisation.propagation import LevelSchedule

# Queries per pass over all terms, and items per pass over the terms asked for: blocks of codes and looked-up
# contents that stay near the second-level cache (measured best of 8 to 256 and of 128 to all).
_QUERY_BLOCK = 32
_ITEM_BLOCK = 256


@dataclass(frozen=True)
class Profiles:
    """Items with their direct terms, and the same extended to ancestors.

    Attributes:
        direct: [n_items, n_terms] of ones, sorted indices.
        propagated: [n_items, n_terms] of ones, every ancestor included.
    """

    direct: csr_array
    propagated: csr_array

    @classmethod
    def from_direct(cls, direct: csr_array, ancestors: csr_array) -> Profiles:
        """Extend direct annotations [n_items, n_terms] along reflexive ancestors [n_terms, n_terms]."""
        return cls(direct, propagate(direct, ancestors))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of direct terms of each item, [n_items]."""
        return np.diff(self.direct.indptr).astype(np.int64)


@dataclass(frozen=True)
class BestMatch:
    """Best-match sums under one information content.

    Attributes:
        ancestors: reflexive ancestors, [n_terms, n_terms].
        schedule: all terms by depth.
        content: information content of the terms.
    """

    ancestors: csr_array
    schedule: LevelSchedule
    content: InformationContent

    def query_sums(self, queries: csr_array, profiles: Profiles) -> NDArray[np.float64]:
        """Sum over query terms of the best match in each profile.

        Args:
            queries: [n_queries, n_terms] of ones.
            profiles: the items.

        Returns:
            [n_queries, n_items], in nats.
        """
        terms, position = np.unique(queries.indices, return_inverse=True)
        keep = np.zeros(queries.shape[1], dtype=np.bool_)
        keep[self.ancestors[terms].indices] = True
        schedule = self.schedule.restrict(keep)
        ones = np.ones(queries.nnz)
        members = csr_array((ones, position, queries.indptr), shape=(queries.shape[0], len(terms)))
        n_items = profiles.propagated.shape[0]
        sums = np.empty((queries.shape[0], n_items))
        for start in range(0, n_items, _ITEM_BLOCK):
            block = slice(start, min(start + _ITEM_BLOCK, n_items))
            codes = self._item_codes(schedule, profiles.propagated[block])
            sums[:, block] = np.asarray(members @ self.content.table[codes[schedule.row[terms]]])
        return sums

    def _item_codes(self, schedule: LevelSchedule, carried: csr_array) -> NDArray[np.uint16]:
        """Code of each scheduled term's best match in each item, [n_rows of the schedule, n_items]."""
        row = schedule.row[carried.indices]
        item = np.repeat(np.arange(carried.shape[0]), np.diff(carried.indptr))
        inside = row >= 0
        row, item = row[inside], item[inside]
        codes = np.zeros((len(schedule.order), carried.shape[0]), dtype=np.uint16)
        codes[row, item] = self.content.codes[schedule.order][row]
        schedule.propagate_max(codes)
        return codes

    def profile_sums(self, queries: csr_array, profiles: Profiles) -> NDArray[np.float64]:
        """Sum over each profile's direct terms of the best match in the query, [n_queries, n_items], nats."""
        n_queries = queries.shape[0]
        direct = profiles.direct
        by_row = csr_array((np.ones(direct.nnz), self.schedule.row[direct.indices], direct.indptr), shape=direct.shape)
        sums = np.empty((n_queries, direct.shape[0]))
        for start in range(0, n_queries, _QUERY_BLOCK):
            block = slice(start, min(start + _QUERY_BLOCK, n_queries))
            sums[block] = np.asarray(by_row @ self.content.table[self._term_codes(queries[block])]).T
        return sums

    def _term_codes(self, queries: csr_array) -> NDArray[np.uint16]:
        """Code of each term's best match in each query, [n_rows of the schedule, n_queries]."""
        n_queries, n_terms = queries.shape
        repeats = np.diff(self.ancestors.indptr)[queries.indices]
        query = np.repeat(np.repeat(np.arange(n_queries), np.diff(queries.indptr)), repeats)
        ancestor = self.ancestors[queries.indices].indices
        codes = np.zeros((n_terms, n_queries), dtype=np.uint16)
        codes[self.schedule.row[ancestor], query] = self.content.codes[ancestor]
        self.schedule.propagate_max(codes)
        return codes
