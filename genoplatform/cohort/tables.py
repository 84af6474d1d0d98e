"""A cohort as the named tables the store keeps, and the pinned publication dates it may be given."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from genoplatform.cohort.result import Cohort
from genoplatform.errors import BadInputError


def as_tables(cohort: Cohort) -> dict[str, pd.DataFrame]:
    """Every table of a cohort by name: cases, funnel, strata, term_changes, term_issues."""
    return {
        "cases": cohort.cases,
        "funnel": cohort.funnel,
        "strata": cohort.strata,
        "term_changes": cohort.term_changes,
        "term_issues": cohort.term_issues,
    }


def read_pmid_dates(path: Path) -> dict[str, str]:
    """Publication dates, PMID digits -> ISO date, from a JSON file with a `dates` object (rare_disease.md section 13).

    Raises:
        BadInputError: not JSON, or no such object.
    """
    try:
        dates = json.loads(path.read_bytes())["dates"]
        return {str(pmid): str(day) for pmid, day in dates.items() if day}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInputError(
            f"reading {path.name}", f"{type(error).__name__}: {error}", 'need {"dates": {PMID: "YYYY-MM-DD"}}'
        ) from error
