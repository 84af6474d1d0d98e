"""Results of a tool on disk, one directory a case, published whole or not at all.

`<root>/<tool fingerprint>/done/<case>/` holds what the tool wrote (gzipped), its logs and `record.json`;
`failed/<case>/` the logs of the last failed attempt. A result is found again only for the same program, data,
arguments and input files, and only if its bytes are the recorded ones.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from genoplatform.errors import BadInputError
from genoplatform.prioritisation.baselines.tool import ToolJob
from genoplatform.provenance.atomic import write_bytes
from genoplatform.provenance.digests import canonical_json, file_sha256
from genoplatform.resources.java_tool.process import STDERR, STDOUT
from genoplatform.resources.java_tool.tool import fingerprint

RECORD = "record.json"
_LONGEST_NAME = 200
_LOG_END_BYTES = 64 << 10


def folder_name(case_id: str) -> str:
    """A file name for a case id, the same on every file system; `case_of` undoes it.

    Raises:
        BadInputError: an empty id, or one too long for a file name.
    """
    name = quote(case_id, safe="")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if not name or len(name) > _LONGEST_NAME:
        raise BadInputError("naming a case's files", f"case id {case_id[:60]!r} of {len(case_id)} characters")
    return name


def case_of(name: str) -> str:
    """The case id that `folder_name` made `name` of."""
    return unquote(name)


def job_digest(job: ToolJob) -> str:
    """Sha256 of everything that a case hands to the tool, independent of where directories lie."""
    content = {"case_id": job.case_id, "inputs": dict(job.inputs), "arguments": list(job.arguments)}
    return hashlib.sha256(canonical_json(content)).hexdigest()


class CaseStore:
    """Published results of one tool as identified.

    Args:
        root: directory of the tool's results.
        identity: of `JavaTool.identity`.
    """

    def __init__(self, root: Path, identity: Mapping[str, str]) -> None:
        self.root = root / fingerprint(identity)[:16]
        self._identity = dict(identity)
        write_bytes(self.root / "identity.json", canonical_json(self._identity))

    def find(self, job: ToolJob) -> Path | None:
        """The published result of exactly this job, verified; None without one."""
        folder = self._folder("done", job)
        try:
            record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
            whole = all(file_sha256(folder / name) == digest for name, digest in record["outputs"].items())
        except (OSError, ValueError, KeyError):
            return None
        return folder if whole and record.get("job") == job_digest(job) else None

    def publish(self, job: ToolJob, output: Path, logs: Path, scratch: Path) -> Path:
        """Keep a successful result: what the job wants kept, logs and record, in one rename."""
        prepared = self._prepared(scratch, logs)
        kept = {path for pattern in job.keep for path in output.glob(pattern) if path.is_file()}
        for path in sorted(kept):
            _gzip(path, prepared / f"{path.name}.gz")
        outputs = {path.name: file_sha256(path) for path in sorted(prepared.glob("*.gz"))}
        self._record(prepared, job, outputs, reason="")
        shutil.rmtree(self._folder("failed", job), ignore_errors=True)
        return _move(prepared, self._folder("done", job))

    def publish_failure(self, job: ToolJob, reason: str, logs: Path, scratch: Path) -> Path:
        """Keep the logs of a failed attempt."""
        prepared = self._prepared(scratch, logs)
        self._record(prepared, job, {}, reason)
        return _move(prepared, self._folder("failed", job))

    def log_tail(self, job: ToolJob) -> str:
        """Last line of a failed case's error log, or of its output log; "" without one."""
        for name in (STDERR, STDOUT):
            path = self._folder("failed", job) / name
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else []
            if said := [line.strip() for line in lines if line.strip()]:
                return said[-1][:300]
        return ""

    def _folder(self, state: str, job: ToolJob) -> Path:
        return self.root / state / folder_name(job.case_id)

    def _prepared(self, scratch: Path, logs: Path) -> Path:
        prepared = scratch / "publish"
        shutil.rmtree(prepared, ignore_errors=True)
        prepared.mkdir()
        for name in (STDOUT, STDERR):
            _copy_ends(logs / name, prepared / name)
        return prepared

    def _record(self, folder: Path, job: ToolJob, outputs: Mapping[str, str], reason: str) -> None:
        record = {
            "case_id": job.case_id,
            "job": job_digest(job),
            "tool": fingerprint(self._identity),
            "arguments": list(job.arguments),
            "reason": reason,
            "outputs": dict(outputs),
        }
        (folder / RECORD).write_bytes(canonical_json(record))


def _move(prepared: Path, target: Path) -> Path:
    # rename(2) cannot replace a directory that has files: an older result steps into the scratch space first.
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = prepared.with_name("replaced")
    shutil.rmtree(aside, ignore_errors=True)
    if target.exists():
        target.rename(aside)
    try:
        return prepared.rename(target)
    except OSError:
        if target.is_dir():  # another process published the same case in between
            return target
        raise


def _gzip(source: Path, target: Path) -> None:
    """Compress a file; the same bytes give the same bytes (no name, no time in the header)."""
    with (
        source.open("rb") as handle,
        target.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as writer,
    ):
        shutil.copyfileobj(handle, writer)


def _copy_ends(source: Path, target: Path) -> None:
    """Copy a log; of a long one its first and last part."""
    size = source.stat().st_size
    with source.open("rb") as handle, target.open("wb") as out:
        if size <= 2 * _LOG_END_BYTES:
            shutil.copyfileobj(handle, out)
            return
        out.write(handle.read(_LOG_END_BYTES))
        out.write(f"\n[... {size - 2 * _LOG_END_BYTES} bytes left out ...]\n".encode())
        handle.seek(size - _LOG_END_BYTES)
        out.write(handle.read(_LOG_END_BYTES))
