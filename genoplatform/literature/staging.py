"""A directory under construction that survives a crash: numbered parts are committed one by one, and found again.

A part is written aside and renamed, so it is there whole or not at all. `plan.json` says what the parts were made from;
parts made from anything else are thrown away.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.provenance import atomic
from genoplatform.provenance.digests import canonical_json

PLAN = "plan.json"


class Staging:
    """Numbered parquet parts in a directory.

    Args:
        folder: where; made if missing.
        plan: what the parts are made from: input digests and parameters, plain values.
    """

    def __init__(self, folder: Path, plan: Mapping[str, Any]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        atomic.sweep_partials(folder)
        content = canonical_json(dict(plan)) + b"\n"
        if not self._is(content):
            for path in folder.iterdir():
                atomic.remove(path)
            atomic.write_bytes(folder / PLAN, content)

    def _is(self, content: bytes) -> bool:
        path = self.folder / PLAN
        return path.is_file() and path.read_bytes() == content

    def adopt(self, finished: Path) -> None:
        """Take over the parts of a finished directory that was made by the same plan: links, not copies."""
        theirs, ours = finished / PLAN, self.folder / PLAN
        if not theirs.is_file() or theirs.read_bytes() != ours.read_bytes():
            return
        for path in sorted(finished.glob("*.parquet")):
            if not (self.folder / path.name).exists():
                os.link(path, self.folder / path.name)

    def path(self, stem: str, number: int) -> Path:
        """Where part `number` of a series lies."""
        return self.folder / f"{stem}_{number:04d}.parquet"

    def committed(self, stem: str) -> list[Path]:
        """Parts of a series that are there without a gap, in order."""
        found: list[Path] = []
        while self.path(stem, len(found)).is_file():
            found.append(self.path(stem, len(found)))
        return found

    def commit(self, stem: str, number: int, table: pa.Table) -> None:
        """Write a part."""
        with atomic.atomic_path(self.path(stem, number)) as temporary:
            pq.write_table(table, temporary, compression="zstd")


def rows_in(parts: list[Path]) -> int:
    """Rows of parquet files, by their footers."""
    return sum(pq.read_metadata(path).num_rows for path in parts)
