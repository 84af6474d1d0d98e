"""Answers by the content of their call: `<home>/llm_cache/ab/<sha256>.json`. What is in it is never asked again.

The first answer stays. A server that batches may answer otherwise a second time; whoever comes second is handed the
first answer, so that every artefact made in a home replays from its cache.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from genoplatform.provenance import canonical_json
from genoplatform.resources.llm.client import Said
from genoplatform.resources.llm.keys import CallKey

FOLDER = "llm_cache"
_KEPT = ("text", "error", "detail", "finish_reason", "tokens_in", "tokens_out", "latency_s", "structured")


class AnswerCache:
    """The cache below a home. Safe for several threads and processes.

    Args:
        home: the platform's home directory.
    """

    def __init__(self, home: Path) -> None:
        self.root = home / FOLDER

    def get(self, key: CallKey) -> Said | None:
        """The answer to a call, or None; an entry that is damaged or another call's counts as absent."""
        return _said(_read(self._path(key.sha256)), key)

    def put(self, key: CallKey, said: Said) -> Said:
        """Keep an answer unless there is one; returns the one that is kept."""
        path = self._path(key.sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.pid{os.getpid()}-{uuid.uuid4().hex[:12]}.partial")
        record = {"call": key.content, "answer": {part: getattr(said, part) for part in _KEPT}}
        try:
            with partial.open("wb") as handle:
                handle.write(canonical_json(record) + b"\n")
                handle.flush()
                os.fsync(handle.fileno())
            return self._publish(partial, path, key, said)
        finally:
            partial.unlink(missing_ok=True)

    def entries(self) -> Iterator[dict[str, Any]]:
        """Every kept call with its answer, by key: `call` as in `CallKey.content`, `answer`."""
        for path in sorted(self.root.glob("??/*.json")):
            if record := _read(path):
                yield record

    def __len__(self) -> int:
        return sum(1 for _ in self.root.glob("??/*.json"))

    def _publish(self, partial: Path, path: Path, key: CallKey, said: Said) -> Said:
        try:
            path.hardlink_to(partial)  # fails where there is a file: the one step that cannot replace an answer
        except FileExistsError:
            if (earlier := self.get(key)) is not None:
                return earlier
            partial.replace(path)
        except OSError:  # a file system without links
            partial.replace(path)
        return said

    def _path(self, sha256: str) -> Path:
        return self.root / sha256[:2] / f"{sha256}.json"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        record = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return record if isinstance(record, dict) and {"call", "answer"} <= record.keys() else None


def _said(record: dict[str, Any] | None, key: CallKey) -> Said | None:
    if record is None or canonical_json(record["call"]) != canonical_json(key.content):
        return None
    try:
        return Said(**{part: record["answer"][part] for part in _KEPT})
    except (KeyError, TypeError):
        return None
