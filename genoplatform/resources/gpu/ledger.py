"""Leases on a card's memory, shared by the processes of one user on one machine.

A pool keeps two assets of one Dagster instance from a card at once; a model server that outlives a step, another home
or a command line is not in any pool. The ledger is: a small file under a lock, each lease naming its holder's process.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from genoplatform.errors import GenoplatformError
from genoplatform.resources.gpu.driver import Gpu


class GpuBudgetError(GenoplatformError):
    """What was asked for does not fit on the card, now or at all."""


@dataclass(frozen=True)
class Lease:
    """Memory of a card promised to a process; `started` (s since the epoch) tells a reused process id apart."""

    gpu: int
    purpose: str
    needs_mb: int
    pid: int
    started: float


class GpuLedger:
    """The leases of this machine's user.

    Args:
        path: the ledger's file; made when first needed.
        budget_mb: most that may be leased of a card; 0 means all of it.
        poll_s: pause between two looks while waiting for a turn.
    """

    def __init__(self, path: Path, budget_mb: int = 0, poll_s: float = 1.0) -> None:
        self.path, self.budget_mb, self.poll_s = path, budget_mb, poll_s

    @contextmanager
    def reserve(self, look: Callable[[], Gpu], purpose: str, needs_mb: int, wait_s: float = 0.0) -> Iterator[Lease]:
        """Hold a lease while the block runs.

        Args:
            look: the card as it is now.
            purpose: what for, shown to whoever has to wait.
            needs_mb: peak memory of the work, MiB.
            wait_s: how long to wait for other holders to finish.

        Raises:
            GpuBudgetError: it can never fit, or did not within `wait_s`; names card, budget, free memory and holders.
        """
        lease = self._acquire(look, purpose, needs_mb, time.monotonic() + wait_s)
        try:
            yield lease
        finally:
            with self._locked() as leases:
                leases[:] = [item for item in leases if item != lease]

    def leases(self) -> list[Lease]:
        """Leases whose holders live."""
        with self._locked() as leases:
            return list(leases)

    def _acquire(self, look: Callable[[], Gpu], purpose: str, needs_mb: int, until: float) -> Lease:
        while True:
            gpu = look()
            budget = min(self.budget_mb or gpu.total_mb, gpu.total_mb)
            if needs_mb > budget:
                raise GpuBudgetError(
                    f"reserving {needs_mb} MiB of {gpu.model} for {purpose}",
                    f"the budget is {budget} MiB of {gpu.total_mb} MiB",
                    "use a smaller batch or model, or raise the budget",
                )
            with self._locked() as leases:
                held = [item for item in leases if item.gpu == gpu.index]
                if needs_mb <= min(budget - sum(item.needs_mb for item in held), gpu.free_mb):
                    me = psutil.Process()
                    lease = Lease(gpu.index, purpose, needs_mb, me.pid, me.create_time())
                    leases.append(lease)
                    return lease
            if time.monotonic() >= until:
                raise _no_turn(gpu, budget, purpose, needs_mb, held)
            time.sleep(self.poll_s)

    @contextmanager
    def _locked(self) -> Iterator[list[Lease]]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+", encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            leases = [item for item in _parse(handle.read()) if _lives(item)]
            yield leases
            handle.seek(0)
            handle.truncate()
            handle.write(json.dumps([asdict(item) for item in leases]))


def _parse(text: str) -> list[Lease]:
    try:
        return [Lease(**item) for item in json.loads(text or "[]")]
    except (ValueError, TypeError):
        return []  # half written by a killed process: its lease is void, and live holders still own their memory


def _lives(lease: Lease) -> bool:
    try:
        process = psutil.Process(lease.pid)
        return abs(process.create_time() - lease.started) < 1.0 and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _no_turn(gpu: Gpu, budget: int, purpose: str, needs_mb: int, held: list[Lease]) -> GpuBudgetError:
    holders = "; ".join(f"{item.purpose} {item.needs_mb} MiB (process {item.pid})" for item in held) or "none of ours"
    return GpuBudgetError(
        f"reserving {needs_mb} MiB of {gpu.model} for {purpose}",
        f"{gpu.free_mb} MiB free of a budget of {budget} MiB; held by: {holders}",
        "wait for them to finish, or stop what else uses the card (nvidia-smi shows it)",
    )
