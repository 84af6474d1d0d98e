"""The counted funnel: what each filter of a cohort removed and why.

Here: the record of stages and the error an empty cohort raises. Not here: the filters.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from genoplatform.errors import EmptyResultError

FUNNEL_COLUMNS = ("stage", "n", "dropped", "reason")


@dataclass
class Funnel:
    """Stages of a cohort in order, one row per reason a stage dropped something."""

    rows: list[tuple[str, int, int, str]] = field(default_factory=list)

    def start(self, stage: str, n: int) -> None:
        """Record the number of items a stage begins with."""
        self.rows.append((stage, int(n), 0, ""))

    def drop(self, stage: str, n: int, dropped: dict[str, int]) -> None:
        """Record a stage that leaves ``n`` items; one row per reason, in the order given.

        ``n`` on each row is the number left after that reason.
        """
        left = int(n) + sum(dropped.values())
        if not dropped:
            self.rows.append((stage, int(n), 0, ""))
        for reason, count in dropped.items():
            left -= int(count)
            self.rows.append((stage, left, int(count), reason))

    def frame(self) -> pd.DataFrame:
        """The funnel as a table: stage, n (left after the row), dropped, reason."""
        return pd.DataFrame(self.rows, columns=list(FUNNEL_COLUMNS)).astype({"n": "int64", "dropped": "int64"})

    def require(self, n: int, cohort: str) -> None:
        """Raise when nothing is left.

        Raises:
            EmptyResultError: ``n`` is 0; the message lists what every filter removed.
        """
        if n:
            return
        start = self.rows[0][1] if self.rows else 0
        removed = "; ".join(f"{stage}: {count} {why}" for stage, _, count, why in self.rows if count)
        raise EmptyResultError(
            f"building the cohort {cohort}",
            f"no case left of {start} ({removed or 'nothing came in'})",
            "check that the releases belong together and loosen the filter that removed most",
        )
