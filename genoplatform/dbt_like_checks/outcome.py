"""What one test found on one table: passed or not, how many rows fail, and which (by position)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from genoplatform.dbt_like_checks.arguments import RowTest, Severity

KEPT_ROWS = 1_000


@dataclass(frozen=True)
class TestOutcome:
    """Outcome of a test.

    Attributes:
        passed: whether it passed.
        tested: rows it looked at.
        failing: positions (0-based) of the failing rows, sorted, the first `KEPT_ROWS` of them; none of table tests.
        failing_rows: how many rows fail.
        severity: what a failure amounts to where the test says so itself (`warn_if`, `error_if`); None for as declared.
        detail: what was found, in words.
        examples: what a table test has to show in the place of rows.
    """

    __test__ = False  # not a pytest class
    passed: bool
    tested: int
    failing: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    failing_rows: int = 0
    severity: Severity | None = None
    detail: str = ""
    examples: tuple[dict[str, str], ...] = ()

    @classmethod
    def of_rows(cls, failing: np.ndarray, count: int, tested: int, arguments: RowTest) -> TestOutcome:
        """Judge a row test by the number of its failing rows."""
        verdict = arguments.verdict(count, tested)
        rate = count / tested if tested else 0.0
        detail = f"{count} of {tested} rows fail ({rate:.4%})" if count else ""
        kept = np.sort(failing.astype(np.int64))[:KEPT_ROWS]
        return cls(verdict is None, tested, kept, count, verdict if arguments.has_thresholds else None, detail)
