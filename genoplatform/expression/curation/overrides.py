"""Decisions of people, laid over those of a curator: one YAML file per project, validated, every change recorded.

A file maps a cohort ("GSE781") or a trait's cohort ("Kidney_Clear_Cell_Carcinoma|GSE781") to what is decided instead:

    GSE781:
      by: a.name
      reason: tumour and normal stand in the titles only
      gender: null                  # not available
      age: {source: characteristics, key: age, row: 3, kind: continuous, codes: {"age: 60s": 65}}
      trait_codes: {"tissue: borderline": null}     # single codes of the curator's choice
      needs_mapping: true
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from genoplatform.errors import BadInputError
from genoplatform.expression.decisions import CohortDecisions, Variable

_VARIABLES = {"trait": "trait_variable", "age": "age_variable", "gender": "gender_variable"}
_PLAIN = ("is_gene_available", "needs_mapping", "id_column", "gene_column", "platform")


class Override(BaseModel):
    """What a person decides on one cohort; a field that is not given stays as the curator left it.

    Attributes:
        by, reason: who and why; both are recorded.
        trait, age, gender: the variable, or null for "not available".
        trait_codes, age_codes, gender_codes: codes of single cells, laid over the codes of the variable.
        is_gene_available, needs_mapping, id_column, gene_column, platform: as in the decisions.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    by: str
    reason: str
    trait: Variable | None = None
    age: Variable | None = None
    gender: Variable | None = None
    trait_codes: dict[str, float | None] = {}
    age_codes: dict[str, float | None] = {}
    gender_codes: dict[str, float | None] = {}
    is_gene_available: bool | None = None
    needs_mapping: bool | None = None
    id_column: str | None = None
    gene_column: str | None = None
    platform: str | None = None


def read_overrides(path: Path) -> dict[str, Override]:
    """Overrides by cohort, or by "trait|cohort".

    Raises:
        BadInputError: the file is no such mapping, or an entry does not validate.
    """
    try:
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise BadInputError(
            f"reading {path.name}", f"not YAML: {error}", "see the example in the documentation"
        ) from error
    if not isinstance(loaded, dict):
        raise BadInputError(f"reading {path.name}", f"a {type(loaded).__name__}", "it should map cohorts to decisions")
    return {str(cohort): validated(entry, str(cohort)) for cohort, entry in loaded.items()}


def validated(entry: Any, cohort: str) -> Override:
    """One entry as an override.

    Raises:
        BadInputError: it has unknown fields, wrong types, or a variable whose codes are constant or all unknown.
    """
    try:
        override = Override.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInputError(
            f"reading the override of {cohort}", f"{where}: {first['msg']}", "fields are listed in the documentation"
        ) from error
    for name in _VARIABLES:
        _check_codes(getattr(override, name), name, cohort)
    return override


def apply_overrides(
    decisions: CohortDecisions, overrides: Mapping[str, Override | Mapping[str, Any]]
) -> CohortDecisions:
    """The decisions with what people decided on this cohort in place; `why` tells each change, `curator` who made it.

    An entry for "trait|cohort" goes before one for the cohort. Without an entry the decisions come back as they are.

    Raises:
        BadInputError: as `validated`; or codes are given for a variable that is not available.
    """
    key = f"{decisions.trait}|{decisions.cohort}"
    entry = overrides.get(key, overrides.get(decisions.cohort))
    if entry is None:
        return decisions
    override = entry if isinstance(entry, Override) else validated(entry, key)
    changes: dict[str, Any] = {}
    why = dict(decisions.why)
    for name in [n for n in _PLAIN if n in override.model_fields_set]:
        changes[name] = getattr(override, name)
        why[name] = _told(override, getattr(decisions, name), changes[name])
    for name, field in _VARIABLES.items():
        before: Variable | None = getattr(decisions, field)
        after = _variable(override, name, before, key)
        if after != before or name in override.model_fields_set:
            changes[field] = after
            why[name] = _told(override, _brief(before), _brief(after))
    return decisions.model_copy(
        update={**changes, "why": why, "curator": f"{decisions.curator}, overridden by {override.by}"}
    )


def _variable(override: Override, name: str, before: Variable | None, cohort: str) -> Variable | None:
    variable: Variable | None = getattr(override, name) if name in override.model_fields_set else before
    codes: dict[str, float | None] = getattr(override, f"{name}_codes")
    if not codes:
        return variable
    if variable is None:
        raise BadInputError(
            f"overriding {cohort}", f"{name}_codes, but {name} is not available", f"give {name} as a whole"
        )
    return _checked(variable.model_copy(update={"codes": {**variable.codes, **codes}}), name, cohort)


def _checked(variable: Variable, name: str, cohort: str) -> Variable:
    _check_codes(variable, name, cohort)
    return variable


def _check_codes(variable: Variable | None, name: str, cohort: str) -> None:
    if variable is None:
        return
    values = {code for code in variable.codes.values() if code is not None}
    if len(values) < 2:
        raise BadInputError(
            f"reading the override of {cohort}",
            f"the codes of {name} are {'constant' if values else 'all unknown'}",
            f"give at least two different codes, or {name}: null for not available",
        )
    if variable.kind == "binary" and not values <= {0.0, 1.0}:
        raise BadInputError(
            f"reading the override of {cohort}", f"{name} is binary but coded {sorted(values)}", "use 0 and 1"
        )


def _brief(variable: Variable | None) -> str:
    if variable is None:
        return "not available"
    place = f"row {variable.row} ({variable.key})" if variable.source == "characteristics" else variable.source
    return f"{place}, {len(variable.codes)} codes"


def _told(override: Override, before: object, after: object) -> str:
    return f"{override.by}: {override.reason} (was: {before}; is: {after})"
