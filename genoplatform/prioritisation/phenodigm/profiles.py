"""Disease models: the set of terms that each disease is annotated with.

Here: which annotation rows make a model, and the models as a matrix. Frequencies play no part. Not here:
similarity, or the genes behind a disease.
Source: the rules of the human-only hiPhive prioritiser before and since Exomiser issue 609.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import EmptyResultError, SettingsError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.likelihood.terms import term_positions

# every: each row is a phenotype, also NOT, 0/n and "Excluded" (phenotype data of Exomiser up to 14.0.x).
# nonzero: rows whose frequency starts with 0 or is "Excluded" are left out, NOT rows stay (since issue 609).
# present: rows that say the disease has the term.
RowPolicy = Literal["every", "nonzero", "present"]
POLICIES: tuple[RowPolicy, ...] = get_args(RowPolicy)
_EXCLUDED = "HP:0040285"

Positions = NDArray[np.intp]


@dataclass(frozen=True)
class ModelRows:
    """The rows that make models; arrays are [n_rows], in the order of the file.

    Attributes:
        diseases: ids of the diseases with a gene, then of those without, each in code-point order; also of
            diseases whose rows are all left out.
        n_linked: how many have a gene: these are the models, the others count for information content only.
        row: position in the frame that was read.
        disease: position in `diseases`.
        term: position in the ontology.
        report: rows read, left out by the policy and unresolved; diseases, those without a term.
    """

    diseases: list[str]
    n_linked: int
    row: Positions
    disease: Positions
    term: Positions
    report: dict[str, int]

    def matrix(self, n_terms: int) -> csr_array:
        """Terms of all diseases, [n_diseases, n_terms] of ones."""
        return self.matrix_as(np.arange(len(self.row)), self.disease, (len(self.diseases), n_terms))

    def matrix_as(self, rows: Positions, item: Positions, shape: tuple[int, int]) -> csr_array:
        """Some rows under other items than their diseases.

        Args:
            rows: positions in the arrays of this object; a row may stand under several items.
            item: item of each of them.
            shape: number of items and of terms.
        """
        models = csr_array((np.ones(len(rows)), (item, self.term[rows])), shape=shape)
        models.sum_duplicates()
        models.data = np.ones(models.nnz)
        return models


def model_rows(
    rows: pd.DataFrame, linked: Collection[str], graph: OntologyGraph, policy: RowPolicy = "present"
) -> ModelRows:
    """Select the rows that make models.

    Args:
        rows: rows of read_hpoa.
        linked: diseases with a gene, in any order; those without rows are ignored.
        graph: the ontology; alternative and replaced ids are followed, unknown ones counted out.
        policy: one of POLICIES.

    Raises:
        EmptyResultError: no row left.
        SettingsError: an unknown policy.
    """
    kept = np.flatnonzero(_keep(rows, policy))
    term = term_positions(rows["hpo_id"].iloc[kept], graph)
    position, term = kept[term >= 0], term[term >= 0]
    if not len(position):
        raise EmptyResultError("building disease models", f"none of {len(rows)} rows left", "check terms and policy")
    known = frozenset(linked)
    names = sorted(rows["disease_id"].unique().tolist())
    with_gene = [name for name in names if name in known]
    diseases = with_gene + [name for name in names if name not in known]
    disease = pd.Index(diseases).get_indexer(pd.Index(rows["disease_id"].iloc[position])).astype(np.intp)
    report = {
        "rows": len(rows),
        "rows_left_out": len(rows) - len(kept),
        "rows_unresolved": len(kept) - len(position),
        "diseases": len(diseases),
        "diseases_with_gene": len(with_gene),
        "diseases_without_term": len(diseases) - len(np.unique(disease)),
    }
    return ModelRows(diseases, len(with_gene), position, disease, term, report)


def _keep(rows: pd.DataFrame, policy: RowPolicy) -> NDArray[np.bool_]:
    if policy not in POLICIES:
        raise SettingsError("choosing the rows of disease models", repr(policy), "one of " + ", ".join(POLICIES))
    if policy == "every":
        return np.ones(len(rows), dtype=bool)
    if policy == "present":
        return rows["present"].to_numpy(dtype=bool)
    frequency = rows["frequency"].str.strip()
    return ~(frequency.str.startswith("0") | (frequency == _EXCLUDED)).to_numpy(dtype=bool)
