"""Were the right cohorts kept, and the right one chosen? Filtering and selection of expression.md D.

Belongs here: both metrics on `cohort_info` records. Does not belong here: means over traits and problems.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from genoplatform.expression.statistics.problems import Problem
from genoplatform.expression.statistics.scores import harmonic

Records = Mapping[str, Mapping[str, Any]]
Chosen = tuple[str, ...]
# (trait, cohort of it, condition, cohort of that) -> whether they share regressors
HasRegressors = Callable[[str, str, str, str], bool]


def filtering(predicted: Records, reference: Records) -> dict[str, float]:
    """precision, recall, f1 and accuracy of `is_available` over all cohorts named, in per cent; 0 if undefined."""
    names = sorted({*predicted, *reference})
    pairs = [(_true(predicted, name, "is_available"), _true(reference, name, "is_available")) for name in names]
    both = sum(p and r for p, r in pairs)
    called, there = sum(p for p, _ in pairs), sum(r for _, r in pairs)
    precision, recall = both / called if called else 0.0, both / there if there else 0.0
    same = sum(p == r for p, r in pairs)
    return {
        "precision": 100.0 * precision,
        "recall": 100.0 * recall,
        "f1": 100.0 * harmonic(precision, recall),
        "accuracy": 100.0 * same / len(pairs) if pairs else 0.0,
    }


def chosen_cohorts(problem: Problem, of_trait: Records, of_condition: Records, shared: HasRegressors) -> Chosen:
    """Cohort, or pair of cohorts, that a problem is answered with by its records; empty for none.

    Largest size, or largest product of sizes among pairs with common regressors; of equal ones the first by accession.
    """
    needed = {"Age": "has_age", "Gender": "has_gender"}.get(problem.condition or "")
    mine = _usable(of_trait, needed)
    if problem.kind != "two_step":
        return mine[:1]
    theirs = _usable(of_condition, None)
    pairs = [(a, b) for a in mine for b in theirs]
    pairs.sort(key=lambda pair: (-_size(of_trait, pair[0]) * _size(of_condition, pair[1]), *pair))
    condition = str(problem.condition)
    return next((pair for pair in pairs if shared(problem.trait, pair[0], condition, pair[1])), ())


def shared_regressors(
    columns: Callable[[str, str], Collection[str]], genes: Callable[[str], Sequence[str]]
) -> HasRegressors:
    """Whether two cohorts measure a known gene of the condition; true where its known genes are not known.

    Args:
        columns: (trait, cohort) -> columns of the linked table. genes: trait -> known genes.
    """

    def shared(trait: str, cohort: str, condition: str, other: str) -> bool:
        known = genes(condition)
        if not known:
            return True
        return bool(set(columns(trait, cohort)) & set(columns(condition, other)) & set(known))

    return shared


def _usable(records: Records, needed: str | None) -> Chosen:
    names = [n for n in records if _true(records, n, "is_usable") and (needed is None or _true(records, n, needed))]
    return tuple(sorted(names, key=lambda name: (-_size(records, name), name)))


def _true(records: Records, name: str, field: str) -> bool:
    return records.get(name, {}).get(field) is True


def _size(records: Records, name: str) -> int:
    size = records[name].get("sample_size")
    return int(size) if isinstance(size, int | float) and not math.isnan(size) else 0
