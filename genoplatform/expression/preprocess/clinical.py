"""Clinical values of one cohort: decisions applied to its facts. Source: expression.md B.2, B.4, E.6.

Sound finds a characteristic by its key, so that shifted cells keep their meaning; compat takes the raw row as it stands
(!). Nothing is decided here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from genoplatform.expression.curation import code_of
from genoplatform.expression.decisions import CohortDecisions, Variable
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.preprocess.subjects import subjects
from genoplatform.expression.readers.characteristics import cells_of_key, cells_of_row
from genoplatform.settings.expression import ExpressionSettings

FEATURES = ("trait", "age", "gender")


@dataclass(frozen=True)
class ClinicalTable:
    """Clinical values by sample.

    Attributes:
        table: sample, trait, age, gender (float64, missing where unknown), subject (empty unless persons repeat),
            trait_cell, age_cell, gender_cell (as printed).
        available: which of trait, age and gender have a variable.
        report: counts of unlisted cells and unknown values, by variable.
    """

    table: pd.DataFrame
    available: tuple[str, ...]
    report: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: pd.DataFrame, decisions: CohortDecisions) -> ClinicalTable:
        """From a stored table and the decisions it was made by."""
        return cls(table, available(decisions))


def available(decisions: CohortDecisions) -> tuple[str, ...]:
    """Which of trait, age and gender have a variable."""
    return tuple(name for name, item in _variables(decisions).items() if item is not None)


def _variables(decisions: CohortDecisions) -> dict[str, Variable | None]:
    found = (decisions.trait_variable, decisions.age_variable, decisions.gender_variable)
    return dict(zip(FEATURES, found, strict=True))


def clinical_table(tables: CohortTables, decisions: CohortDecisions, settings: ExpressionSettings) -> ClinicalTable:
    """Apply the decisions on trait, age and gender to every sample."""
    samples = tables.samples["sample"].tolist()
    variables = _variables(decisions)
    frame = pd.DataFrame({"sample": pd.Series(samples, dtype="str")})
    report: dict[str, int] = {}
    cells = {name: variable_cells(tables, item, settings) for name, item in variables.items()}
    for name, item in variables.items():
        frame[name] = coded(cells[name], item, decisions.trait)
        if item is not None:
            unlisted = [cell for cell in cells[name] if cell and cell not in item.codes]
            report[f"{name}: cells coded by rule, not listed"] = len(unlisted)
            report[f"{name}: values unknown"] = int(frame[name].isna().sum())
    pattern = settings.subjects.get(f"{tables.trait}|{tables.cohort}")
    frame["subject"] = pd.Series(subjects(tables, re.compile(pattern) if pattern else None), dtype="str")
    for name in FEATURES:
        frame[f"{name}_cell"] = pd.Series(cells[name], dtype="str")
    return ClinicalTable(frame, available(decisions), report)


def variable_cells(tables: CohortTables, variable: Variable | None, settings: ExpressionSettings) -> list[str]:
    """The cell of every sample that a variable is read from, in the order of `tables.samples`; empty where none."""
    samples = tables.samples["sample"].tolist()
    if variable is None:
        return [""] * len(samples)
    if variable.source == "characteristics":
        by_row = variable.row is not None and (settings.rules != "sound" or not variable.key)
        if by_row:
            return cells_of_row(tables.characteristics, int(variable.row or 0), samples)
        return cells_of_key(tables.characteristics, variable.key, samples)
    if variable.source == "clinical":
        if variable.key not in tables.clinical.columns:
            return [""] * len(samples)
        return [str(cell) for cell in tables.clinical[variable.key]]
    return [str(cell) for cell in tables.samples[variable.source]]


def coded(cells: list[str], variable: Variable | None, trait: str) -> np.ndarray:
    """Numbers of cells, float64; missing where the cell is empty, or neither the codes nor their rule know it."""
    if variable is None:
        return np.full(len(cells), np.nan)
    numbers = {cell: code_of(variable, cell, trait) if cell else None for cell in set(cells)}
    found = [numbers[cell] for cell in cells]
    return np.array([np.nan if number is None else number for number in found], dtype=np.float64)
