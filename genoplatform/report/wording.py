"""Sentences of the page that depend on the data.

Belongs here: what the numbers mean, in plain words. Does not belong here: limits (limits), fixed text (benchmark.html)
or the numbers themselves (headline).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from genoplatform.report.formatting import counted, p_text, percent, percent_interval, points
from genoplatform.report.inputs import ReportInputs
from genoplatform.report.systems import list_label, system_label

_SIGNIFICANT, _SMALL = 0.05, 0.001


@dataclass(frozen=True)
class Score:
    """One of the three scores of a finding: what it is, value, interval ("" = none) and style class."""

    label: str
    value: str
    interval: str
    group: str


@dataclass(frozen=True)
class Finding:
    """One system on one kind of list: scores and the sentence they amount to."""

    title: str
    scores: list[Score]
    sentence: str
    shift: str


def findings(numbers: Mapping[str, Any]) -> list[Finding]:
    """A finding per difficulty and system, from the headline numbers."""
    return [
        Finding(f"{list_label(name)}, {system_label(system)}", _scores(found), _sentence(found), _shift(found))
        for name, systems in numbers["difficulties"].items()
        for system, found in systems.items()
    ]


def lead(difficulty: str, systems: Mapping[str, Mapping[str, Any]]) -> str:
    """What the systems have in common on one kind of list, in a sentence; empty where none was run both ways."""
    measured = {name: found["contamination"] for name, found in systems.items() if found["contamination"] is not None}
    if not measured:
        return ""
    ordered = sorted(measured, key=lambda name: (measured[name]["difference"], name))
    ends = [f"{points(measured[name]['difference'])} ({system_label(name)})" for name in (ordered[0], ordered[-1])]
    size = ends[0] if len(ordered) == 1 else " to ".join(ends)
    ps = [paired["p"] for paired in measured.values() if paired["p"] is not None]
    tail = ""
    if len(ps) == len(measured):
        tail = f" (all {p_text(max(ps))})" if max(ps) < _SMALL else f" (largest {p_text(max(ps))})"
    return (
        f"On {list_label(difficulty).lower()}, {size} of the top-1 on exposed cases rest on the case's own "
        f"publication{tail}."
    )


def data_text(inputs: ReportInputs) -> list[str]:
    """Where the cases come from, a paragraph each."""
    slots = inputs.profile.get("slots", {})
    kinds = sorted(inputs.cases["cohort"].unique())
    knowledge = slots.get("hpoa_knowledge") or "the knowledge base"
    texts = [_KINDS.get(kind, "").format(knowledge=knowledge, **_releases(slots)) for kind in kinds]
    texts.append(
        f"A case is exposed when the knowledge base ({knowledge}) already holds a row that cites the case's own "
        "publication for its disease, and unexposed otherwise. Cases that share a publication form a cluster and are "
        "never treated as independent."
    )
    return [text for text in texts if text]


_KINDS = {
    "publication_profiles": (
        "Each case is what one publication says about one disease: the phenotype terms (HPO) that curators drew from "
        "the article, as recorded in {current}. The right answer is the one protein-coding gene known for the "
        "disease. The tool ranks with an older release, {knowledge}, as its knowledge base: a publication may "
        "have been in it already, or have been added since."
    ),
    "phenopacket_store": (
        "Each case is a published patient from {phenopackets}: the observed phenotype terms (HPO), with the gene that "
        "was found to be causal as the right answer. The tool ranks with {knowledge} as its knowledge base."
    ),
}


def _releases(slots: Mapping[str, Any]) -> dict[str, str]:
    return {
        "current": str(slots.get("hpoa_current") or "a newer annotation release"),
        "phenopackets": str(slots.get("phenopackets") or "the Phenopacket Store"),
    }


def _scores(found: Mapping[str, Any]) -> list[Score]:
    labels = {"exposed": "exposed", "decontaminated": "own publication removed", "unexposed": "unexposed"}
    return [
        Score(label, percent(found[group][0]), percent_interval(*found[group][1:]), group)
        for group, label in labels.items()
        if found[group] is not None
    ]


def _sentence(found: Mapping[str, Any]) -> str:
    paired = found["contamination"]
    if found["exposed"] is None:
        return "There are no exposed cases, so there is no contamination to measure."
    if paired is None:
        return "This system was not run without the cases' own publications, so contamination is not measured."
    interval = percent_interval(paired["lo"], paired["hi"])
    size = f"{points(paired['difference'])}{' ' + interval if interval else ''}"
    tail = p_text(paired["p"]) if paired["p"] is not None else "one publication, so no test"
    if paired["p"] is not None and paired["p"] >= _SIGNIFICANT:
        return f"A difference of {size} between with and without the own publication; chance explains it ({tail})."
    return f"{size} of the {percent(found['exposed'][0])} on exposed cases rest on the case's own publication ({tail})."


def _shift(found: Mapping[str, Any]) -> str:
    if found["unexposed"] is None:
        return "There are no unexposed cases, so exposed and unexposed cannot be compared."
    if found["shift"] is None:
        return ""
    value, *ends = found["shift"]
    interval = percent_interval(*ends)
    return f"Unexposed minus exposed: {points(value)}{' ' + interval if interval else ''}."


def tiles(numbers: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(value, what it is) of the cohort's size."""
    found = [
        (f"{numbers['cases']:,}", f"cases from {counted(numbers['publications'], 'publication')}"),
        (percent(numbers["overlap_rate"]), "of these cases are exposed"),
    ]
    if numbers["eligible"] is not None and numbers["eligible"] != numbers["cases"]:
        eligible = f"of all {numbers['eligible']:,} eligible cases are exposed, before sampling"
        found.append((percent(numbers["eligible_overlap_rate"]), eligible))
    diseases = counted(numbers["unexposed_diseases"], "disease")
    about = f", about {diseases}" if numbers["unexposed"] else ": nothing to compare with"
    found.append((f"{numbers['unexposed']:,}", f"unexposed cases{about}"))
    return found
