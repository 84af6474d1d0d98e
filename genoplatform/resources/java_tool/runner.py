"""A tool over many cases: what is there already is found again, the rest runs a bounded number at a time.

Not here: one run (attempts.py), the command (tool.py), the results on disk (store.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import TypeVar

from genoplatform.errors import BadInputError, GenoplatformError
from genoplatform.prioritisation.baselines.tool import ToolJob, ToolOutcome, ToolOutputError
from genoplatform.resources.events import tell
from genoplatform.resources.java_tool.attempts import Attempts, Read, StoppedError
from genoplatform.resources.java_tool.process import Limits
from genoplatform.resources.java_tool.scratch import clear_leftovers
from genoplatform.resources.java_tool.store import CaseStore
from genoplatform.resources.java_tool.tool import JavaTool

Value = TypeVar("Value")


class ToolUnusableError(GenoplatformError):
    """The first cases all failed: the installation is at fault, and no score may be made of that."""


@dataclass(frozen=True)
class ToolEvent:
    """One case is done.

    Attributes:
        tool: name of the tool.
        case_id: the case.
        state: "reused", "made", or the kind of failure.
        done, total: cases done, of how many.
    """

    tool: str
    case_id: str
    state: str
    done: int
    total: int


def tell_progress(event: ToolEvent) -> None:
    """Pass an event to the platform's own events."""
    tell(f"{event.tool} {event.done}/{event.total} {event.state}", event.case_id)


@dataclass(frozen=True)
class JavaToolRunner:
    """Runs a tool over cases, resuming where an interrupted run stopped.

    Attributes:
        tool: the program.
        root: directory of its results.
        workers: processes at a time; each may take the tool's heap.
        limits: time and log size of one process; in a batch the clock restarts with each case's result.
        batch_size: cases a process, where the tool can do that. An interruption loses at most the running batches.
        give_up_after: this many failures without one success mean that the tool does not work here.
        report: told of every case.
    """

    tool: JavaTool
    root: Path
    workers: int
    limits: Limits
    batch_size: int = 1
    give_up_after: int = 5
    report: Callable[[ToolEvent], None] = tell_progress

    def identity(self) -> dict[str, str]:
        """Version of the tool and sha256 of jar, libraries, settings and data."""
        return self.tool.identity(self.root / "digests.json")

    def run(self, jobs: Sequence[ToolJob], read: Read[Value]) -> list[ToolOutcome[Value]]:
        """Run every job that has no verified result yet; one outcome a job, in order.

        Args:
            jobs: one a case.
            read: job, output directory -> value; a ToolOutputError is a failure of that case.

        Raises:
            BadInputError: two jobs of one case.
            ToolUnusableError: nothing but failures from the start; their logs are kept.
            SettingsError: the tool cannot be started.
        """
        if len({job.case_id for job in jobs}) < len(jobs):
            raise BadInputError(f"running {self.tool.name}", "several jobs of one case", "pass each case once")
        store = CaseStore(self.root, self.identity())
        clear_leftovers(self.root)
        course = _Course(self, len(jobs))
        outcomes: dict[str, ToolOutcome[Value]] = {}
        for job in jobs:
            found = _reuse(store, job, read)
            if found is not None:
                outcomes[job.case_id] = found
                course.note(found, reused=True)
        self._run_pending([job for job in jobs if job.case_id not in outcomes], store, course, read, outcomes)
        return [outcomes[job.case_id] for job in jobs]

    def _run_pending(
        self,
        pending: list[ToolJob],
        store: CaseStore,
        course: _Course,
        read: Read[Value],
        outcomes: dict[str, ToolOutcome[Value]],
    ) -> None:
        attempts = Attempts(self.tool, store, self.limits, course.stop)
        size = self.batch_size if self.tool.batch_option else 1
        chunks = [pending[start : start + size] for start in range(0, len(pending), size)]
        with ThreadPoolExecutor(max_workers=self.workers) as pool:
            running = [pool.submit(_run_chunk, attempts, chunk, read, course) for chunk in chunks]
            try:
                for future in as_completed(running):
                    outcomes.update({outcome.case_id: outcome for outcome in future.result()})
            except StoppedError:
                pass
            finally:
                if len(outcomes) < course.total:
                    course.stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
        if course.hopeless:
            raise self._unusable(course.failures, pending, store)

    def _unusable(
        self, failures: list[ToolOutcome[object]], pending: list[ToolJob], store: CaseStore
    ) -> ToolUnusableError:
        first = failures[0]
        job = next(job for job in pending if job.case_id == first.case_id)
        said = store.log_tail(job)
        return ToolUnusableError(
            f"running {self.tool.name} {self.tool.version}",
            f"the first {len(failures)} cases all failed; {first.case_id}: {first.reason} ({first.detail})"
            + (f"; its log ends: {said}" if said else ""),
            f"logs: {store.root / 'failed'}; mend the installation and run again",
        )


class _Course:
    """Counts what is done, over all workers, and sees when it is hopeless."""

    def __init__(self, runner: JavaToolRunner, total: int) -> None:
        self.stop = Event()
        self.total = total
        self.hopeless = False
        self.failures: list[ToolOutcome[object]] = []
        self._runner = runner
        self._done, self._succeeded = 0, False
        self._lock = Lock()

    def note(self, outcome: ToolOutcome[Value], *, reused: bool = False) -> None:
        """One case is done."""
        with self._lock:
            self._done += 1
            if outcome.reason:
                self.failures.append(ToolOutcome(outcome.case_id, None, outcome.reason, outcome.detail))
            else:
                self._succeeded = True
            if not self._succeeded and len(self.failures) >= self._runner.give_up_after:
                self.hopeless = True
                self.stop.set()
            state = outcome.reason or ("reused" if reused else "made")
            event = ToolEvent(self._runner.tool.name, outcome.case_id, state, self._done, self.total)
            self._runner.report(event)


def _reuse(store: CaseStore, job: ToolJob, read: Read[Value]) -> ToolOutcome[Value] | None:
    folder = store.find(job)
    if folder is None:
        return None
    try:
        return ToolOutcome(job.case_id, read(job, folder))
    except ToolOutputError:
        return None  # published under an earlier, laxer reading: run it again


def _run_chunk(
    attempts: Attempts, jobs: Sequence[ToolJob], read: Read[Value], course: _Course
) -> list[ToolOutcome[Value]]:
    if attempts.stop.is_set():
        raise StoppedError
    made: list[ToolOutcome[Value] | None] = [None] * len(jobs)
    if len(jobs) > 1:
        made = attempts.batch(jobs, read)
    outcomes = []
    for job, found in zip(jobs, made, strict=True):
        outcome = attempts.single(job, read) if found is None else found
        course.note(outcome)
        outcomes.append(outcome)
    return outcomes
