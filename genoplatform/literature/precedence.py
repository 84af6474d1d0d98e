"""Whose version of an article counts, over all packages: the first occurrence in the order of precedence.

Packages are read apart from each other; each leaves one claim a file. Claims are sorted by article outside of memory,
so what is held at a time does not grow with the corpus. A retraction in any package's file list retracts the
article in all, unless only its own package is to be believed (as the paper does, whose lists are per tarball).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genoplatform.literature.external_sort import sorted_lines
from genoplatform.literature.packages import newest_first
from genoplatform.literature.reading import CLAIMS, PARSED, RETRACTED, retracted_in
from genoplatform.literature.staging import Staging

KEPT, NOT_RELEVANT, SUPERSEDED = "kept", "not_relevant", "superseded"
FATES = (KEPT, NOT_RELEVANT, SUPERSEDED, RETRACTED)
_WAITING = 100_000
_FATE_SCHEMA = pa.schema([("position", pa.int64()), ("pmcid", pa.string()), ("fate", pa.string())])


def decide(
    claims: Mapping[str, Path],
    staging: Staging,
    *,
    only_relevant: bool = True,
    retracted_everywhere: bool = True,
) -> Counter[str]:
    """Decide the fate of every parsed article and write `<package>.parquet` (position, pmcid, fate), by article.

    Args:
        claims: package name -> directory that `read_package` made.
        staging: where to.
        only_relevant: whether an article that is not about genetics is left out. Its newest version decides.
        retracted_everywhere: whether a retraction in one package's file list holds in all.

    Returns:
        Articles by fate, over all packages.
    """
    order = [package.name for package in newest_first(claims)]
    with tempfile.TemporaryDirectory(dir=staging.folder, prefix=".sort-") as scratch:
        lines = _claim_lines(claims, order, retracted_everywhere)
        fates = _fates(sorted_lines(lines, Path(scratch)), only_relevant)
        counted = _write(fates, order, Path(scratch))
        for number, name in enumerate(order):
            (Path(scratch) / f"fates_{number}").replace(staging.folder / f"{name}.parquet")
    return counted


def kept_positions(decided: Path, package: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Places of a package's kept articles, ascending; `decided` is the directory that `decide` filled."""
    table = pq.read_table(decided / f"{package}.parquet", columns=["position"], filters=[("fate", "=", KEPT)])
    return np.sort(table["position"].to_numpy())


def _claim_lines(claims: Mapping[str, Path], order: Sequence[str], everywhere: bool) -> Iterator[bytes]:
    """`pmcid TAB rank TAB place TAB relevant`; a retraction has rank 0, so it comes before every package's claim."""
    for rank, name in enumerate(order, start=1):
        for path in sorted(claims[name].glob(f"{CLAIMS}_*.parquet")):
            table = pq.read_table(path, columns=["position", "pmcid", "outcome", "relevant"])
            for row in table.to_pylist():
                if row["outcome"] == PARSED:
                    yield f"{row['pmcid']}\t{rank:06d}\t{row['position']:09d}\t{row['relevant']:d}".encode()
        if everywhere:
            for pmcid in retracted_in(claims[name]):
                yield f"{pmcid}\t{0:06d}".encode()


def _fates(lines: Iterator[bytes], only_relevant: bool) -> Iterator[tuple[int, int, str, str]]:
    """(package's place in the order, position, pmcid, fate) of every parsed article."""
    for pmcid, group in groupby((line.decode().split("\t") for line in lines), key=lambda fields: fields[0]):
        first = True
        retracted = False
        for fields in group:
            if len(fields) == 2:
                retracted = True
                continue
            if retracted:
                fate = RETRACTED
            elif not first:
                fate = SUPERSEDED
            else:
                fate = KEPT if fields[3] == "1" or not only_relevant else NOT_RELEVANT
            first = False
            yield int(fields[1]) - 1, int(fields[2]), pmcid, fate


def _write(fates: Iterator[tuple[int, int, str, str]], order: Sequence[str], folder: Path) -> Counter[str]:
    files = _FateFiles([folder / f"fates_{number}" for number in range(len(order))])
    counted: Counter[str] = Counter()
    for number, position, pmcid, fate in fates:
        counted[fate] += 1
        files.add(number, position, pmcid, fate)
    files.close()
    return counted


class _FateFiles:
    """One parquet file a package; rows wait in memory until there are `_WAITING` over all packages."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.writers = [pq.ParquetWriter(path, _FATE_SCHEMA, compression="zstd") for path in paths]
        self.rows: list[list[tuple[int, str, str]]] = [[] for _ in paths]
        self.waiting = 0

    def add(self, number: int, position: int, pmcid: str, fate: str) -> None:
        self.rows[number].append((position, pmcid, fate))
        self.waiting += 1
        if self.waiting == _WAITING:
            self.flush()

    def flush(self) -> None:
        for writer, rows in zip(self.writers, self.rows, strict=True):
            if rows:
                writer.write_table(pa.table([list(column) for column in zip(*rows, strict=True)], _FATE_SCHEMA))
                rows.clear()
        self.waiting = 0

    def close(self) -> None:
        self.flush()
        for writer in self.writers:
            writer.close()
