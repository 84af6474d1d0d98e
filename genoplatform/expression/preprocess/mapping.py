"""From measured rows to genes: one sparse product, by one of three value rules. Source: expression.md B.7, B.8.

Which gene a row measures is decided before (`symbols.py`); here it only counts that a row has one, several or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats = npt.NDArray[np.float64]
ValueRule = Literal["split_sum", "full_mean", "unique_mean"]


@dataclass(frozen=True)
class Mapped:
    """Genes with their values.

    Attributes:
        genes: symbols, sorted, length g.
        values: float64, shape (g, n); NaN = missing.
        report: rows by what happened to them.
    """

    genes: list[str]
    values: Floats
    report: dict[str, int]


def map_rows(genes_of: Sequence[Sequence[str]], rows: npt.NDArray[np.intp], values: Floats, rule: ValueRule) -> Mapped:
    """Values of genes from values of rows.

    Args:
        genes_of: genes of each mapping entry, distinct, length m.
        rows: row of `values` each entry is about, length m.
        values: float64, shape (p, n); NaN = missing.
        rule: `split_sum` (release 2): a row gives value / number of its genes to each, a gene is the sum; a gene
            with no observed value at all becomes 0 (!). `full_mean` (release 1): every gene gets the full value, a
            gene is the mean, and one with a missing sample is dropped. `unique_mean` (sound): only rows of one gene
            count, a gene is the mean of its observed values, and missing where there is none.
    """
    counts = np.fromiter(map(len, genes_of), dtype=np.intp, count=len(genes_of))
    report = {
        "rows with a gene": int((counts > 0).sum()),
        "rows with several genes": int((counts > 1).sum()),
        "rows without a gene": int((counts == 0).sum()),
    }
    usable = counts == 1 if rule == "unique_mean" else counts > 0
    picked = [genes for genes, use in zip(genes_of, usable, strict=True) if use]
    names = sorted({gene for genes in picked for gene in genes})
    place = {gene: i for i, gene in enumerate(names)}
    at = np.fromiter((place[gene] for genes in picked for gene in genes), dtype=np.intp)
    sizes = counts[usable]
    weights = np.repeat(1.0 / sizes if rule == "split_sum" else np.ones(len(sizes)), sizes)
    shape = (len(names), values.shape[0])
    matrix = sparse.csr_matrix((weights, (at, np.repeat(rows[usable], sizes))), shape=shape)
    if rule == "unique_mean":
        everywhere = {gene for genes in genes_of for gene in genes}
        report["genes measured only by rows of several genes"] = len(everywhere) - len(names)
    return (
        Mapped(names, *_combined(matrix, values, rule, report))
        if rule != "full_mean"
        else _complete(names, *_combined(matrix, values, rule, report))
    )


def average(names: Sequence[str | None], values: Floats) -> tuple[list[str], Floats]:
    """Rows of one name averaged over their observed values, sorted by name; rows without a name are dropped."""
    genes_of = [[name] if name else [] for name in names]
    mapped = map_rows(genes_of, np.arange(len(names)), values, "unique_mean")
    return mapped.genes, mapped.values


def _combined(
    matrix: sparse.csr_matrix, values: Floats, rule: ValueRule, report: dict[str, int]
) -> tuple[Floats, dict[str, int]]:
    missing = np.isnan(values)
    if not missing.any():
        totals = np.asarray(matrix @ values)
        if rule != "split_sum":
            totals /= np.asarray(matrix.sum(axis=1)).reshape(-1, 1)
        return totals, report
    totals = np.asarray(matrix @ np.where(missing, 0.0, values))
    if rule == "split_sum":
        return totals, report
    observed = np.asarray(matrix @ (~missing).astype(np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(observed > 0, totals / observed, np.nan), report


def _complete(names: list[str], values: Floats, report: dict[str, int]) -> Mapped:
    keep = np.logical_not(np.isnan(values).any(axis=1)).tolist()
    report["genes dropped for a missing sample"] = keep.count(False)
    return Mapped([name for name, kept in zip(names, keep, strict=True) if kept], values[keep], report)
