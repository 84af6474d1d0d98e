"""The linked cohort: what preprocessing hands to statistics. Reading, writing and statistics are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

COVARIATES = ("Age", "Gender")


@dataclass(frozen=True)
class LinkedCohort:
    """Samples with their trait, covariates and genes.

    Attributes:
        trait: name of the trait; also the first column of `clinical`.
        cohort: accession.
        clinical: samples x (trait, then Age and Gender where kept); float64, index = sample ids.
        genes: symbols, sorted; p of them.
        values: samples x genes, float64, shape (n, p), rows in the order of `clinical`.
        groups: subject of each sample where samples repeat a person, else None; length n.
    """

    trait: str
    cohort: str
    clinical: pd.DataFrame
    genes: list[str]
    values: npt.NDArray[np.float64]
    groups: list[str] | None = None
