"""How far a table has moved from what it was: every change worth reading, and which of them are breaches.

A plain comparison of two summaries: it serves the `drift` test on artefacts and, before anything is pinned, the
comparison of a candidate release with the one in force.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from genoplatform.dbt_like_checks.summaries import GRID, KeySketch, TableSummary
from genoplatform.dbt_like_checks.vocabulary import Drift

Kind = Literal["columns", "rows", "missing", "vanished", "class", "distribution", "keys"]
_BINS = 10


@dataclass(frozen=True)
class DriftFinding:
    """One change.

    Attributes:
        kind: columns gone, rows, missing values, a vanished or a smaller class, a distribution, keys.
        place: the column, key, or `column=class`; empty for the table.
        old, new: the figures compared.
        breach: whether it is more than the test allows.
        text: the change in words.
    """

    kind: Kind
    place: str
    old: float
    new: float
    breach: bool
    text: str


def compare(old: TableSummary, new: TableSummary, spec: Drift) -> list[DriftFinding]:
    """Every change from `old` to `new`, breaches of `spec` first, otherwise in the order of its columns."""
    found = [*_columns(old, new), *_rows(old, new, spec), *_missing(old, new, spec), *_classes(old, new, spec)]
    found += [*_distributions(old, new, spec), *_keys(old, new, spec)]
    return sorted(found, key=lambda finding: not finding.breach)


def breaches(findings: Sequence[DriftFinding]) -> list[DriftFinding]:
    """Those that are more than the test allows."""
    return [finding for finding in findings if finding.breach]


def _columns(old: TableSummary, new: TableSummary) -> Iterator[DriftFinding]:
    for name in new.missing_columns:
        if name not in old.missing_columns:
            yield DriftFinding("columns", name, 1, 0, True, f"column {name} is gone")


def _rows(old: TableSummary, new: TableSummary, spec: Drift) -> Iterator[DriftFinding]:
    change = _change(old.rows, new.rows)
    if change:
        breach = change < -spec.rows_lost or change > spec.rows_gained
        yield DriftFinding("rows", "", old.rows, new.rows, breach, f"rows {_moved(old.rows, new.rows)}")


def _missing(old: TableSummary, new: TableSummary, spec: Drift) -> Iterator[DriftFinding]:
    for name in spec.looked_at():
        if name in old.missing and name in new.missing and old.rows and new.rows:
            before, after = old.missing[name] / old.rows, new.missing[name] / new.rows
            if round(after - before, 4):
                text = f"{name}: missing {before:.2%} -> {after:.2%}"
                yield DriftFinding("missing", name, before, after, after - before > spec.missing_gained, text)


def _classes(old: TableSummary, new: TableSummary, spec: Drift) -> Iterator[DriftFinding]:
    for name in spec.classes:
        if name not in old.classes or name not in new.classes:
            continue
        before, after = old.classes[name], new.classes[name]
        for value in sorted(before.keys() | after.keys()):
            n, m = before.get(value, 0), after.get(value, 0)
            if n == m:
                continue
            place, text = f"{name}={value}", f"{name} {value!r}: {_moved(n, m)}"
            if not m and n >= spec.min_class:
                yield DriftFinding("vanished", place, n, m, True, f"{text}: the class has vanished")
            else:
                breach = n >= spec.min_class and _change(n, m) < -spec.class_lost
                yield DriftFinding("class", place, n, m, breach, text)


def _distributions(old: TableSummary, new: TableSummary, spec: Drift) -> Iterator[DriftFinding]:
    for name in spec.numbers:
        before, after = old.quantiles.get(name, []), new.quantiles.get(name, [])
        if not before or not after or before == after:
            continue  # all missing: the share of missing values says so
        index = population_stability(before, after)
        medians = before[len(before) // 2], after[len(after) // 2]
        text = f"{name}: population stability index {index:.3f}, median {medians[0]:g} -> {medians[1]:g}"
        yield DriftFinding("distribution", name, *medians, index > spec.psi, text)


def _keys(old: TableSummary, new: TableSummary, spec: Drift) -> Iterator[DriftFinding]:
    for key in spec.keys:
        if key not in old.keys or key not in new.keys or not old.keys[key].distinct:
            continue
        before, after = old.keys[key], new.keys[key]
        lost = 1 - share_kept(before, after)
        if lost or before.distinct != after.distinct:
            text = f"{key}: {lost:.1%} of the keys are gone, distinct {_moved(before.distinct, after.distinct)}"
            yield DriftFinding("keys", key, before.distinct, after.distinct, lost > spec.keys_lost, text)


def share_kept(old: KeySketch, new: KeySketch) -> float:
    """Share of the old keys that the new table still has.

    Exact while a table has at most `SKETCH` keys; beyond, estimated from the hashes below the largest that both
    sketches reach (Beyer et al. 2007, k minimum values).
    """
    complete = new.distinct <= len(new.smallest)
    reach = None if complete or not new.smallest else new.smallest[-1]
    compared = [item for item in old.smallest if reach is None or item <= reach]
    if not compared:
        return 0.0
    return len(set(compared) & set(new.smallest)) / len(compared)


def population_stability(old: Sequence[float], new: Sequence[float]) -> float:
    """Population stability index of two quantile grids over the bins that the old deciles cut; ties share a bin.

    An empty bin counts as half a grid point (Yurdakul 2018 uses the same correction of empty bins).
    """
    edges = sorted({old[min(len(old) * step // _BINS, len(old) - 1)] for step in range(1, _BINS)})
    expected, found = _shares(old, edges), _shares(new, edges)
    return sum((b - a) * math.log(b / a) for a, b in zip(expected, found, strict=True))


def _shares(grid: Sequence[float], edges: Sequence[float]) -> list[float]:
    counts = [0.0] * (len(edges) + 1)
    for value in grid:
        counts[bisect_left(edges, value)] += 1
    return [max(count, 0.5 * len(grid) / GRID) / len(grid) for count in counts]


def _change(old: float, new: float) -> float:
    return (new - old) / old if old else float(bool(new))


def _moved(old: int, new: int) -> str:
    return f"{old:,} -> {new:,}" + (f" ({_change(old, new):+.1%})" if old else "")
