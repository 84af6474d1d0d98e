"""What one test found on one table: passed or not, how many rows fail, and which (by position)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class TestOutcome:
    """Outcome of a test. `failing` holds row positions (0-based) of the failing rows, sorted; empty for table tests."""

    __test__ = False  # not a pytest class
    passed: bool
    tested: int
    failing: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    detail: str = ""

    @classmethod
    def of_rows(cls, failing: np.ndarray, tested: int, mostly: float) -> TestOutcome:
        """Judge a row test: it passes if at least `mostly` of the tested rows do."""
        rate = len(failing) / tested if tested else 0.0
        detail = f"{len(failing)} of {tested} rows fail ({rate:.4%})" if len(failing) else ""
        return cls(rate <= 1 - mostly + 1e-12, tested, np.sort(failing.astype(np.int64)), detail)
