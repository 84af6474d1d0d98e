"""The answer to a problem, and its form in the benchmark's regression files (expression.md A.5, C.11).

Belongs here: what an answer holds and how it is written. Does not belong here: how it is found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from genoplatform.expression.statistics.arrays import Floats
from genoplatform.expression.statistics.problems import NO_CONDITION, Problem

GENE_COLUMNS = {
    "gene": "str",
    "coefficient": "float64",
    "p_value": "float64",
    "corrected_p_value": "float64",
    "stability": "float64",
    "chosen": "bool",
    "known": "bool",
}


@dataclass(frozen=True)
class Answer:
    """Genes of a problem.

    Attributes:
        problem: what was asked.
        genes: a row a gene of the cohort: coefficient (of the z-scored gene), p_value and corrected_p_value (mixed
            model, NaN where not tested), stability (NaN where not run), chosen, known; chosen ones first, best first.
        tested: whether genes are chosen by p-value, else by a coefficient that is not zero.
        performance: {"prediction": ..., "selection": ...} of cross-validation; empty where no model predicts.
        tuning: a row a penalty.
        facts: one value a name: cohorts, model, penalty, eigenvalue ratios, variance ratio, gaps, inflation.
    """

    problem: Problem
    genes: pd.DataFrame
    tested: bool
    performance: dict[str, dict[str, float]]
    tuning: pd.DataFrame
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def chosen(self) -> list[str]:
        """Chosen genes, best first."""
        return [str(gene) for gene in self.genes.loc[self.genes["chosen"], "gene"]]

    def benchmark(self) -> dict[str, Any]:
        """The object of the benchmark's regression file."""
        chosen = self.genes[self.genes["chosen"]]
        columns: dict[str, list[Any]] = {
            "Variable": [str(gene) for gene in chosen["gene"]],
            "Coefficient": chosen["coefficient"].tolist(),
        }
        if self.tested:
            columns |= {name: chosen[name].tolist() for name in ("p_value", "corrected_p_value")}
        else:
            columns["Absolute Coefficient"] = chosen["coefficient"].abs().tolist()
        return {"significant_genes": columns, "cv_performance": self.performance}


def file_name(problem: Problem) -> str:
    """Name of a problem's regression file below its trait's folder."""
    return f"significant_genes_condition_{problem.condition or NO_CONDITION}.json"


def gene_table(
    genes: list[str], coefficient: Floats, chosen: npt.NDArray[np.bool_], known: set[str], *, tested: bool,
    p: Floats | None = None, corrected: Floats | None = None, stability: Floats | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Genes of an answer: chosen first, by p-value if `tested`, else by size of the coefficient, then by name."""
    missing = np.full(len(genes), np.nan)
    table = pd.DataFrame(
        {
            "gene": pd.Series(genes, dtype="str"),
            "coefficient": coefficient,
            "p_value": missing if p is None else p,
            "corrected_p_value": missing if corrected is None else corrected,
            "stability": missing if stability is None else stability,
            "chosen": chosen,
            "known": [gene in known for gene in genes],
        }
    ).astype(GENE_COLUMNS)
    size, p_value = -table["coefficient"].abs(), table["p_value"].fillna(1.0)
    first, second = (p_value, size) if tested else (size, p_value)
    order = np.lexsort((np.arange(len(table)), second, first, ~table["chosen"]))
    return table.iloc[order].reset_index(drop=True)
