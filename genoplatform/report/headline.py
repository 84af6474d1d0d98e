"""The headline: the few numbers the page opens with and the terminal prints.

Belongs here: which numbers they are, as plain Python that JSON takes. Does not belong here: the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genoplatform.report.estimates import Estimate, contamination, rate, shift
from genoplatform.report.formatting import SPACE, count, counted, p_text, percent, percent_interval, points
from genoplatform.report.inputs import ReportInputs, Tables
from genoplatform.report.systems import Pair, list_label, pairs, system_label

_WIDEST = 34


def headline(inputs: ReportInputs) -> dict[str, Any]:
    """The headline numbers.

    Returns:
        cases, publications, exposed, unexposed, unexposed_publications, unexposed_diseases; overlap_rate: share of
        the sample that is exposed; eligible, eligible_overlap_rate: the same before sampling, cases weighted by the
        inverse of their inclusion probability (None where a case has none); difficulties: difficulty -> system ->
        exposed, decontaminated (exposed cases without their own publication), unexposed: top-1 [value, lo, hi];
        contamination: difference (exposed minus decontaminated), lo, hi, p, cases; shift: unexposed minus exposed
        [value, lo, hi]. Whatever cannot be had is None. Intervals: 95 %, publications resampled.
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
    }


def headline_text(numbers: Mapping[str, Any]) -> str:
    """The headline as a few plain lines for the terminal.

    Args:
        numbers: from `headline`, or the same read back from JSON.
    """
    lines = [
        f"{counted(numbers['cases'], 'case')} from {counted(numbers['publications'], 'publication')}; "
        f"{percent(numbers['overlap_rate'])} exposed: their own publication is in the knowledge base",
        "no unexposed cases",
    ]
    if numbers["unexposed"]:
        publications = counted(numbers["unexposed_publications"], "publication")
        diseases = counted(numbers["unexposed_diseases"], "disease")
        lines[-1] = f"{counted(numbers['unexposed'], 'unexposed case')} from {publications} about {diseases}"
    if numbers["eligible"] is not None:
        share = percent(numbers["eligible_overlap_rate"])
        lines.append(f"{share} of the {count(numbers['eligible'])} eligible cases are exposed, before sampling")
    for difficulty, systems in numbers["difficulties"].items():
        for system, found in systems.items():
            lines += ["", f"Top-1, {list_label(difficulty).lower()}, {system_label(system)}", *_lines(found)]
    lines += ["", "Brackets: 95 % intervals, whole publications resampled; p: sign flips of whole publications."]
    return "\n".join(lines).replace(SPACE, " ")


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


def _lines(found: Mapping[str, Any]) -> list[str]:
    lines = [
        _line("exposed", found["exposed"]),
        _line("exposed, own publication removed", found["decontaminated"]),
        _line("unexposed", found["unexposed"]),
    ]
    paired, moved = found["contamination"], found["shift"]
    if paired is not None:
        interval = percent_interval(paired["lo"], paired["hi"])
        text = f"{points(paired['difference'])} {interval}, {p_text(paired['p'])}"
        lines.append(f"  {'contamination':<{_WIDEST}} {text}")
    if moved is not None:
        text = f"{points(moved[0])} {percent_interval(*moved[1:])}".rstrip()
        lines.append(f"  {'unexposed minus exposed':<{_WIDEST}} {text}")
    return lines


def _line(name: str, triple: list[float | None] | None) -> str:
    if triple is None:
        return f"  {name:<{_WIDEST}} no such cases"
    return f"  {name:<{_WIDEST}} {percent(triple[0])} {percent_interval(*triple[1:])}".rstrip()
