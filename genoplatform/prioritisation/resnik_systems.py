"""The two systems of cell R: Resnik similarity, and the same ranker without each case's own publication.

Here: building both from the stored tables under declared parameters, and scoring candidate lists with both.
Not here: how either scores (resnik.py, counterfactual.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from os import cpu_count

import pandas as pd

from genoplatform.ontology.genes import disease_genes
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.annotations import Corpus, KnowledgeBase, Source, from_genes_to_phenotype, from_hpoa
from genoplatform.prioritisation.candidate_scores import CandidateScores, score_candidates
from genoplatform.prioritisation.counterfactual import ContentMode, Counterfactual, Scope
from genoplatform.prioritisation.evidence import EvidenceIndex
from genoplatform.prioritisation.resnik import Formula, ResnikScorer

RESNIK = "resnik"
DECONTAMINATED = "_decontaminated"


@dataclass(frozen=True)
class ResnikSystems:
    """A knowledge base, its ranker, and the counterfactual of it."""

    knowledge_base: KnowledgeBase
    scorer: ResnikScorer
    counterfactual: Counterfactual


def build_scorer(
    graph: OntologyGraph,
    gene_rows: pd.DataFrame,
    hpoa_rows: pd.DataFrame,
    *,
    formula: Formula,
    knowledge: Source,
    ic_corpus: Corpus,
) -> tuple[KnowledgeBase, ResnikScorer]:
    """The knowledge base and its ranker alone; arguments as `build_systems`."""
    if knowledge == "hpoa":
        base = from_hpoa(hpoa_rows, disease_genes(gene_rows), graph)
    else:
        base = from_genes_to_phenotype(gene_rows, graph, hpoa_rows)
    return base, ResnikScorer.from_knowledge_base(base, formula=formula, corpus=ic_corpus)


def build_systems(
    graph: OntologyGraph,
    gene_rows: pd.DataFrame,
    hpoa_rows: pd.DataFrame,
    *,
    formula: Formula,
    knowledge: Source,
    ic_corpus: Corpus,
    counterfactual_scope: Scope,
    counterfactual_ic: ContentMode,
) -> ResnikSystems:
    """Build both systems.

    Args:
        graph: HPO.
        gene_rows: rows of `read_gene_annotations`.
        hpoa_rows: rows of `read_hpoa`, of the same release.
        formula: best-match formula.
        knowledge: where gene profiles come from.
        ic_corpus: what information content is counted over.
        counterfactual_scope: remove the publication's rows of all diseases, or of the case's own only.
        counterfactual_ic: keep information content fixed, or recompute it without them.
    """
    base, scorer = build_scorer(graph, gene_rows, hpoa_rows, formula=formula, knowledge=knowledge, ic_corpus=ic_corpus)
    index = EvidenceIndex.from_knowledge_base(base)
    return ResnikSystems(base, scorer, Counterfactual(scorer, index, counterfactual_scope, counterfactual_ic))


def resnik_systems(systems: ResnikSystems, cases: pd.DataFrame, candidates: pd.DataFrame) -> CandidateScores:
    """Score every candidate list with both systems.

    Args:
        systems: from `build_systems`.
        cases: case_id, hpo_terms, source_pmid, disease_ids, in any order.
        candidates: case_id, candidate_genes.

    Returns:
        Both scored tables one after the other, `resnik` first; reports added up under each system's name.
    """
    workers = cpu_count() or 1
    queries = systems.scorer.queries(cases["hpo_terms"].tolist())
    chunks = {
        RESNIK: systems.scorer.iter_scores(queries, workers=workers),
        RESNIK + DECONTAMINATED: systems.counterfactual.iter_scores(cases, queries, workers=workers),
    }
    parts = {
        name: score_candidates(
            blocks, systems.scorer.genes, cases, candidates, system=name, evaluable=queries.evaluable
        )
        for name, blocks in chunks.items()
    }
    report = {f"{name}: {key}": value for name, part in parts.items() for key, value in part.report.items()}
    return CandidateScores(pd.concat([part.scored for part in parts.values()], ignore_index=True), report)
