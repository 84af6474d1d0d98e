"""What the report is made from.

Belongs here: the bundle of finished tables and the order their parts are shown in. Does not belong here: numbers or
words about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from genoplatform.errors import BadInputError

DIFFICULTIES = ("standard", "hard")
_NOT_SECTIONS = ("name", "title", "slots", "parameters")

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class ReportInputs:
    """Tables and settings of one benchmark run.

    Attributes:
        profile: name, title, slots (role -> pin id or None), and the declared parameters as sections of name ->
            value: under `parameters`, or beside the other keys as `Profile.model_dump()` has them.
        cases: the case table (cohort.schema.CASE_COLUMNS).
        funnel: stage, n, dropped, reason.
        strata: stratum, eligible, drawn, inclusion_probability.
        evaluations: difficulty -> tables of `inference.evaluate` (metrics, overlap_shift, contrasts) and, where it
            was computed, `weighted` of `inference.weights.weighted_rates`.
        ranks: difficulty -> system, case_id, rank, n_candidates, tied, tie_rule.
        removed: case_id, edges_removed, genes_affected, genes_emptied, causal_terms, causal_terms_removed.
        provenance: rows of asset, partition, sha256, data_version, pins ("id sha256" texts).
        notes: further remarks, shown with the limits.
        analyses: difficulty -> tables of `inference.suite`; whatever is missing is not shown.
        releases: the table of `inference.release_series`: release, system, n, n_publications, overlap_rate, ranked,
            top1, top1_lo, top1_hi, top10, top10_lo, top10_hi.

    Raises:
        BadInputError: no cases, no evaluation, or a difficulty evaluated without ranks.
    """

    profile: Mapping[str, Any]
    cases: pd.DataFrame
    funnel: pd.DataFrame
    strata: pd.DataFrame
    evaluations: Mapping[str, Tables]
    ranks: Tables
    removed: pd.DataFrame
    provenance: Sequence[Mapping[str, Any]] = ()
    notes: Sequence[str] = ()
    analyses: Mapping[str, Tables] = field(default_factory=dict)
    releases: pd.DataFrame | None = None

    def __post_init__(self) -> None:
        missing = sorted(set(self.evaluations) - set(self.ranks))
        if self.cases.empty or not self.evaluations or missing:
            found = f"no ranks for {missing}" if missing else "no cases" if self.cases.empty else "no evaluation"
            raise BadInputError("building the benchmark report", found, "materialise what it rests on first")

    @property
    def difficulties(self) -> list[str]:
        """Difficulties evaluated, easiest first."""
        return in_order(self.evaluations)

    def analysis(self, difficulty: str, name: str) -> pd.DataFrame | None:
        """One table of the analyses, or None where it is missing or has no rows."""
        table = self.analyses.get(difficulty, {}).get(name)
        return None if table is None or table.empty else table

    def weighted(self, difficulty: str) -> pd.DataFrame | None:
        """Rates weighted by design: the evaluation's, else the analyses', else None."""
        table = self.evaluations[difficulty].get("weighted")
        return self.analysis(difficulty, "weighted") if table is None else table

    @property
    def sections(self) -> dict[str, Mapping[str, Any]]:
        """Declared parameters by section, in the order of the profile."""
        body = self.profile.get("parameters")
        if body is None:
            body = {key: value for key, value in self.profile.items() if key not in _NOT_SECTIONS}
        return {str(name): section for name, section in body.items() if isinstance(section, Mapping)}

    def parameter(self, section: str, name: str) -> Any:
        """One declared parameter, or None where the profile does not state it."""
        return self.sections.get(section, {}).get(name)


def in_order(difficulties: Iterable[str]) -> list[str]:
    """Known difficulties first, easiest first; others after them by name."""
    known = {name: at for at, name in enumerate(DIFFICULTIES)}
    return sorted(difficulties, key=lambda name: (known.get(name, len(known)), name))
