"""The graphics card as a Dagster resource."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg

from genoplatform.errors import GenoplatformError
from genoplatform.resources.gpu.driver import Gpu, installed_gpus
from genoplatform.resources.gpu.ledger import GpuLedger, Lease


class NoGpuError(GenoplatformError):
    """The work asks for a card and the machine has none, or not that one."""


class GpuResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """One card of the workstation, and leases on its memory.

    Attributes:
        index: which card.
        budget_mb: most of its memory that may be leased, MiB; 0 means all.
        wait_s: how long a lease waits for its turn, s.
        ledger: file of the leases; by default one a user in the system's temporary directory.
    """

    index: int = 0
    budget_mb: int = 0
    wait_s: float = 3600.0
    ledger: str = ""

    def card(self) -> Gpu:
        """The card as it is now.

        Raises:
            NoGpuError: there is none of that index.
            GpuDriverError: the driver does not answer.
        """
        found = installed_gpus()
        for gpu in found:
            if gpu.index == self.index:
                return gpu
        have = ", ".join(f"{gpu.index}: {gpu.model}" for gpu in found) or "no card that nvidia-smi knows"
        raise NoGpuError(
            f"opening GPU {self.index}", have, "use the embedded profile, or set the index of another card"
        )

    @contextmanager
    def reserve(self, purpose: str, needs_mb: int) -> Iterator[Lease]:
        """Hold `needs_mb` MiB of the card while the block runs; errors as `GpuLedger.reserve` and `card`."""
        with self._ledger().reserve(self.card, purpose, needs_mb, self.wait_s) as lease:
            yield lease

    def facts(self) -> dict[str, Any]:
        """Model, free memory, budget and present holders, for run metadata and `genoplatform doctor`."""
        gpu = self.card()
        holders = [f"{lease.purpose}: {lease.needs_mb} MiB" for lease in self._ledger().leases()]
        budget = min(self.budget_mb or gpu.total_mb, gpu.total_mb)
        return {"model": gpu.model, "free_mb": gpu.free_mb, "budget_mb": budget, "holders": holders}

    def _ledger(self) -> GpuLedger:
        default = Path(tempfile.gettempdir()) / f"genoplatform-gpu-{os.getuid()}.json"
        return GpuLedger(Path(self.ledger) if self.ledger else default, self.budget_mb)
