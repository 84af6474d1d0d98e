"""The headline: the few numbers the page opens with and the terminal prints.

Belongs here: which numbers they are, as plain Python that JSON takes. Does not belong here: the page, or the text for
the terminal (terminal).
"""

from __future__ import annotations

from typing import Any

from genoplatform.report.estimates import Estimate, contamination, rate, shift
from genoplatform.report.inputs import ReportInputs, Tables
from genoplatform.report.releases import releases
from genoplatform.report.systems import Pair, pairs


def headline(inputs: ReportInputs) -> dict[str, Any]:
    """The headline numbers.

    Returns:
        cases, publications, exposed, unexposed, unexposed_publications, unexposed_diseases; overlap_rate: share of
        the sample that is exposed; eligible, eligible_overlap_rate: the same before sampling, cases weighted by the
        inverse of their inclusion probability (None where a case has none); difficulties: difficulty -> system ->
        exposed, decontaminated (exposed cases without their own publication), unexposed: top-1 [value, lo, hi];
        contamination: difference (exposed minus decontaminated), lo, hi, p, cases; shift: unexposed minus exposed
        [value, lo, hi]; releases: the same cases against a series of releases, oldest first: release, overlap_rate,
        systems: system -> ranked (share of cases whose gene has a rank), top1, top10 [value, lo, hi] among all genes.
        Whatever cannot be had is None or empty. Intervals: 95 %, publications resampled.
    """
    cases = inputs.cases
    exposed = cases["exposed"] == 1
    inclusion = cases["inclusion_probability"]
    weight = 1.0 / inclusion if (inclusion > 0).all() else None
    unexposed = cases[~exposed]
    return {
        "cases": len(cases),
        "publications": int(cases["cluster"].nunique()),
        "exposed": int(exposed.sum()),
        "unexposed": len(unexposed),
        "unexposed_publications": int(unexposed["cluster"].nunique()),
        "unexposed_diseases": int(unexposed["disease_ids"].explode().nunique()),
        "overlap_rate": float(exposed.mean()),
        "eligible": None if weight is None else round(float(weight.sum())),
        "eligible_overlap_rate": None if weight is None else float(weight[exposed].sum() / weight.sum()),
        "difficulties": {name: _systems(inputs.evaluations[name]) for name in inputs.difficulties},
        "releases": releases(inputs.releases),
    }


def _systems(tables: Tables) -> dict[str, Any]:
    return {pair.base: _system(tables, pair) for pair in pairs(tables["metrics"]["system"])}


def _system(tables: Tables, pair: Pair) -> dict[str, Any]:
    found: dict[str, Any] = {"exposed": None, "decontaminated": None, "unexposed": None}
    found |= {group: _triple(rate(tables["metrics"], *where)) for group, *where in pair.groups()}
    paired, moved = contamination(tables["contrasts"], pair), shift(tables["overlap_shift"], pair.base)
    found["contamination"] = paired and {
        "difference": paired.difference,
        "lo": paired.lo,
        "hi": paired.hi,
        "p": paired.p,
        "cases": paired.n,
    }
    found["shift"] = moved and [moved.value, moved.lo, moved.hi]
    return found


def _triple(estimate: Estimate | None) -> list[float | None] | None:
    return None if estimate is None else [estimate.value, estimate.lo, estimate.hi]
