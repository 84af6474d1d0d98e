"""Sorting more lines than memory holds, as `LC_ALL=C sort` does: by bytes, duplicates kept.

Sorted runs go to scratch files and are merged; a merge of too many runs goes in passes, so open files stay few too.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

RUN_LINES = 250_000
"""Lines sorted in memory at a time: about 30 MB of chunk ids."""
FAN_IN = 128
"""Runs merged at a time."""


def sorted_lines(
    lines: Iterable[bytes], scratch: Path, *, run_lines: int = RUN_LINES, fan_in: int = FAN_IN
) -> Iterator[bytes]:
    """Lines in byte order.

    Args:
        lines: without a line feed in or at the end of any.
        scratch: an empty directory; holds as many bytes as the lines, at most twice over.
        run_lines: lines in memory at a time.
        fan_in: files open at a time, at least 2.
    """
    source = iter(lines)
    runs: list[Path] = []
    while block := sorted(islice(source, run_lines)):
        if not runs and len(block) < run_lines:
            yield from block
            return
        runs.append(_write(scratch / f"run_{len(runs):06d}", block))
    number = len(runs)
    while len(runs) > fan_in:
        some, runs = runs[:fan_in], runs[fan_in:]
        runs.append(_write(scratch / f"run_{number:06d}", _merged(some)))
        number += 1
        for path in some:
            path.unlink()
    yield from _merged(runs)


def _write(path: Path, lines: Iterable[bytes]) -> Path:
    with path.open("wb") as handle:
        handle.writelines(line + b"\n" for line in lines)
    return path


def _merged(runs: list[Path]) -> Iterator[bytes]:
    with ExitStack() as stack:
        # With their line feeds, "a\n" would sort behind "a\t": what is compared is the line alone.
        streams = [map(_bare, stack.enter_context(path.open("rb", buffering=1 << 18))) for path in runs]
        yield from heapq.merge(*streams)


def _bare(line: bytes) -> bytes:
    return line[:-1]
