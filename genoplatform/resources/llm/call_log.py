"""The log of calls: one parquet file a session under `<home>/llm_log`, while it runs one part a batch of calls.

Every call is in it: asked, replayed, refused or failed. Texts are there where a model was asked; a replayed call
points to its answer by hash. A killed session leaves its parts, which `read_log` reads all the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from genoplatform.provenance.atomic import atomic_path
from genoplatform.resources.llm.client import Said

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

FOLDER = "llm_log"
_TEXT = ["purpose", "prompt_sha256", "call_sha256", "text_sha256", "text", "error", "detail", "finish_reason"]
_MODEL = ["server", "version", "model", "revision", "evidence"]


@dataclass(frozen=True)
class Call:
    """One line of the log."""

    purpose: str
    prompt_sha256: str
    call_sha256: str
    said: Said
    cached: bool

    def row(self, identity: Mapping[str, str]) -> dict[str, Any]:
        """The line as a mapping of the log's columns."""
        said = self.said
        return {
            "purpose": self.purpose,
            "prompt_sha256": self.prompt_sha256,
            "call_sha256": self.call_sha256,
            "text_sha256": hashlib.sha256(said.text.encode()).hexdigest(),
            "text": None if self.cached else said.text,
            "error": said.error,
            "detail": said.detail,
            "finish_reason": said.finish_reason,
            "tokens_in": said.tokens_in,
            "tokens_out": said.tokens_out,
            "latency_s": said.latency_s,
            "attempts": 0 if self.cached else said.attempts,
            "cached": self.cached,
            "structured": said.structured,
            **{part: identity[part] for part in _MODEL},
        }


class CallLog:
    """The log of one session.

    Args:
        home: the platform's home directory.
        identity: the model's.
    """

    def __init__(self, home: Path, identity: Mapping[str, str]) -> None:
        self._identity = dict(identity)
        self._folder = home / FOLDER / f"{time.time_ns():020d}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._parts = 0

    @property
    def path(self) -> Path:
        """Where the session's log lies once it is closed."""
        return self._folder.with_suffix(".parquet")

    def append(self, calls: Iterable[Call]) -> None:
        """Write a batch of calls to disk. Called by one thread at a time."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = [call.row(self._identity) for call in calls]
        if not rows:
            return
        with atomic_path(self._folder / f"{self._parts:08d}.parquet") as temporary:
            pq.write_table(pa.Table.from_pylist(rows, schema=log_schema()), temporary, compression="zstd")
        self._parts += 1

    def close(self) -> None:
        """Put the parts together into one file; nothing if there were no calls."""
        import pyarrow.parquet as pq

        if not self._folder.is_dir():
            return
        with atomic_path(self.path) as temporary, pq.ParquetWriter(temporary, log_schema(), compression="zstd") as out:
            for part in sorted(self._folder.glob("*.parquet")):
                out.write_table(pq.read_table(part))
        shutil.rmtree(self._folder)


def log_schema() -> pa.Schema:
    """Columns of the log."""
    import pyarrow as pa

    numbers = [("tokens_in", pa.int64()), ("tokens_out", pa.int64()), ("latency_s", pa.float64())]
    rest = [("attempts", pa.int64()), ("cached", pa.bool_()), ("structured", pa.string())]
    return pa.schema(
        [(name, pa.string()) for name in _TEXT] + numbers + rest + [(name, pa.string()) for name in _MODEL]
    )


def read_log(home: Path) -> pd.DataFrame:
    """Every logged call below a home, in the order of sessions, also of those that still run or were killed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    root = home / FOLDER
    closed = {path.stem for path in root.glob("*.parquet")}
    # A session killed while it was put together has both; the one file is whole, so it counts.
    parts = [path for path in root.glob("*/*.parquet") if path.parent.name not in closed]
    tables = [pq.read_table(path) for path in sorted([*root.glob("*.parquet"), *parts])]
    whole: pd.DataFrame = pa.concat_tables(tables or [log_schema().empty_table()]).to_pandas()
    return whole
