"""Annotation rows of diseases once a publication is taken out of them.

Here: which rows cite a publication, which diseases that touches, and what is left of each. Not here: scoring
what is left (the counterfactual of each ranker).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.prioritisation.counterfactual import Removal, Scope
from genoplatform.prioritisation.likelihood.genes import GeneDiseases

Positions = NDArray[np.intp]
_NONE: Positions = np.empty(0, dtype=np.intp)


def removals_of(cases: pd.DataFrame, scope: Scope) -> list[Removal]:
    """What to remove for each case: its publication, from all diseases or from its own.

    Args:
        cases: source_pmid ("" = nothing is removed), disease_ids.
        scope: "all_diseases" or "own_disease".
    """
    own = scope == "own_disease"
    pairs = zip(cases["source_pmid"], cases["disease_ids"], strict=True)
    return [(pmid, tuple(diseases) if own else None) for pmid, diseases in pairs]


@dataclass(frozen=True)
class ItemRows:
    """Rows of several items: `row[i]` belongs to item `item[i]`; a row may stand under several items."""

    item: Positions
    row: Positions

    @classmethod
    def from_lists(cls, rows: Sequence[Positions]) -> ItemRows:
        """Item i has rows[i]."""
        sizes = [len(mine) for mine in rows]
        return cls(np.repeat(np.arange(len(rows)), sizes), np.concatenate([_NONE, *rows]))


@dataclass(frozen=True)
class ReducedDiseases:
    """One item per (removal, changed disease); a disease that lost every row is an item without rows.

    Attributes:
        removal: position of the removal, ascending, [n_items].
        disease: position of the disease, [n_items].
        before: all rows of the items' diseases.
        after: the same without the removed publications.
    """

    removal: Positions
    disease: Positions
    before: ItemRows
    after: ItemRows

    def __len__(self) -> int:
        return len(self.removal)

    def patch(self, scores: NDArray[np.float64], items: NDArray[np.float64], removal_of_case: Positions) -> None:
        """Put the item scores of each case's own removal over its disease scores, in place.

        Args:
            scores: [n_cases, n_scored]; items of diseases behind the last column are not scored.
            items: [n_cases, n_items].
            removal_of_case: position of each case's removal, [n_cases].
        """
        scored = self.disease < scores.shape[1]
        case, item = np.nonzero((removal_of_case[:, None] == self.removal[None, :]) & scored[None, :])
        scores[case, self.disease[item]] = items[case, item]


@dataclass(frozen=True)
class CitedRows:
    """Annotation rows that a ranker uses, findable by publication and by disease.

    A row that cites several publications goes with each of them: it is that paper's observation too.

    Attributes:
        diseases: the scored diseases.
        disease: position of each row's disease, [n_rows].
        of_disease: rows of each disease, ascending, [n_diseases].
        citing: publication -> rows citing it, ascending.
    """

    diseases: list[str]
    disease: Positions
    of_disease: list[Positions]
    citing: dict[str, Positions]

    @classmethod
    def from_rows(cls, pmids: pd.Series, disease: Positions, diseases: list[str]) -> CitedRows:
        """Index rows.

        Args:
            pmids: lists of "PMID:n", [n_rows].
            disease: position of each row's disease in `diseases`, [n_rows].
            diseases: the scored diseases.
        """
        cited = pmids.reset_index(drop=True).explode().dropna()
        names, code = np.unique(cited.to_numpy(dtype=object).astype(str), return_inverse=True)
        rows = cited.index.to_numpy(dtype=np.intp)
        citing = zip(names.tolist(), _groups(code, rows, len(names)), strict=True)
        of_disease = _groups(disease, np.arange(len(disease)), len(diseases))
        return cls(diseases, disease, of_disease, dict(citing))

    def removed(self, removal: Removal) -> Positions:
        """Rows that a removal takes, ascending."""
        pmid, own = removal
        rows = self.citing.get(pmid, _NONE)
        if own is None:
            return rows
        return rows[[self.diseases[at] in own for at in self.disease[rows]]] if len(rows) else rows

    def reduce(self, removals: Sequence[Removal]) -> ReducedDiseases:
        """What each of several distinct removals leaves of the diseases it changes."""
        items: list[tuple[int, int]] = []
        left: list[Positions] = []
        for number, removal in enumerate(removals):
            lost = self.removed(removal)
            for at in np.unique(self.disease[lost]):
                items.append((number, int(at)))
                left.append(np.setdiff1d(self.of_disease[at], lost, assume_unique=True))
        table = np.array(items, dtype=np.intp).reshape(-1, 2)
        before = ItemRows.from_lists([self.of_disease[at] for at in table[:, 1]])
        return ReducedDiseases(table[:, 0], table[:, 1], before, ItemRows.from_lists(left))

    def summary(self, cases: pd.DataFrame, genes: GeneDiseases, scope: Scope) -> pd.DataFrame:
        """What is removed for each case.

        Args:
            cases: case_id, causal_gene, source_pmid, disease_ids.
            genes: links of genes to `diseases`.
            scope: as in `removals_of`.

        Returns:
            case_id, rows_removed, diseases_affected, diseases_emptied, causal_rows (before),
            causal_rows_removed; in the order of `cases`.
        """
        sizes = np.array([len(rows) for rows in self.of_disease])
        removals = removals_of(cases, scope)
        lost = {
            removal: np.unique(self.disease[self.removed(removal)], return_counts=True) for removal in set(removals)
        }
        records = []
        for removal, gene in zip(removals, cases["causal_gene"], strict=True):
            diseases, counts = lost[removal]
            causal = genes.diseases_of(gene)
            emptied = int((counts == sizes[diseases]).sum())
            of_causal = int(counts[np.isin(diseases, causal)].sum())
            records.append((int(counts.sum()), len(diseases), emptied, int(sizes[causal].sum()), of_causal))
        columns = ["rows_removed", "diseases_affected", "diseases_emptied", "causal_rows", "causal_rows_removed"]
        table = pd.DataFrame(records, columns=columns).astype("int64")
        table.insert(0, "case_id", cases["case_id"].array)
        return table


def _groups(code: Positions, values: Positions, n_groups: int) -> list[Positions]:
    """Values of each code, in their order."""
    order = np.argsort(code, kind="stable")
    return np.split(values[order], np.searchsorted(code[order], np.arange(1, n_groups))) if n_groups else []
