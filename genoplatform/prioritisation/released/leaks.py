"""Leave-one-paper-out leak statistics: did retrieval find the case's own publication?

Here: reading `leak_<SYSTEM>/<case_id>.json`. Not here: the two arms' rankings (rankings.py reads their directories,
cell_S_control and cell_S_lopo) or their comparison (`genoplatform.inference.lopo`).
"""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from genoplatform.cohort.archives import Skipped
from genoplatform.errors import BadInputError
from genoplatform.prioritisation.released.layout import iter_members


def read_leaks(*paths: Path) -> pd.DataFrame:
    """Leak records below the paths.

    Args:
        paths: directories or archives.

    Returns:
        system, case_id, source_in_causal_pool (bool); sorted.

    Raises:
        BadInputError: a record without a case id or flag, two records of one case, or a member that was not read.
    """
    skipped: Skipped = []
    rows = []
    for member in iter_members(paths, skipped):
        directory = member.directories[-1]
        if directory.startswith("leak_"):
            rows.append((directory.removeprefix("leak_"), *_record(member.path, member.content)))
    if refused := [path for path, _, _ in skipped if "leak_" in path]:
        raise BadInputError("reading leak records", f"{len(refused)} could not be read, the first {refused[0]}")
    table = pd.DataFrame(rows, columns=["system", "case_id", "source_in_causal_pool"])
    if table.duplicated(["system", "case_id"]).any():
        raise BadInputError("reading leak records", "two records of one case", "give each release once")
    return table.sort_values(["system", "case_id"], ignore_index=True)


def _record(path: str, content: bytes) -> tuple[str, bool]:
    try:
        record = json.loads(content)
        case_id, flag = record["case_id"], record["source_in_causal_pool"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"reading leak record {path}", f"{type(error).__name__}: {error}") from error
    if not isinstance(case_id, str) or not isinstance(flag, bool):
        raise BadInputError(f"reading leak record {path}", f"case_id {case_id!r}, source_in_causal_pool {flag!r}")
    return case_id, flag
