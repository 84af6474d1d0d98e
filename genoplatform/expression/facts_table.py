"""The facts of one cohort as tables: what curation looks at and preprocessing applies decisions to.

No expression value and no decision in here. Long texts stay as written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

SAMPLE_COLUMNS = ("sample", "platform", "title", "source_name", "description")


@dataclass(frozen=True)
class CohortTables:
    """Facts of a cohort, of the samples of one platform.

    Attributes:
        trait: trait name.
        cohort: accession, or TCGA.
        platform: the platform chosen; empty where unknown.
        platforms: every platform of the series -> number of samples.
        background: the series lines (title, summary, overall design) as printed in a matrix file, joined by line ends.
        samples: sample, platform, title, source_name, description (lines of a sample joined by "; "); file order.
        characteristics: row, sample, cell, key, value (`readers.characteristics`).
        clinical: TCGA only: sample and every clinical column, as strings.
        report: what was odd, by reason.
    """

    trait: str
    cohort: str
    platform: str
    platforms: dict[str, int]
    background: str
    samples: pd.DataFrame
    characteristics: pd.DataFrame
    clinical: pd.DataFrame
    report: dict[str, int] = field(default_factory=dict)

    def to_tables(self) -> dict[str, pd.DataFrame]:
        """As frames that can be stored."""
        about = pd.DataFrame(
            [(name, getattr(self, name)) for name in ("trait", "cohort", "platform", "background")],
            columns=["field", "value"],
        ).astype("str")
        return {
            "about": about,
            "platforms": _counts(self.platforms, "platform", "samples"),
            "samples": self.samples,
            "characteristics": self.characteristics,
            "clinical": self.clinical,
            "report": _counts(self.report, "reason", "count"),
        }

    @classmethod
    def from_tables(cls, tables: dict[str, pd.DataFrame]) -> CohortTables:
        """From stored frames."""
        about = dict(zip(tables["about"]["field"], tables["about"]["value"], strict=True))
        return cls(
            trait=about["trait"],
            cohort=about["cohort"],
            platform=about["platform"],
            platforms=_mapping(tables["platforms"]),
            background=about["background"],
            samples=tables["samples"],
            characteristics=tables["characteristics"],
            clinical=tables["clinical"],
            report=_mapping(tables["report"]),
        )


def _counts(values: dict[str, int], name: str, count: str) -> pd.DataFrame:
    return pd.DataFrame(list(values.items()), columns=[name, count]).astype({name: "str", count: "int64"})


def _mapping(table: pd.DataFrame) -> dict[str, int]:
    return {str(name): int(count) for name, count in zip(table.iloc[:, 0], table.iloc[:, 1], strict=True)}
