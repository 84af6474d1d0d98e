"""Coding of cells that a decision does not list, by the rule it names; the rules themselves are elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from genoplatform.expression.curation import trait_rules
from genoplatform.expression.curation.demographics import age_code, gender_code
from genoplatform.expression.curation.free_text import text_age, text_gender
from genoplatform.expression.curation.tcga import barcode_code, days_to_birth_code
from genoplatform.expression.curation.terms import trait_terms
from genoplatform.expression.curation.text import split_cell
from genoplatform.expression.decisions import Variable

_TEXT_RULES: dict[str, Callable[[str], float | None]] = {
    "text-age": text_age,
    "text-gender": text_gender,
    "tcga-barcode": barcode_code,
    "days-to-birth": days_to_birth_code,
}


def code_of(variable: Variable, cell: str, trait: str) -> float | None:
    """Number of a whole cell under a decision: as listed, else by the decision's rule; None where neither says.

    Args:
        variable: the decision.
        cell: the cell as printed ("age: 54").
        trait: trait of the cohort, whose terms trait rules use.
    """
    if cell in variable.codes:
        return variable.codes[cell]
    if variable.source != "characteristics":
        return _of_text(variable, cell)
    key, value = split_cell(cell)
    if variable.rule == "age":
        return age_code(key, value)
    if variable.rule == "gender":
        return gender_code(key, value)
    if variable.rule in trait_rules.RULES and key.casefold() == variable.key.casefold():
        return trait_rules.apply(variable.rule, trait_terms(trait), key, value)
    return None


def _of_text(variable: Variable, cell: str) -> float | None:
    if variable.rule in _TEXT_RULES:
        return _TEXT_RULES[variable.rule](cell)
    if variable.source != "clinical":
        return None
    return age_code(variable.key, cell) if variable.rule == "age" else gender_code(variable.key, cell)
