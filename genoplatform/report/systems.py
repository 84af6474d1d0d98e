"""Systems and their counterfactuals, paired by name, and the names people read.

Belongs here: which systems belong together and what systems, subsets, metrics and lists are called on the page. Does
not belong here: their scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from genoplatform.report.formatting import shortened

SUFFIX = "_decontaminated"
EXPOSED, UNEXPOSED, REMOVED = "exposed", "unexposed", "decontaminated"
GROUP_LABELS = {
    EXPOSED: "Exposed",
    REMOVED: "Exposed, own publication removed",
    UNEXPOSED: "Unexposed",
}
METRIC_LABELS = {
    "top1": "Top-1",
    "top5": "Top-5",
    "top10": "Top-10",
    "mrr": "MRR",
    "ndcg10": "NDCG@10",
    "hit": "Hit",
}
_PANEL_TITLE = 40
_PROPER = {
    "phenodigm": "PhenoDigm",
    "lirical": "LIRICAL",
    "exomiser": "Exomiser",
    "likelihood": "Likelihood ratio",
    "likelihood_excluded": "Likelihood ratio with excluded terms",
}


@dataclass(frozen=True)
class Pair:
    """A system and, where it was run, the same system without each case's own publication."""

    base: str
    removed: str | None

    @property
    def label(self) -> str:
        """Name of the system for people."""
        return system_label(self.base)

    def groups(self) -> list[tuple[str, str, str]]:
        """(group, system, subset) of the three scores of the story, in reading order."""
        rows = [(EXPOSED, self.base, "overlap_present")]
        if self.removed is not None:
            rows.append((REMOVED, self.removed, "overlap_present"))
        return [*rows, (UNEXPOSED, self.base, "overlap_absent")]


def pairs(systems: Iterable[str]) -> list[Pair]:
    """Systems by name, those with a counterfactual first; a counterfactual without its base stands alone."""
    names = {str(system) for system in systems}
    bases = [name for name in names if not (name.endswith(SUFFIX) and name.removesuffix(SUFFIX) in names)]
    ordered = sorted(bases, key=lambda name: (name + SUFFIX not in names, name))
    return [Pair(name, name + SUFFIX if name + SUFFIX in names else None) for name in ordered]


def system_label(system: str) -> str:
    """ "likelihood_ratio_decontaminated" as "Likelihood ratio, own publication removed"."""
    base = system.removesuffix(SUFFIX) or system
    words = printable(base).replace("_", " ")
    label = _PROPER.get(base, words[:1].upper() + words[1:])
    return f"{label}, own publication removed" if base != system else label


def list_label(difficulty: str) -> str:
    """ "hard" as "Hard lists"."""
    words = printable(difficulty).replace("_", " ")
    return f"{words[:1].upper()}{words[1:]} lists"


def panel_title(difficulty: str, pair: Pair) -> str:
    """List and system above a panel of a plot, in two lines where one would be too long."""
    title = f"{list_label(difficulty)}: {shortened(pair.label, 40)}"
    return title if len(title) <= _PANEL_TITLE else title.replace(": ", ":\n", 1)


def subset_label(subset: str, boundary: int = 2020) -> str:
    """What a subset of cases is called; `boundary` is the first year that counts as recent."""
    known = {
        "full": "All cases",
        "overlap_present": "Exposed",
        "overlap_absent": "Unexposed",
        "pre2020": f"Published before {boundary}",
        "post2020": f"Published in {boundary} or later",
        "post2020_overlap_absent": f"Unexposed, published in {boundary} or later",
    }
    return known.get(subset, printable(subset))


def printable(text: str) -> str:
    """Without control characters, which neither HTML nor SVG may hold."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
