"""Running a cell over a cohort: blocks of cases in, two files a case out, resumed where an earlier run stopped.

Belongs here: the order of work, checkpoints, and stopping when the model is gone. Does not belong here: how a case is
ranked (cells), what the files hold (case_files).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from genoplatform.agents.case_files import (
    LISTS,
    CaseFacts,
    file_name,
    ranking_records,
    response_record,
    whole,
    write_json,
)
from genoplatform.agents.cells import CellDefinition, Worker
from genoplatform.agents.held_back import HeldBack, reasons
from genoplatform.agents.state import AgentState

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CellFolder:
    """Where a cell's files of one list lie.

    Attributes:
        root: of the run.
        definition: the cell.
        difficulty: "standard" or "hard".
    """

    root: Path
    definition: CellDefinition
    difficulty: str

    @property
    def rankings(self) -> Path:
        """Folder of the rankings."""
        return self.root / LISTS[self.difficulty] / self.definition.directory

    @property
    def responses(self) -> Path:
        """Folder of what the rankings were made of."""
        return self.root / LISTS[self.difficulty] / f"cell_{self.definition.name}_responses"

    def done(self, case_id: str) -> bool:
        """Whether a case's files are there, whole."""
        name = file_name(case_id)
        return whole(self.rankings / name) and whole(self.responses / name)

    def write(self, facts: CaseFacts, state: AgentState, *, texts: bool) -> None:
        """Write a case's files."""
        name = file_name(facts.case_id)
        write_json(self.responses / name, response_record(facts, state, texts=texts), compact=True)
        write_json(self.rankings / name, ranking_records(state["ranked"], facts.causal_gene))


@dataclass(frozen=True)
class RunReport:
    """Cases of a run: all, found finished, made, and those of them where the model's answer was not used."""

    cases: int
    resumed: int
    made: int
    fallbacks: int

    def counts(self) -> dict[str, int]:
        """As a report."""
        return {"cases": self.cases, "resumed": self.resumed, "made": self.made, "fallbacks": self.fallbacks}


def run_cell(
    folder: CellFolder,
    cases: Sequence[CaseFacts],
    worker: Worker,
    *,
    texts: bool = True,
    block: int = 1,
    progress: Progress | None = None,
) -> RunReport:
    """Rank every case that is not finished.

    Args:
        folder: of this cell and list, opened for this set-up.
        cases: in the order to work in.
        worker: of `cells.build_worker`.
        texts: keep chunk texts in the files.
        block: cases handed to the worker at once.
        progress: told cases done and cases in all, after every block.

    Raises:
        ModelUnavailableError: `MAX_FAILURES` cases in a row found no model. A single one is a counted fallback.
    """
    waiting = [each for each in cases if not folder.done(each.case_id)]
    resumed = len(cases) - len(waiting)
    held = HeldBack(f"cell {folder.definition.name}")
    for at in range(0, len(waiting), block):
        part = waiting[at : at + block]
        for facts, state in zip(part, worker([each.case for each in part]), strict=True):
            held.add(reasons([state]), partial(folder.write, facts, state, texts=texts))
        if progress is not None:
            progress(resumed + held.written, len(cases))
    held.close()
    return RunReport(len(cases), resumed, held.written, held.fallbacks)
