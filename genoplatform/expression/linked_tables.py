"""The linked cohort as tables that are stored: genes stay in rows, since a frame of 17,000 columns is slow."""

from __future__ import annotations

import numpy as np
import pandas as pd

from genoplatform.expression.linked import COVARIATES, LinkedCohort


def linked_tables(cohort: LinkedCohort | None) -> dict[str, pd.DataFrame]:
    """`clinical`: sample, trait value under the trait's name, Age and Gender where kept, subject (empty where persons
    do not repeat); `genes`: gene, then one column a sample; `about`: trait and cohort. Without a cohort no rows.
    """
    if cohort is None:
        names = {"sample": "str", "subject": "str"}
        empty = pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in names.items()})
        genes = pd.DataFrame({"gene": pd.Series(dtype="str")})
        return {"clinical": empty, "genes": genes, "about": _about([])}
    samples = [str(sample) for sample in cohort.clinical.index]
    clinical = cohort.clinical.reset_index(drop=True)
    clinical.insert(0, "sample", pd.Series(samples, dtype="str"))
    clinical["subject"] = pd.Series(cohort.groups or [""] * len(samples), dtype="str")
    genes = pd.DataFrame(cohort.values.T, columns=samples)
    genes.insert(0, "gene", pd.Series(cohort.genes, dtype="str"))
    return {"clinical": clinical, "genes": genes, "about": _about([(cohort.trait, cohort.cohort)])}


def linked_from_tables(tables: dict[str, pd.DataFrame]) -> LinkedCohort | None:
    """The linked cohort of its tables; None where the cohort was not available."""
    if tables["about"].empty:
        return None
    trait, cohort = tables["about"].iloc[0]
    stored = tables["clinical"]
    columns = [name for name in (trait, *COVARIATES) if name in stored.columns]
    clinical = stored.set_index("sample")[columns].astype("float64")
    clinical.index.name = None
    groups = [str(name) for name in stored["subject"]]
    genes = tables["genes"]
    return LinkedCohort(
        trait=str(trait),
        cohort=str(cohort),
        clinical=clinical,
        genes=[str(gene) for gene in genes["gene"]],
        values=np.ascontiguousarray(genes.iloc[:, 1:].to_numpy(dtype=np.float64).T),
        groups=groups if any(groups) else None,
    )


def _about(rows: list[tuple[str, str]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["trait", "cohort"]).astype("str")
