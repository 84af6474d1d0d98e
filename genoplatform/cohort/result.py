"""What building a cohort returns, whichever source it came from.

Here: the bundle of case table, funnel and reports, and the table of strata. Not here: how cases are found.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Cohort:
    """A finished cohort.

    Attributes:
        cases: the case table (``schema.CASE_COLUMNS``), sorted by case_id.
        funnel: stage, n, dropped, reason: everything the filters removed.
        strata: stratum, eligible, drawn, inclusion_probability.
        term_changes: case_id, term, excluded, kind, detail of HPO ids mapped or dropped.
        term_issues: case_id, kind, term, other of contradictions and redundancy.
        report: counts of terms and issues.
    """

    cases: pd.DataFrame
    funnel: pd.DataFrame
    strata: pd.DataFrame
    term_changes: pd.DataFrame
    term_issues: pd.DataFrame
    report: dict[str, int]


def strata_table(eligible: pd.Series, drawn: pd.Series) -> pd.DataFrame:
    """Eligible and drawn cases of every stratum, from the stratum labels of both."""
    table = pd.DataFrame({"eligible": eligible.value_counts(), "drawn": drawn.value_counts()}).fillna(0).astype("int64")
    table["inclusion_probability"] = table["drawn"] / table["eligible"]
    return table.sort_index().rename_axis("stratum").reset_index()
