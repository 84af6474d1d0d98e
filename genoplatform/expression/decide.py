"""Decisions on one cohort: the rule-based curator, the benchmark's TCGA codes under compat, people's overrides."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from genoplatform.errors import BadInputError
from genoplatform.expression.curation import (
    CohortFacts,
    Override,
    apply_overrides,
    curate,
    curate_clinical_columns,
    read_overrides,
)
from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.layout import TCGA, split_key
from genoplatform.expression.series_tables import cohort_facts
from genoplatform.expression.tcga import compat_codes
from genoplatform.settings.expression import Rules


def decide(tables: dict[str, pd.DataFrame], rules: Rules, by_people: Path | None = None) -> CohortDecisions:
    """Decisions on the cohort of a `series` artefact.

    Args:
        tables: from `read_series_tables`.
        rules: sound or compat.
        by_people: a file of overrides, or a directory of such files.
    """
    facts = CohortTables.from_tables(tables)
    if facts.cohort == TCGA:
        columns = {str(name): facts.clinical[name].tolist() for name in facts.clinical.columns}
        found = curate_clinical_columns(facts.trait, columns, facts.cohort)
        if rules != "sound":
            found = compat_codes(found, facts.clinical["sample"].tolist())
    else:
        known: CohortFacts = cohort_facts(tables)
        found = curate(known)
    return apply_overrides(found, overrides_in(by_people))


def overrides_in(path: Path | None) -> dict[str, Override]:
    """Overrides of a file, or of every YAML file of a directory.

    Raises:
        BadInputError: two files decide on one cohort, or as `read_overrides`.
    """
    if path is None:
        return {}
    files = sorted([*path.rglob("*.yml"), *path.rglob("*.yaml")]) if path.is_dir() else [path]
    found: dict[str, Override] = {}
    for file in files:
        for key, override in read_overrides(file).items():
            if key in found:
                raise BadInputError(f"reading overrides in {path.name}", f"{key} stands there twice", "keep one entry")
            found[key] = override
    return found


def platform_by_people(key: str, path: Path | None) -> str | None:
    """Platform of a cohort that people chose, if they did: it has to be known before its facts are read."""
    overrides = overrides_in(path)
    entry = overrides.get(key, overrides.get(split_key(key)[1]))
    return entry.platform if entry is not None else None
