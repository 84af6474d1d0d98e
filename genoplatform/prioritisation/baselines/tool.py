"""What a baseline asks of whoever runs external tools: a job a case in, an outcome a case out.

Here: jobs, outcomes, the kinds of unusable output. Not here: processes (genoplatform.resources.java_tool), and what a
particular tool is told or says (exomiser.py, lirical.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from genoplatform.errors import GenoplatformError

INPUT, OUTPUT, DATA = "${INPUT}", "${OUTPUT}", "${DATA}"

Value = TypeVar("Value")


class ToolOutputError(GenoplatformError):
    """A tool ended well but left no usable result: a failure of the tool, never a rank.

    Attributes:
        reason: the kind of failure, as counted in reports.
    """

    reason = "unreadable output"


class MissingOutputError(ToolOutputError):
    """The output file is not there."""

    reason = "no output"


class EmptyOutputError(ToolOutputError):
    """The output file has no byte, or a header and no row."""

    reason = "empty output"


@dataclass(frozen=True)
class ToolJob:
    """One case for one tool.

    Attributes:
        case_id: the case, as the platform calls it.
        inputs: file name -> text of the files the tool reads.
        arguments: command-line arguments of this case; INPUT, OUTPUT and DATA stand for directories.
        keep: patterns of the output files worth keeping.
    """

    case_id: str
    inputs: Mapping[str, str]
    arguments: tuple[str, ...]
    keep: tuple[str, ...]

    def expand(self, input_dir: Path, output_dir: Path, data_dir: Path) -> list[str]:
        """The arguments with real directories."""
        places = {INPUT: str(input_dir), OUTPUT: str(output_dir), DATA: str(data_dir)}
        expanded = list(self.arguments)
        for name, path in places.items():
            expanded = [argument.replace(name, path) for argument in expanded]
        return expanded


@dataclass(frozen=True)
class ToolOutcome(Generic[Value]):
    """What came of one job.

    Attributes:
        case_id: the job's case.
        value: what was read; None after a failure.
        reason: kind of failure, "" after a success.
        detail: the failure in words that are the same on every machine.
    """

    case_id: str
    value: Value | None
    reason: str = ""
    detail: str = ""


class ToolRunner(Protocol):
    """Runs jobs of one tool."""

    def identity(self) -> Mapping[str, str]:
        """What exactly runs: version and sha256 of the program and of its data."""

    def run(self, jobs: Sequence[ToolJob], read: Callable[[ToolJob, Path], Value]) -> Sequence[ToolOutcome[Value]]:
        """Run every job and `read` each one's output directory; one outcome a job, in order."""
