"""How often and after how long a transient fault is tried again. Permanent faults never are."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class RetryPlan:
    """Exponential back-off.

    Attributes:
        attempts: tries in a row that bring no new byte before giving up.
        first_delay: seconds before the second try; doubles each time.
        longest_delay: ceiling of a delay, in seconds.
        timeout: seconds without a byte before a connection counts as dead.
        sleep: how to wait; tests replace it.
    """

    attempts: int = 4
    first_delay: float = 0.5
    longest_delay: float = 30.0
    timeout: float = 60.0
    sleep: Callable[[float], None] = time.sleep

    def wait(self, failures: int) -> None:
        """Wait after the `failures`-th fruitless try in a row (1-based)."""
        self.sleep(min(self.longest_delay, self.first_delay * 2 ** (failures - 1)))
