"""The native systems behind one interface: each ranks cases with its knowledge base, and without their own publication.

Here: building each system from the stored tables under declared parameters, and scoring candidate lists with both
variants. Not here: how a system scores (resnik, likelihood, phenodigm).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from os import cpu_count
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from genoplatform.errors import SettingsError
from genoplatform.ontology.genes import disease_genes
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.annotations import KnowledgeBase, from_genes_to_phenotype, from_hpoa
from genoplatform.prioritisation.candidate_scores import CandidateScores, ScoreChunks, score_candidates
from genoplatform.prioritisation.counterfactual import Counterfactual
from genoplatform.prioritisation.evidence import EvidenceIndex
from genoplatform.prioritisation.likelihood import LikelihoodCounterfactual, LikelihoodRanker
from genoplatform.prioritisation.phenodigm import PhenodigmCounterfactual, PhenodigmRanker
from genoplatform.prioritisation.resnik import ResnikScorer

DECONTAMINATED = "_decontaminated"
Scores = tuple[ScoreChunks, NDArray[np.bool_]]


@dataclass(frozen=True)
class Knowledge:
    """What every native system reads.

    Attributes:
        graph: HPO.
        gene_rows: rows of `read_gene_annotations`; they link diseases and genes.
        hpoa_rows: rows of `read_hpoa` with `copies`, of the same release.
    """

    graph: OntologyGraph
    gene_rows: pd.DataFrame
    hpoa_rows: pd.DataFrame

    @cached_property
    def links(self) -> pd.DataFrame:
        """disease_id, gene_symbol."""
        return disease_genes(self.gene_rows)


@dataclass(frozen=True)
class System:
    """A ranker and its counterfactual.

    Attributes:
        name: the system's name in every table; its counterfactual is `<name>_decontaminated`.
        genes: columns of its scores.
        score: cases -> (chunks of scores, which cases are evaluable), with the whole knowledge base.
        score_decontaminated: the same without the annotations that cite each case's own publication.
        summary: cases -> what that removes, one row a case.
        lowest: what a gene scores that the system does not know.
    """

    name: str
    genes: list[str]
    score: Callable[[pd.DataFrame], Scores]
    score_decontaminated: Callable[[pd.DataFrame], Scores]
    summary: Callable[[pd.DataFrame], pd.DataFrame]
    lowest: float = 0.0

    def score_lists(self, cases: pd.DataFrame, candidates: pd.DataFrame) -> CandidateScores:
        """Score every candidate list with both variants.

        Args:
            cases: case_id, hpo_terms, excluded_terms, source_pmid, disease_ids.
            candidates: case_id, candidate_genes.

        Returns:
            Both scored tables one after the other; reports under each variant's name.
        """
        variants = {self.name: self.score, self.name + DECONTAMINATED: self.score_decontaminated}
        tables: list[pd.DataFrame] = []
        report: dict[str, int] = {}
        for name, score in variants.items():
            chunks, evaluable = score(cases)
            part = score_candidates(
                chunks, self.genes, cases, candidates, system=name, evaluable=evaluable, unknown=self.lowest
            )
            tables.append(part.scored)
            report |= {f"{name}: {key}": value for key, value in part.report.items()}
        return CandidateScores(pd.concat(tables, ignore_index=True), report)


def resnik_system(knowledge: Knowledge, parameters: dict[str, Any]) -> System:
    """Cell R: Resnik best-match similarity.

    Args:
        knowledge: the tables.
        parameters: formula, knowledge ("hpoa" or "genes_to_phenotype"), ic_corpus, counterfactual_scope,
            counterfactual_ic.
    """
    base, scorer = resnik_scorer(knowledge, parameters)
    index = EvidenceIndex.from_knowledge_base(base)
    without = Counterfactual(scorer, index, parameters["counterfactual_scope"], parameters["counterfactual_ic"])
    workers = cpu_count() or 1

    def score(cases: pd.DataFrame) -> Scores:
        queries = scorer.queries(cases["hpo_terms"].tolist())
        return scorer.iter_scores(queries, workers=workers), queries.evaluable

    def score_decontaminated(cases: pd.DataFrame) -> Scores:
        queries = scorer.queries(cases["hpo_terms"].tolist())
        return without.iter_scores(cases, queries, workers=workers), queries.evaluable

    return System("resnik", scorer.genes, score, score_decontaminated, without.summary)


def resnik_scorer(knowledge: Knowledge, parameters: dict[str, Any]) -> tuple[KnowledgeBase, ResnikScorer]:
    """The knowledge base of cell R and its ranker alone; parameters as `resnik_system`."""
    graph, rows = knowledge.graph, knowledge.hpoa_rows
    if parameters["knowledge"] == "hpoa":
        base = from_hpoa(rows, knowledge.links, graph)
    else:
        base = from_genes_to_phenotype(knowledge.gene_rows, graph, rows)
    return base, ResnikScorer.from_knowledge_base(base, formula=parameters["formula"], corpus=parameters["ic_corpus"])


def likelihood_system(knowledge: Knowledge, parameters: dict[str, Any], *, excluded: bool = False) -> System:
    """Cell M, native: likelihood ratios of observed terms, and of excluded ones where asked for.

    Args:
        knowledge: the tables.
        parameters: counterfactual_scope, counterfactual_ic (fixed or recomputed background).
        excluded: use the terms stated to be absent too.
    """
    ranker = LikelihoodRanker.from_rows(knowledge.hpoa_rows, knowledge.links, knowledge.graph)
    scope, background = parameters["counterfactual_scope"], parameters["counterfactual_ic"]
    without = LikelihoodCounterfactual.from_rows(ranker, knowledge.hpoa_rows, scope=scope, background=background)

    def queries(cases: pd.DataFrame) -> Any:
        return ranker.queries(cases["hpo_terms"].tolist(), cases["excluded_terms"].tolist() if excluded else None)

    def score(cases: pd.DataFrame) -> Scores:
        made = queries(cases)
        return ranker.iter_scores(made), made.evaluable

    def score_decontaminated(cases: pd.DataFrame) -> Scores:
        made = queries(cases)
        return without.iter_scores(cases, made), made.evaluable

    name = "likelihood_excluded" if excluded else "likelihood"
    return System(name, ranker.genes, score, score_decontaminated, without.summary, lowest=-np.inf)


def phenodigm_system(knowledge: Knowledge, parameters: dict[str, Any]) -> System:
    """Human-only hiPhive, native: PhenoDigm similarity to the best disease model of each gene.

    Args:
        knowledge: the tables.
        parameters: phenodigm_corpus, counterfactual_scope, counterfactual_ic.
    """
    ranker = PhenodigmRanker.from_rows(
        knowledge.hpoa_rows, knowledge.links, knowledge.graph, corpus=parameters["phenodigm_corpus"]
    )
    scope, content = parameters["counterfactual_scope"], parameters["counterfactual_ic"]
    without = PhenodigmCounterfactual.from_rows(ranker, knowledge.hpoa_rows, scope=scope, content=content)

    def score(cases: pd.DataFrame) -> Scores:
        queries = ranker.queries(cases["hpo_terms"].tolist())
        return ranker.iter_scores(queries), queries.evaluable

    def score_decontaminated(cases: pd.DataFrame) -> Scores:
        queries = ranker.queries(cases["hpo_terms"].tolist())
        return without.iter_scores(cases, queries), queries.evaluable

    return System("phenodigm", ranker.genes, score, score_decontaminated, without.summary)


BUILDERS: dict[str, Callable[[Knowledge, dict[str, Any]], System]] = {
    "resnik": resnik_system,
    "likelihood": likelihood_system,
    "likelihood_excluded": lambda knowledge, parameters: likelihood_system(knowledge, parameters, excluded=True),
    "phenodigm": phenodigm_system,
}


def build_system(name: str, knowledge: Knowledge, parameters: dict[str, Any]) -> System:
    """The native system called `name`, under the profile's ranking parameters."""
    if name not in BUILDERS:
        raise SettingsError(f"building the system {name!r}", "there is none", f"one of {', '.join(BUILDERS)}")
    return BUILDERS[name](knowledge, parameters)
