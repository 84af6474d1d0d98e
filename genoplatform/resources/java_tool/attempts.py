"""One run of a tool over one case, or over a batch of cases in one process, from scratch directory to outcome.

Not here: which cases still need a run, how many at a time (runner.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

from genoplatform.errors import SettingsError
from genoplatform.prioritisation.baselines.tool import ToolJob, ToolOutcome, ToolOutputError
from genoplatform.resources.java_tool.process import Exit, Limits, run_command
from genoplatform.resources.java_tool.scratch import note_child, scratch
from genoplatform.resources.java_tool.store import CaseStore
from genoplatform.resources.java_tool.tool import JavaTool

Value = TypeVar("Value")
Read = Callable[[ToolJob, Path], Value]
CRASHED = "crashed"


class StoppedError(Exception):
    """The run as a whole is being given up; says nothing about the case."""


@dataclass(frozen=True)
class Attempts:
    """Runs a tool and publishes what came of it.

    Attributes:
        tool: the program.
        store: where results go.
        limits: time and log size of one process.
        stop: ends whatever runs.
    """

    tool: JavaTool
    store: CaseStore
    limits: Limits
    stop: Event

    def single(self, job: ToolJob, read: Read[Value]) -> ToolOutcome[Value]:
        """Run one case in a process of its own.

        Raises:
            StoppedError: `stop` was set.
        """
        with scratch(self.store.root) as work:
            arguments = _lay_out(work, "0", job, self.tool.data_dir)
            ended = self._run(work, arguments)
            outcome = self._judge(job, ended, work / "out" / "0", read)
            self._publish(job, outcome, work)
            return outcome

    def batch(self, jobs: Sequence[ToolJob], read: Read[Value]) -> list[ToolOutcome[Value] | None]:
        """Run several cases in one process; None for a case that needs a process of its own.

        Those are the cases without a whole result and, where the process did not end well, the last case it had
        begun to write: a file cut at a line end looks whole.

        Raises:
            StoppedError: `stop` was set.
            SettingsError: a path with white space, which a batch file cannot carry.
        """
        with scratch(self.store.root) as work:
            lines = [_lay_out(work, str(place), job, self.tool.data_dir) for place, job in enumerate(jobs)]
            _require_plain(lines)
            listing = work / "batch.txt"
            listing.write_text("".join(" ".join(line) + "\n" for line in lines), encoding="utf-8")
            outputs = [work / "out" / str(place) for place in range(len(jobs))]
            ended = self._run(work, [self.tool.batch_option, str(listing)], lambda: sum(map(_has_files, outputs)))
            begun = max((place for place, folder in enumerate(outputs) if _has_files(folder)), default=-1)
            trusted = len(jobs) if ended.good else begun
            return [
                self._harvest(job, outputs[place], read, work) if place < trusted else None
                for place, job in enumerate(jobs)
            ]

    def _harvest(self, job: ToolJob, output: Path, read: Read[Value], work: Path) -> ToolOutcome[Value] | None:
        outcome = self._judge(job, Exit("exited", 0), output, read)
        if outcome.reason:
            return None
        self._publish(job, outcome, work, output)
        return outcome

    def _run(self, work: Path, arguments: list[str], progress: Callable[[], int] = lambda: 0) -> Exit:
        cwd, logs = work / "cwd", work / "logs"
        cwd.mkdir()
        logs.mkdir()
        for name, text in self.tool.cwd_files.items():
            (cwd / name).write_text(text, encoding="utf-8")
        ended = run_command(
            self.tool.command(arguments),
            cwd=cwd,
            logs=logs,
            limits=self.limits,
            stop=self.stop,
            started=partial(note_child, work),
            progress=progress,
        )
        if ended.ending == "stopped":
            raise StoppedError
        return ended

    def _judge(self, job: ToolJob, ended: Exit, output: Path, read: Read[Value]) -> ToolOutcome[Value]:
        if ended.ending == "timed out":
            return ToolOutcome(job.case_id, None, ended.ending, f"killed after {self.limits.timeout:g} s")
        if ended.ending == "log too large":
            return ToolOutcome(job.case_id, None, ended.ending, f"killed at {self.limits.log_bytes} bytes of log")
        if not ended.good:
            how = f"killed by signal {-ended.code}" if ended.code < 0 else f"exit status {ended.code}"
            return ToolOutcome(job.case_id, None, CRASHED, how)
        try:
            return ToolOutcome(job.case_id, read(job, output))
        except ToolOutputError as error:
            return ToolOutcome(job.case_id, None, error.reason, error.found)

    def _publish(self, job: ToolJob, outcome: ToolOutcome[Value], work: Path, output: Path | None = None) -> None:
        if outcome.reason:
            self.store.publish_failure(job, outcome.reason, work / "logs", work)
        else:
            self.store.publish(job, output or work / "out" / "0", work / "logs", work)


def _lay_out(work: Path, place: str, job: ToolJob, data_dir: Path) -> list[str]:
    """Write a case's input files below `in/<place>`, make `out/<place>`; returns the arguments that name them."""
    inputs, output = work / "in" / place, work / "out" / place
    inputs.mkdir(parents=True)
    output.mkdir(parents=True)
    for name, text in job.inputs.items():
        (inputs / name).write_text(text, encoding="utf-8")
    return job.expand(inputs, output, data_dir)


def _has_files(folder: Path) -> bool:
    return any(folder.iterdir())


def _require_plain(lines: Sequence[Sequence[str]]) -> None:
    for argument in (argument for line in lines for argument in line):
        if any(character.isspace() for character in argument) or not argument:
            raise SettingsError(
                "writing a batch file",
                f"the argument {argument!r} has white space",
                "choose a results directory without white space, or set batch_size to 1",
            )
