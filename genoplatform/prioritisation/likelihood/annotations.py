"""Disease annotations as the likelihood ratio reads them: n of m patients for each disease and term.

Here: which rows of phenotype.hpoa are phenotypes, what each frequency field means as a count, and pooling.
Not here: reading and checking the file (genoplatform.ontology.hpoa), background frequencies, ratios.
Source of the rules: LIRICAL 2.x (Robinson et al. 2020, AJHG) on the annotation loader it uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import EmptyResultError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.likelihood.terms import term_positions

# The published program reads OMIM and DECIPHER, and ORPHA only when asked to.
PREFIXES = ("OMIM", "DECIPHER")
# Patients that a frequency without counts ("Frequent", "30%") is taken to stand for.
COHORT_SIZE = 5
_NOT_PHENOTYPES = ("HP:0000005", "HP:0031797")  # mode of inheritance, clinical course: with all below them
_CLINICAL_MODIFIER = "HP:0012823"  # this term alone; what is below it stays

Positions = NDArray[np.intp]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class PhenotypeRows:
    """The rows that count; arrays are [n_rows], in the order of the file.

    Attributes:
        diseases: ids in code-point order, also of diseases without any phenotype.
        row: position in the frame that was read.
        disease: position in `diseases`.
        term: position in the ontology.
        affected: n, patients with the term.
        examined: m, patients examined.
        report: rows read, rows left out by reason, diseases, those without a phenotype.
    """

    diseases: list[str]
    row: Positions
    disease: Positions
    term: Positions
    affected: Counts
    examined: Counts
    report: dict[str, int]

    def pool(self) -> DiseaseAnnotations:
        """All rows, pooled by disease."""
        return self.pool_as(np.arange(len(self.row)), self.disease, len(self.diseases))

    def pool_as(self, rows: Positions, item: Positions, n_items: int) -> DiseaseAnnotations:
        """Some rows, pooled under other items than their diseases.

        Args:
            rows: positions in the arrays of this object; a row may stand under several items.
            item: item of each of them, below `n_items`.
            n_items: number of items, also those without a row.
        """
        n_terms = int(self.term.max(initial=0)) + 1
        key, at = np.unique(item * n_terms + self.term[rows], return_inverse=True)
        affected = np.bincount(at, weights=self.affected[rows], minlength=len(key)).astype(np.int64)
        examined = np.bincount(at, weights=self.examined[rows], minlength=len(key)).astype(np.int64)
        return DiseaseAnnotations(n_items, key // n_terms, key % n_terms, affected, examined)


@dataclass(frozen=True)
class DiseaseAnnotations:
    """Annotations, one per disease and term; arrays are [n_annotations], sorted by disease, then term.

    Attributes:
        n_diseases: how many diseases, with and without annotations.
        disease: position of the disease.
        term: position in the ontology.
        affected: n, patients with the term, summed over rows.
        examined: m, patients examined, summed over rows.
    """

    n_diseases: int
    disease: Positions
    term: Positions
    affected: Counts
    examined: Counts

    @property
    def frequency(self) -> NDArray[np.float64]:
        """n/m, divided in single precision as the published program does, [n_annotations]."""
        ratio = self.affected.astype(np.float32) / self.examined.astype(np.float32)
        return ratio.astype(np.float64)

    @property
    def absent(self) -> NDArray[np.bool_]:
        """Whether the disease is annotated as not having the term (n = 0), [n_annotations]."""
        return np.asarray(self.affected == 0, dtype=np.bool_)


def phenotype_rows(
    rows: pd.DataFrame,
    graph: OntologyGraph,
    *,
    prefixes: Sequence[str] = PREFIXES,
    cohort_size: int = COHORT_SIZE,
) -> PhenotypeRows:
    """Select the rows of a release that are phenotypes, and count their patients.

    Args:
        rows: rows of read_hpoa; with a column `copies` (see copies.py) each row counts that often, as in the
            published program, without it once. Their reader has already left out impossible fractions.
        graph: the ontology.
        prefixes: disease databases to keep.
        cohort_size: patients behind a frequency stated without counts.

    Raises:
        EmptyResultError: no disease of these databases.
    """
    names = _of_databases(rows["disease_id"], prefixes)
    disease = pd.Index(names).get_indexer(pd.Index(rows["disease_id"])).astype(np.intp)
    known = disease >= 0
    phenotype = known & ~rows["hpo_id"].isin(_left_out(graph)).to_numpy(dtype=bool)
    position = np.flatnonzero(phenotype)
    term = term_positions(rows["hpo_id"].iloc[position], graph)
    position, term = position[term >= 0], term[term >= 0]
    kept = rows.iloc[position]
    affected, examined = patient_counts(kept, cohort_size)
    copies = kept["copies"].to_numpy(np.int64) if "copies" in kept else np.ones(len(kept), np.int64)
    report = {
        "rows": len(rows),
        "rows_other_database": int((~known).sum()),
        "rows_not_phenotype": int((known & ~phenotype).sum()),
        "rows_unresolved": int(phenotype.sum()) - len(position),
        "diseases": len(names),
        "diseases_without_phenotype": len(names) - len(np.unique(disease[position])),
    }
    return PhenotypeRows(names, position, disease[position], term, affected * copies, examined * copies, report)


def patient_counts(rows: pd.DataFrame, cohort_size: int) -> tuple[Counts, Counts]:
    """n and m of every row.

    Nothing stated counts as 1 of 1, a stated k/m as it is, a frequency term or percentage as the nearest
    count of `cohort_size`, half up, so that "Very rare" and "5%" become 0: absent. NOT turns k/m into
    (m - k)/m, except that NOT 0/m stays 0/m; it makes the others 0, except a percentage, which it leaves.

    Args:
        rows: negated, frequency, numerator, denominator, frequency_value.
        cohort_size: m of a frequency stated without counts.
    """
    negated = rows["negated"].to_numpy(dtype=bool)
    value = rows["frequency_value"].to_numpy(dtype=np.float64)
    percent = rows["frequency"].str.strip().str.endswith("%").to_numpy(dtype=bool)
    counted = rows["denominator"].notna().to_numpy(dtype=bool)
    k = rows["numerator"].fillna(0).to_numpy(dtype=np.int64)
    m = rows["denominator"].fillna(0).to_numpy(dtype=np.int64)
    stated = np.floor(np.nan_to_num(value) * cohort_size + 0.5).astype(np.int64)
    affected = np.select(
        [counted & negated & (k > 0), counted, np.isnan(value), percent],
        [m - k, k, ~negated, stated],
        default=np.where(negated, 0, stated),
    )
    examined = np.select([counted, np.isnan(value)], [m, 1], default=cohort_size)
    return affected.astype(np.int64), examined.astype(np.int64)


def _of_databases(disease_ids: pd.Series, prefixes: Sequence[str]) -> list[str]:
    ids = disease_ids.drop_duplicates()
    names = sorted(ids[ids.str.split(":", n=1).str[0].isin(list(prefixes))].tolist())
    if not names:
        raise EmptyResultError("reading disease annotations", f"no disease of {', '.join(prefixes)}", "check prefixes")
    return names


def _left_out(graph: OntologyGraph) -> list[str]:
    """Ids that are no phenotype. Rows are compared as written: an alternative id of one is not recognised."""
    below = {term for root in _NOT_PHENOTYPES if root in graph.index for term in graph.descendants(root)}
    return sorted(below | {*_NOT_PHENOTYPES, _CLINICAL_MODIFIER})
