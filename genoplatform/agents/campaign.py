"""Several cells over the cases of one list, each in a folder of its own: `<cell>/eval_*/cell_*/<case>.json`.

Belongs here: set-ups and the order of cells. Does not belong here: one cell (cell_run), which cells (declared).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from genoplatform.agents.case_files import CaseFacts, StoredRecords, read_records
from genoplatform.agents.cell_run import CellFolder, run_cell
from genoplatform.agents.cells import CELLS, CellDefinition, Tools, build_worker, cell
from genoplatform.agents.checkpoints import SETUP_FILE, adopt, open_folder
from genoplatform.provenance import canonical_json

VERSION = "1"
"""Of what the agents' code means; part of every set-up."""

CellProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Campaign:
    """What all cells of a run share.

    Attributes:
        tools: searcher, reranker, model, words.
        difficulty: the list.
        cases: in the order to work in.
        world: digests of what the tools were made of (terms, genes, index), part of every set-up.
        texts: keep chunk texts in the response files of cells that rerank, as released.
        block: cases handed to a cell at once.
    """

    tools: Tools
    difficulty: str
    cases: Sequence[CaseFacts]
    world: Mapping[str, Any]
    texts: bool = True
    block: int = 1

    def setup(self, what: Mapping[str, Any], *, asks_model: bool) -> dict[str, Any]:
        """Everything that the files of `what` depend on."""
        tools = self.tools
        return {
            "what": dict(what),
            "version": VERSION,
            "list": self.difficulty,
            "cases": cases_digest(self.cases),
            "limits": asdict(tools.limits),
            "model": dict(tools.llm.identity) if asks_model and tools.llm is not None else None,
            "reranker": dict(tools.reranker.identity) if tools.reranker is not None else None,
            "world": dict(self.world),
            "texts": self.texts,
        }

    def run(
        self, names: Sequence[str], root: Path, finished: Path | None = None, progress: CellProgress | None = None
    ) -> dict[str, dict[str, int]]:
        """Run cells one after the other.

        Args:
            names: of the cells.
            root: their folders go here.
            finished: the root of an earlier run, whose cells of the same set-up are taken over.
            progress: told cell, cases done, cases in all.

        Returns:
            Cell -> report.
        """
        reports = {}
        for name in names:
            definition = cell(name)
            setup = self.setup(definition.record(), asks_model=definition.asks_model)
            if finished is not None:
                adopt(root / name, finished / name, setup)
            folder = CellFolder(open_folder(root / name, setup), definition, self.difficulty)
            reports[name] = self._one(folder, progress)
        return reports

    def _one(self, folder: CellFolder, progress: CellProgress | None) -> dict[str, int]:
        name = folder.definition.name
        told = None if progress is None else lambda done, of: progress(name, done, of)
        worker = build_worker(folder.definition, self.tools)
        block = self.block if folder.definition.asks_model else 1
        texts = self.texts and folder.definition.rerank  # the released ones; a chunk id leads to the others
        return run_cell(folder, self.cases, worker, texts=texts, block=block, progress=told).counts()


def cases_digest(cases: Sequence[CaseFacts]) -> str:
    """Sha256 of what is given of each case."""
    records = [
        [each.case_id, list(each.case.hpo_terms), list(each.case.candidate_genes), each.causal_gene, each.source_pmid]
        for each in cases
    ]
    return hashlib.sha256(canonical_json(records)).hexdigest()


def stored_cells(root: Path) -> Iterator[tuple[CellDefinition, Path]]:
    """Cells of a finished run and their folders, by name."""
    for path in sorted(root.glob(f"*/{SETUP_FILE}")):
        if path.parent.name in CELLS:
            yield CELLS[path.parent.name], path.parent


def stored_rankings(folder: Path, definition: CellDefinition, difficulty: str) -> dict[str, Any]:
    """Case id -> released list of a finished cell."""
    return read_records(CellFolder(folder, definition, difficulty).rankings)


def stored_responses(folder: Path, definition: CellDefinition, difficulty: str) -> StoredRecords:
    """Case id -> response record of a finished cell, read one by one."""
    return StoredRecords(CellFolder(folder, definition, difficulty).responses)
