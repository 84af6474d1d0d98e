"""The deterministic critic: how much a chunk says about a gene and the patient's phenotype, from 1 to 5.

Belongs here: mentions, labels, the relevance rule and its wording. Does not belong here: evidence kinds
(evidence_type), negation cues (negation), the model's critic (llm_critic).
Source: rare-disease specification, section 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from genoplatform.agents.evidence_type import CASE_SECTIONS, PAPER_CASE_SECTIONS, evidence_type
from genoplatform.agents.gene_names import GeneNames
from genoplatform.agents.negation import denied
from genoplatform.agents.state import EvidenceType, Grade, Retrieved
from genoplatform.retrieval.hits import Hit

LABEL_WINDOW = 200
"""Characters between the first positions of two neighbouring labels that still count as close."""

_REASONS = {
    5: "names the gene and {n} phenotype labels, two of them within {window} characters",
    4: "names the gene and {n} phenotype label(s)",
    3: "names the gene, no phenotype label",
    2: "{n} phenotype label(s), but not the gene",
    1: "neither the gene nor a phenotype label",
}


@dataclass(frozen=True)
class CriticRules:
    """Where the critic departs from the published one.

    Attributes:
        negation: names and labels that every occurrence denies do not count.
        case_report_sections: a section labelled `case_report` is a case report whatever its words; the published
            rule names a label that no chunk has.
    """

    negation: bool = False
    case_report_sections: bool = False


@dataclass(frozen=True)
class _Text:
    """What of a chunk does not depend on the gene."""

    lowered: str
    labels: int
    close: bool
    kind: EvidenceType


class Critic:
    """Grades chunks by rule.

    Args:
        names: symbols and aliases.
        rules: see `CriticRules`; the default is the published critic.
    """

    def __init__(self, names: GeneNames, rules: CriticRules | None = None) -> None:
        self._names = names
        self._rules = rules or CriticRules()
        self._case_sections = CASE_SECTIONS if self._rules.case_report_sections else PAPER_CASE_SECTIONS

    def grade(self, retrieved: Retrieved, labels: Sequence[str]) -> dict[str, list[Grade]]:
        """Grade every chunk of every gene against the same labels; a chunk shared by genes is read once."""
        lowered_labels = [label.lower() for label in labels]
        read: dict[str, _Text] = {}

        def text_of(hit: Hit) -> _Text:
            if hit.chunk_id not in read:
                read[hit.chunk_id] = self._read(hit, lowered_labels)
            return read[hit.chunk_id]

        return {gene: [self._grade(gene, hit, text_of(hit)) for hit in hits] for gene, hits in retrieved.items()}

    def mention_valid(self, gene: str, text: str) -> bool:
        """Whether a text names the gene, as the rules count it."""
        return self._mentioned(gene, text.lower())

    def _read(self, hit: Hit, labels: Sequence[str]) -> _Text:
        lowered = hit.text.lower()
        found = sorted(at for label in labels if (at := self._first(label, lowered)) >= 0)
        close = any(second - first <= LABEL_WINDOW for first, second in pairwise(found))
        return _Text(lowered, len(found), close, evidence_type(hit.section_type, lowered, self._case_sections))

    def _first(self, label: str, lowered: str) -> int:
        """First position of a label that counts, -1 without one."""
        at = lowered.find(label)
        while self._rules.negation and at >= 0 and denied(lowered, at, at + len(label)):
            at = lowered.find(label, at + 1)
        return at

    def _mentioned(self, gene: str, lowered: str) -> bool:
        if not self._rules.negation:
            return self._names.mentioned(gene, lowered)
        return any(not denied(lowered, start, end) for start, end in self._names.mentions(gene, lowered))

    def _grade(self, gene: str, hit: Hit, text: _Text) -> Grade:
        mention = self._mentioned(gene, text.lowered)
        score = relevance(mention, text.labels, text.close)
        reason = _REASONS[score].format(n=text.labels, window=LABEL_WINDOW)
        return Grade(hit.chunk_id, mention, score, text.kind, reason)


def relevance(mention: bool, labels: int, close: bool) -> int:
    """The published scale: 5 gene and two labels close together, 4 gene and label, 3 gene, 2 label, 1 neither."""
    if mention:
        return 5 if labels >= 2 and close else 4 if labels else 3
    return 2 if labels else 1


def weak_grades(grades: Mapping[str, Sequence[Grade]], highest: int = 2) -> int:
    """Grades of relevance `highest` or less, over all genes; the router's measure."""
    return sum(grade.relevance <= highest for of_gene in grades.values() for grade in of_gene)
