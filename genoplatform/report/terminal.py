"""The headline as text for the terminal: two lines on the cohort, a table per kind of list, a line on time travel.

Belongs here: aligning and wording the headline's numbers. Does not belong here: which numbers they are (headline).
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from genoplatform.report.formatting import (
    NOTHING,
    SPACE,
    bare_points,
    count,
    counted,
    percent,
    percent_interval,
    shortened,
)
from genoplatform.report.inputs import in_order
from genoplatform.report.releases import followed, month
from genoplatform.report.systems import list_label, system_label

WIDTH = 118
_NAME = 36
_COLUMNS = ("exposed", "removed", "unexposed", "contamination")
_CELL = 18
_LEGEND = (
    "removed: the exposed cases again, own publication taken out of the knowledge base; contamination: exposed minus "
    "removed, in points. Brackets: 95 % intervals, whole publications resampled."
)


def headline_text(numbers: Mapping[str, Any]) -> str:
    """The headline as a few plain lines, at most 118 characters wide.

    Args:
        numbers: from `headline`, or the same read back from JSON, whose keys may have been sorted.
    """
    lines = _cohort(numbers)
    for difficulty in in_order(numbers["difficulties"]):
        lines += ["", *_scores(f"Top-1 in %, {list_label(difficulty).lower()}", numbers["difficulties"][difficulty])]
    lines += ["", *textwrap.wrap(_LEGEND, WIDTH)]
    travel = _travel(numbers.get("releases") or [])
    if travel:
        lines += ["", *textwrap.wrap(travel, WIDTH)]
    return "\n".join(lines).replace(SPACE, " ")


def _cohort(numbers: Mapping[str, Any]) -> list[str]:
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
    return lines


def _scores(title: str, systems: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A row per system, those with a counterfactual first."""
    ordered = sorted(systems, key=lambda name: (systems[name]["decontaminated"] is None, name))
    rows = [[title, *_COLUMNS]] + [[system_label(name), *_cells(systems[name])] for name in ordered]
    widest = min(_NAME, max(len(row[0]) for row in rows))
    return [
        "  ".join([f"{shortened(row[0], widest):<{widest}}"] + [f"{cell:<{_CELL}}" for cell in row[1:-1]] + [row[-1]])
        for row in rows
    ]


def _cells(found: Mapping[str, Any]) -> list[str]:
    rates = [NOTHING if found[group] is None else _with_ends(*found[group]) for group in _GROUPS]
    paired = found["contamination"]
    return [*rates, NOTHING if paired is None else _with_ends(paired["difference"], paired["lo"], paired["hi"])]


def _with_ends(value: float, lo: float | None, hi: float | None) -> str:
    return f"{bare_points(value)} {percent_interval(lo, hi)}".rstrip()


_GROUPS = ("exposed", "decontaminated", "unexposed")


def _travel(series: Sequence[Mapping[str, Any]]) -> str:
    names = followed(series)
    if len(series) < 2 or not names:
        return ""
    first, last = series[0], series[-1]
    scores = [percent(release["systems"][names[0]]["top1"][0]) for release in (first, last)]
    return (
        f"Time travel, release {month(first['release'])} to {month(last['release'])}: exposed "
        f"{percent(first['overlap_rate'])} to {percent(last['overlap_rate'])}, {system_label(names[0])} top-1 among "
        f"all genes {scores[0]} to {scores[1]}"
    )
