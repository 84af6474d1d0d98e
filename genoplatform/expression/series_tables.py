"""Facts of a cohort as stored: its tables, first ids and annotation preview, and the way from them to the curator."""

from __future__ import annotations

import pandas as pd

from genoplatform.expression.curation.facts import CharacteristicsRow, CohortFacts
from genoplatform.expression.decisions import CohortDecisions
from genoplatform.expression.facts_table import CohortTables
from genoplatform.expression.readers.annotation import ID, Annotation
from genoplatform.expression.readers.characteristics import cells_of_row
from genoplatform.expression.readers.cohort import (
    read_cohort_annotation,
    read_expression,
    read_facts_and_expression,
)
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.settings.expression import Rules

FIRST_IDS = 20
PREVIEW = 10


def read_series_tables(source: CohortSource) -> dict[str, pd.DataFrame]:
    """Read a cohort: the tables of `CohortTables`, `first_ids` (id), `annotation_preview` (first rows, all columns)."""
    facts, measured = read_facts_and_expression(source)
    annotation = read_cohort_annotation(source, facts.platform, measured.ids)
    preview = annotation.table.head(PREVIEW) if annotation is not None else pd.DataFrame({ID: []}, dtype="str")
    tables = facts.to_tables()
    report = facts.report | {f"table: {reason}": count for reason, count in measured.report.items()}
    report |= {"measured rows": len(measured.ids), "measured samples": len(measured.samples)}
    tables["report"] = pd.DataFrame(list(report.items()), columns=["reason", "count"]).astype({"reason": "str"})
    tables["first_ids"] = pd.DataFrame({"id": pd.Series(measured.ids[:FIRST_IDS], dtype="str")})
    tables["annotation_preview"] = preview.reset_index(drop=True)
    return tables


def cohort_facts(tables: dict[str, pd.DataFrame]) -> CohortFacts:
    """Facts of a cohort as curation takes them, from the tables of `read_series_tables`."""
    facts = CohortTables.from_tables(tables)
    samples = facts.samples["sample"].tolist()
    rows = [int(row) for row in sorted(set(facts.characteristics["row"]))]
    preview = tables["annotation_preview"]
    return CohortFacts(
        trait=facts.trait,
        cohort=facts.cohort,
        background=facts.background,
        characteristics=tuple(
            CharacteristicsRow.of(row, cells_of_row(facts.characteristics, row, samples)) for row in rows
        ),
        titles=tuple(facts.samples["title"]),
        source_names=tuple(facts.samples["source_name"]),
        descriptions=tuple(facts.samples["description"]),
        first_ids=tuple(tables["first_ids"]["id"]),
        annotation=Annotation("", preview).preview(PREVIEW) if len(preview) else {},
        platform=facts.platform or None,
    )


def read_chosen_annotation(
    source: CohortSource, platform: str, decisions: CohortDecisions, rules: Rules
) -> tuple[pd.DataFrame, dict[str, int]]:
    """The two annotation columns that curation chose, as `probe` and `gene`, and counts.

    No rows where nothing is to be mapped, the platform has no annotation, or a column is not there. Under `compat_v2`
    rows are those of that release's reader, whose id column is `ID` whatever was chosen (!).
    """
    empty = pd.DataFrame({"probe": pd.Series(dtype="str"), "gene": pd.Series(dtype="str")})
    if not decisions.needs_mapping or decisions.gene_column is None:
        return empty, {"annotation rows": 0}
    ids = read_expression(source, platform).ids if not platform else []
    found = read_cohort_annotation(source, platform, ids, v2=rules == "compat_v2")
    if found is None:
        return empty, {"annotation rows": 0}
    column = id_column(decisions, rules)
    missing = [name for name in (column, decisions.gene_column) if name not in found.table.columns]
    if missing:
        return empty, {"annotation rows": len(found.table), "chosen columns that are not there": len(missing)}
    table = pd.DataFrame({"probe": found.table[column], "gene": found.table[decisions.gene_column]})
    kept = table[(table["probe"] != "") & (table["gene"] != "")].reset_index(drop=True)
    return kept, {"annotation rows": len(table), "mapping rows": len(kept)}


def id_column(decisions: CohortDecisions, rules: Rules) -> str:
    """The annotation column that holds the measured ids."""
    return (decisions.id_column or ID) if rules == "sound" else ID
