"""What the literature index says of a patient's genes: graded passages that name the gene, with where they stand.

A gene that no passage names gets "no direct evidence": an outcome, not a gap to be filled with a weaker claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from genoplatform.errors import GenoplatformError
from genoplatform.provenance.formats import FORMATS
from genoplatform.resources.store_io import read_verified

if TYPE_CHECKING:
    from genoplatform.agents.critic import Critic
    from genoplatform.agents.state import Grade
    from genoplatform.resources.platform import PlatformResource
    from genoplatform.retrieval.hits import Hit
    from genoplatform.retrieval.searcher import IndexSearcher

NOTHING = "no direct evidence"
_QUERY_LABELS = 5  # as the published queries have (rare_disease.md section 7)
_HITS = 10
_DIRECT = 4  # names the gene and a phenotype of the patient


@dataclass(frozen=True)
class Citation:
    """A passage that names the gene and at least one of the patient's phenotypes.

    Attributes:
        chunk_id, pmcid, section, title, link: where it stands.
        relevance: 4 or 5 of the critic's scale.
        evidence: kind of evidence.
        passage: the part of the text with most of the query.
    """

    chunk_id: str
    pmcid: str
    section: str
    title: str
    link: str
    relevance: int
    evidence: str
    passage: str


@dataclass(frozen=True)
class GeneEvidence:
    """One gene's citations, best first; `confidence` is the synthesizer's, 0 to 1 and not calibrated."""

    gene: str
    confidence: float
    citations: tuple[Citation, ...]

    @property
    def verdict(self) -> str:
        """In words, for a table."""
        if not self.citations:
            return NOTHING
        places = [f"{cited.pmcid} ({cited.section})" for cited in self.citations]
        return ", ".join(dict.fromkeys(places))


@dataclass(frozen=True)
class Literature:
    """What was found, or why nothing was looked for."""

    genes: tuple[GeneEvidence, ...] = ()
    missing: str = ""


def look_up(platform: PlatformResource, genes: Sequence[str], labels: Sequence[str], keep: int = 3) -> Literature:
    """Search the store's index for every gene with the patient's phenotype.

    Args:
        platform: home and profile.
        genes: symbols.
        labels: names of the observed terms.
        keep: citations a gene, at most.

    Returns:
        Evidence in the order of `genes`; without an index, the reason.
    """
    from genoplatform.resources.vector_index.opening import open_searcher

    try:
        with open_searcher(platform) as searcher:
            critic = _critic(platform)
            return Literature(tuple(_evidence(searcher, critic, gene, labels, keep) for gene in genes))
    except GenoplatformError as error:
        return Literature(missing=f"{error.tried}: {error.found}")


def _critic(platform: PlatformResource) -> Critic:
    from genoplatform.agents.critic import Critic, CriticRules
    from genoplatform.agents.gene_names import GeneNames
    from genoplatform.ontology.hgnc import alias_map

    genes = read_verified(platform.artefact("core/ontology/genes", None, "parquet"), FORMATS["parquet"])
    names = GeneNames(alias_map(genes), shortest_alias=3)  # two letters turn up in texts that mean something else
    return Critic(names, CriticRules(negation=True, case_report_sections=True))


def _evidence(searcher: IndexSearcher, critic: Critic, gene: str, labels: Sequence[str], keep: int) -> GeneEvidence:
    from genoplatform.agents.synthesizer import by_contribution, confidence

    query = " ".join([gene, *labels[:_QUERY_LABELS]])
    (hits,) = searcher.search([query], limit=_HITS)
    grades = critic.grade({gene: hits}, labels)[gene]
    direct = [grade for grade in by_contribution(grades) if grade.relevance >= _DIRECT]
    by_id = {hit.chunk_id: hit for hit in hits}
    cited = tuple(_citation(by_id[grade.chunk_id], grade, query, gene, searcher) for grade in direct[:keep])
    return GeneEvidence(gene, round(confidence(direct), 4), cited)


def _citation(hit: Hit, grade: Grade, query: str, gene: str, searcher: IndexSearcher) -> Citation:
    from genoplatform.retrieval.passages import article_link, passage

    shown = passage(hit.text, query, searcher.bm25, gene=gene)
    return Citation(
        chunk_id=hit.chunk_id,
        pmcid=hit.pmcid,
        section=hit.section_heading or hit.section_type,
        title=hit.title,
        link=article_link(hit.pmcid),
        relevance=grade.relevance,
        evidence=grade.evidence_type,
        passage=shown.text,
    )
