"""What became of every file of every package: counts by outcome with examples, and the list of all that went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from genoplatform.literature.packages import newest_first
from genoplatform.literature.reading import ABSENT, CLAIMS, DAMAGED, NOTICES, PARSED, RETRACTED

EXAMPLES = 5
NOT_LISTED = "not_in_file_list"
NOTICE_OUTCOMES = (ABSENT, DAMAGED, NOT_LISTED)
"""Notices are about a package; a file they name may have a fate of its own."""
REPORT_COLUMNS = {
    "package": "str",
    "tier": "str",
    "kind": "str",
    "outcome": "str",
    "files": "int64",
    "examples": "object",
}
ERROR_COLUMNS = {"package": "str", "member": "str", "pmcid": "str", "outcome": "str", "detail": "str"}
_BATCH_ROWS = 50_000


class _Tally:
    """Counts and examples by (kind, outcome)."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], int] = {}
        self.examples: dict[tuple[str, str], list[str]] = {}

    def add(self, kind: str, outcomes: pa.Array, names: pa.Array) -> None:
        for item in pc.value_counts(outcomes).to_pylist():
            key = (kind, item["values"])
            self.counts[key] = self.counts.get(key, 0) + item["counts"]
            shown = self.examples.setdefault(key, [])
            if len(shown) < EXAMPLES:
                shown += names.filter(pc.equal(outcomes, item["values"]))[: EXAMPLES - len(shown)].to_pylist()


def parse_report(read: Mapping[str, Path], decided: Path) -> pd.DataFrame:
    """Files by package and outcome.

    Args:
        read: package name -> directory that `read_package` made.
        decided: directory that `decide` filled.

    Returns:
        package (newest first), tier, kind (`fate` of an article, `fault` of a file, `notice` about a package), outcome,
        files, examples (at most `EXAMPLES` ids or members). Fates and faults of a package add up to its files.
    """
    rows = []
    for package in newest_first(read):
        tally = _Tally()
        _tally_claims(tally, read[package.name])
        for batch in _batches([decided / f"{package.name}.parquet"], ["fate", "pmcid"]):
            tally.add("fate", batch["fate"], batch["pmcid"])
        for (kind, outcome), files in sorted(tally.counts.items()):
            rows.append((package.name, package.tier, kind, outcome, files, tally.examples[kind, outcome]))
    return pd.DataFrame(rows, columns=list(REPORT_COLUMNS)).astype(REPORT_COLUMNS)


def _tally_claims(tally: _Tally, folder: Path) -> None:
    for batch in _batches(_parts(folder, CLAIMS), ["outcome", "member", "listed"]):
        unlisted = batch.filter(pc.equal(batch["listed"], False))
        tally.add("notice", pa.array([NOT_LISTED] * len(unlisted), pa.string()), unlisted["member"])
        # The fate of a parsed article is known only over all packages.
        settled = batch.filter(pc.not_equal(batch["outcome"], PARSED))
        retracted = pc.equal(settled["outcome"], RETRACTED)
        for kind, part in (("fate", settled.filter(retracted)), ("fault", settled.filter(pc.invert(retracted)))):
            tally.add(kind, part["outcome"], part["member"])
    for batch in _batches(_parts(folder, NOTICES), ["outcome", "member"]):
        tally.add("notice", batch["outcome"], batch["member"])


def parse_errors(read: Mapping[str, Path]) -> pd.DataFrame:
    """Every file that could not be used, and every notice about a package, with its reason and particulars.

    Returns:
        package (newest first), member, pmcid (empty if unknown), outcome, detail.
    """
    rows = []
    for package in newest_first(read):
        parts = [*_parts(read[package.name], CLAIMS), *_parts(read[package.name], NOTICES)]
        for batch in _batches(parts, ["member", "pmcid", "outcome", "detail"]):
            usable = pc.is_in(batch["outcome"], pa.array([PARSED, RETRACTED]))
            rows += [{"package": package.name, **row} for row in batch.filter(pc.invert(usable)).to_pylist()]
    return pd.DataFrame(rows, columns=list(ERROR_COLUMNS)).fillna("").astype(ERROR_COLUMNS)


def _parts(folder: Path, stem: str) -> list[Path]:
    return sorted(folder.glob(f"{stem}_*.parquet"))


def _batches(paths: list[Path], columns: list[str]) -> Iterator[pa.RecordBatch]:
    for path in paths:
        with pq.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=_BATCH_ROWS, columns=columns)
