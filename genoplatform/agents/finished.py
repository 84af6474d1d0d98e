"""Tables of finished runs: over the folders that several assets left behind.

Belongs here: walking folders. Does not belong here: rows (cell_tables), one cell's folder (cell_run).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from genoplatform.agents.campaign import stored_cells, stored_rankings, stored_responses
from genoplatform.agents.case_files import LISTS, StoredRecords
from genoplatform.agents.cell_tables import (
    NATIVE,
    OUTCOME_TYPES,
    PASS_TYPES,
    outcome_rows,
    pass_rows,
    typed,
)
from genoplatform.agents.checkpoints import SETUP_FILE
from genoplatform.agents.fused_cell import FUSED, FUSED_DIRECTORY
from genoplatform.prioritisation.ranking import RANK_COLUMNS
from genoplatform.prioritisation.released.rankings import read_rankings


def outcome_table(roots: Sequence[Path], cases: pd.DataFrame, difficulty: str) -> pd.DataFrame:
    """`OUTCOME_TYPES` of every cell below the roots, sorted by cell and case; also without any cell.

    Args:
        roots: finished runs of cells, the fused one among them.
        cases: case_id, category, cluster.
        difficulty: of the lists.
    """
    known = cases.set_index("case_id")[["category", "cluster"]].to_dict("index")
    facts = {str(case): {str(name): str(value) for name, value in row.items()} for case, row in known.items()}
    rows: list[dict[str, Any]] = []
    evidence = {}
    for root in roots:
        for definition, folder in stored_cells(root):
            evidence[definition.name] = evidence_in(folder)
            lists = stored_rankings(folder, definition, difficulty)
            responses = stored_responses(folder, definition, difficulty)
            rows += outcome_rows(definition.name, evidence[definition.name], lists, responses, facts)
        fused = StoredRecords(root / FUSED / LISTS[difficulty] / FUSED_DIRECTORY)
        rows += outcome_rows(FUSED, evidence.get("S", NATIVE), fused, {}, facts)
    return typed(rows, OUTCOME_TYPES, ["cell", "case_id"])


def pass_table(roots: Sequence[Path], difficulty: str) -> pd.DataFrame:
    """`PASS_TYPES` of every cell below the roots that searches in passes."""
    rows: list[Mapping[str, Any]] = []
    for root in roots:
        for definition, folder in stored_cells(root):
            rows += pass_rows(definition.name, stored_responses(folder, definition, difficulty))
    return typed(rows, PASS_TYPES, ["cell", "case_id", "number"])


def evidence_in(folder: Path) -> str:
    """Whether a model had a part in a cell's figures, and what its figures are worth: as its set-up says."""
    model = json.loads((folder / SETUP_FILE).read_bytes())["setup"]["model"]
    return NATIVE if model is None else str(model.get("evidence", "unknown"))


def cell_ranks(
    roots: Sequence[Path], outcomes: pd.DataFrame, candidates: pd.DataFrame, difficulty: str
) -> pd.DataFrame:
    """The ranks table of the cells, in `RANK_COLUMNS`, read and checked by the reader of released rankings.

    Args:
        roots: finished runs.
        outcomes: of `outcome_table`: the cases that ran.
        candidates: lists of this difficulty.
        difficulty: of the lists.
    """
    case_ids = sorted(set(outcomes["case_id"]))
    lists = candidates[candidates["case_id"].isin(case_ids)]
    holders = [folder for root in roots for folder in _holders(root)]
    if not holders:
        return pd.DataFrame(columns=list(RANK_COLUMNS))
    return read_rankings(*holders, case_ids=case_ids, candidates=lists, difficulty=difficulty).ranks(difficulty)


def _holders(root: Path) -> Iterator[Path]:
    yield from sorted(path.parent for path in root.glob(f"*/{SETUP_FILE}"))
