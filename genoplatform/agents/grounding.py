"""Grounding: whether what is said of a gene rests on a chunk that was retrieved and says it.

Belongs here: the evidence as shown, checks of citations and quotes, abstention, and claims of deterministic rankings.
Does not belong here: who makes the claims (lea, synthesizer), or an article's quality.

Every claim carries chunk ids: those it cites, or, where it was not asked to cite, those its gene was judged by. A
number that was not shown, an article that was not retrieved or a quotation that is in no chunk of the gene is a fault.
Without any evidence that names gene and phenotype the claim is an abstention: "no direct evidence".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from genoplatform.agents.lea_answer import Verdict
from genoplatform.agents.quoting import shortened
from genoplatform.agents.state import Candidate, Grade, Grades
from genoplatform.retrieval.hits import Hit

NO_DIRECT_EVIDENCE = "no direct evidence"
DIRECT_RELEVANCE = 4
"""The least relevance of a chunk that is direct evidence: it names the gene and a phenotype label."""
CITED_NOT_SHOWN = "citation_not_retrieved"
QUOTE_NOT_FOUND = "quote_not_in_chunk"
UNSUPPORTED = "claim_without_citation"

_ARTICLE = re.compile(r"\bPMC\d+\b")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{8,})[\"“”]")
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Shown:
    """A chunk as a model saw it: cut, with the critic's grade."""

    chunk_id: str
    pmcid: str
    section_type: str
    text: str
    mention: bool
    relevance: int

    @classmethod
    def of(cls, hit: Hit, grade: Grade, characters: int) -> Shown:
        """A graded chunk cut to its first characters."""
        text = shortened(hit.text, characters)
        return cls(hit.chunk_id, hit.pmcid, hit.section_type, text, grade.gene_mention_valid, grade.relevance)

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "chunk_id": self.chunk_id,
            "pmcid": self.pmcid,
            "section_type": self.section_type,
            "text": self.text,
            "gene_mention_valid": self.mention,
            "relevance": self.relevance,
        }


@dataclass(frozen=True)
class Claim:
    """A verdict with what it rests on.

    Attributes:
        verdict: as used; an unsupported one has its preliminary confidence back where grounding is enforced.
        chunk_ids: the chunks it rests on; empty in an abstention.
        abstained: no direct evidence, said or found.
        faults: kinds of faults, sorted, each as often as found.
    """

    verdict: Verdict
    chunk_ids: tuple[str, ...]
    abstained: bool
    faults: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "gene": self.verdict.gene,
            "rationale": NO_DIRECT_EVIDENCE if self.abstained else self.verdict.rationale,
            "said": self.verdict.rationale,
            "chunk_ids": list(self.chunk_ids),
            "abstained": self.abstained,
            "faults": list(self.faults),
        }


def ground(
    verdicts: Sequence[Verdict],
    shown: Mapping[str, Sequence[Shown]],
    preliminary: Mapping[str, float],
    *,
    enforce: bool,
) -> list[Claim]:
    """Check every verdict against the chunks its gene was shown with.

    Args:
        verdicts: of one case.
        shown: gene -> chunks in the prompt, numbered from 1.
        preliminary: gene -> confidence before the model was asked.
        enforce: verdicts had to cite. One without a citation that holds takes its preliminary confidence; so does an
            abstention.
    """
    return [_claim(verdict, shown.get(verdict.gene, ()), preliminary, enforce) for verdict in verdicts]


def _claim(verdict: Verdict, shown: Sequence[Shown], preliminary: Mapping[str, float], enforce: bool) -> Claim:
    faults = _faults(verdict, shown)
    cited = [shown[at - 1] for at in verdict.chunks if 1 <= at <= len(shown)] if enforce else list(shown)
    direct = [each for each in cited if each.mention and each.relevance >= DIRECT_RELEVANCE]
    said_so = NO_DIRECT_EVIDENCE in verdict.rationale.lower()
    abstained = said_so or not direct
    if enforce and not said_so and not cited:
        faults.append(UNSUPPORTED)
    if enforce and (abstained or faults):
        verdict = replace(verdict, confidence=preliminary.get(verdict.gene, 0.0))
    chunk_ids = () if abstained else tuple(dict.fromkeys(each.chunk_id for each in direct))
    return Claim(verdict, chunk_ids, abstained, tuple(sorted(faults)))


def _faults(verdict: Verdict, shown: Sequence[Shown]) -> list[str]:
    numbers = [at for at in verdict.chunks if not 1 <= at <= len(shown)]
    articles = set(_ARTICLE.findall(verdict.rationale)) - {each.pmcid for each in shown}
    quotes = [*_QUOTED.findall(verdict.rationale), *([verdict.quote] if verdict.quote.strip() else [])]
    texts = [_plain(each.text) for each in shown]
    lost = [quote for quote in quotes if not any(_plain(quote) in text for text in texts)]
    return [CITED_NOT_SHOWN] * (len(numbers) + len(articles)) + [QUOTE_NOT_FOUND] * len(lost)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text).strip().lower()


def deterministic_claims(ranked: Sequence[Candidate], grades: Grades) -> list[Claim]:
    """What the deterministic ranking says of each gene: the best grade's wording over its supporting chunks."""
    return [_deterministic(candidate, grades.get(candidate.symbol, ())) for candidate in ranked]


def _deterministic(candidate: Candidate, grades: Sequence[Grade]) -> Claim:
    supporting = [grade for grade in grades if grade.chunk_id in candidate.supporting_chunks]
    direct = [each for each in supporting if each.gene_mention_valid and each.relevance >= DIRECT_RELEVANCE]
    best = max(direct, key=lambda each: each.relevance, default=None)
    said = f"{best.evidence_type}: {best.rationale}" if best else NO_DIRECT_EVIDENCE
    verdict = Verdict(candidate.symbol, candidate.aggregate_confidence, said)
    return Claim(verdict, tuple(each.chunk_id for each in direct), best is None)


def grounding_counts(claims: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """claims, abstentions, claims_with_faults, and faults by kind, of claim records."""
    records = list(claims)
    kinds = Counter(fault for record in records for fault in record["faults"])
    return {
        "claims": len(records),
        "abstentions": sum(record["abstained"] for record in records),
        "claims_with_faults": sum(bool(record["faults"]) for record in records),
        **{kind: kinds[kind] for kind in (CITED_NOT_SHOWN, QUOTE_NOT_FOUND, UNSUPPORTED)},
    }
