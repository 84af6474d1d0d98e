"""The part "Time travel": the same cases ranked with older and newer annotation releases.

Belongs here: the series in words and as a table. Does not belong here: its plot (plot_releases), or the series itself
(releases).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genoplatform.report.formatting import NOTHING, counted, listing, percent, percent_interval
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.part import Part
from genoplatform.report.releases import followed, month, releases
from genoplatform.report.systems import printable, system_label
from genoplatform.report.tables import Cell, Group, Table

Series = Sequence[Mapping[str, Any]]


def time_travel(inputs: ReportInputs) -> Part | None:
    """The part, or None where no release was followed."""
    series = releases(inputs.releases)
    if inputs.releases is None or not series:
        return None
    roles = _roles(inputs)
    paragraphs = [
        "The cases stay the same, and so do the links from disease to gene and the ontology. Only the annotation "
        "release that the systems rank with changes, and they rank all genes, not short lists."
    ]
    if followed(series) and len(series) > 1:
        paragraphs += [_rise(series, roles), _caution(series)]
    n = counted(int(inputs.releases["n"].iloc[0]), "case")
    table = _table(series, roles, f"The same {n}, release by release: top-1 among all genes")
    return Part("Time travel", paragraphs, [], [table])


def _rise(series: Series, roles: Mapping[str, str]) -> str:
    first, last = series[0], series[-1]
    source = f", {roles[last['release']]}" if last["release"] in roles else ""
    scores = [
        f"{system_label(name)} from {percent(_top1(first, name))} to {percent(_top1(last, name))}"
        for name in followed(series)
    ]
    text = (
        f"The share of exposed cases goes from {percent(first['overlap_rate'])} ({month(first['release'])}) to "
        f"{percent(last['overlap_rate'])} ({month(last['release'])}{source}), and top-1 goes with it: "
        f"{listing(scores)}."
    )
    rose = [(_top1(last, name) or 0.0) > (_top1(first, name) or 0.0) for name in followed(series)]
    if last["overlap_rate"] > first["overlap_rate"] and all(rose):
        text += " No system got better in between: a benchmark made of published cases ages into contamination."
    return text


def _caution(series: Series) -> str:
    ranked = min(series[0]["systems"][name]["ranked"] for name in followed(series))
    text = "Not all of the difference is contamination: older releases also know less in general."
    if ranked < 1.0:
        text += (
            f" With that of {month(series[0]['release'])}, up to {percent(1.0 - ranked)} of the cases have a causal "
            "gene without any annotation, which no system can rank; they count as misses."
        )
    return text


def _table(series: Series, roles: Mapping[str, str], title: str) -> Table:
    systems = sorted({name for release in series for name in release["systems"]})
    rows = [
        [
            Cell(printable(release["release"]), roles.get(release["release"], "")),
            Cell(percent(release["overlap_rate"])),
            *[_score(release["systems"].get(name)) for name in systems],
        ]
        for release in series
    ]
    return Table(title, ["Release", "Exposed", *map(system_label, systems)], [Group("", rows)])


def _score(found: Mapping[str, Any] | None) -> Cell:
    if found is None:
        return Cell(NOTHING)
    value, lo, hi = found["top1"]
    return Cell(percent(value), percent_interval(lo, hi))


def _top1(release: Mapping[str, Any], system: str) -> float | None:
    value: float | None = release["systems"][system]["top1"][0]
    return value


def _roles(inputs: ReportInputs) -> dict[str, str]:
    """What a release of the series is to the rest of the page, by the pins the profile names."""
    slots = inputs.profile.get("slots", {})
    roles = {"hpoa_knowledge": "used on the rest of this page"}
    if "publication_profiles" in set(inputs.cases["cohort"]):
        roles["hpoa_current"] = "the release the cases come from"
    return {str(slots[slot]).rpartition("@")[2]: text for slot, text in roles.items() if slots.get(slot)}
