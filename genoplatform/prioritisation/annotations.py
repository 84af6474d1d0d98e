"""The knowledge base: which gene is annotated with which phenotype term, through which disease, on what evidence.

Here: two declared sources of gene annotations brought into one shape. Not here: reading files
(genoplatform.ontology), information content, or what removing evidence does (evidence.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from genoplatform.errors import EmptyResultError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.ontology.resolve import ObsoletePolicy
from genoplatform.prioritisation.term_filter import TermFilter

Source = Literal["genes_to_phenotype", "hpoa"]
Corpus = Literal["genes", "diseases"]

_CONTRIBUTION = ["gene_symbol", "disease_id", "hpo_id"]
_EVIDENCE = ["disease_id", "hpo_id", "row", "pmid"]


@dataclass(frozen=True)
class KnowledgeBase:
    """Gene annotations with the disease annotations they rest on.

    Attributes:
        source: "genes_to_phenotype", the ready-made gene table of a release, which counts a term seen in 0 of
            n patients as an annotation (the published ranker's choice); or "hpoa", present disease annotations
            joined with disease-gene links.
        graph: the ontology all terms are resolved against.
        contributions: gene_symbol, disease_id, hpo_id; distinct and sorted.
        evidence: disease_id, hpo_id, row (line of the annotation file), pmid; one line per row and cited
            publication, pmid "" for a row that cites none.
        report: counts of what was read, mapped and left out.
    """

    source: Source
    graph: OntologyGraph
    contributions: pd.DataFrame
    evidence: pd.DataFrame
    report: dict[str, int]

    @cached_property
    def genes(self) -> list[str]:
        """Annotated genes in code-point order."""
        return sorted(self.contributions["gene_symbol"].unique().tolist())

    @cached_property
    def direct(self) -> csr_array:
        """Direct terms of each gene, ones, [n_genes, n_terms]."""
        return incidence(self.contributions, "gene_symbol", self.genes, self.graph)

    @cached_property
    def gene_diseases(self) -> pd.DataFrame:
        """gene_symbol, disease_id; distinct and sorted."""
        return self.contributions[["gene_symbol", "disease_id"]].drop_duplicates(ignore_index=True)

    def corpus_profiles(self, corpus: Corpus) -> csr_array:
        """Profiles that information content is counted over: genes or diseases, [n_items, n_terms].

        Diseases are all those annotated in the source, with or without a known gene.
        """
        if corpus == "genes":
            return self.direct
        table = self.evidence if self.source == "hpoa" else self.contributions
        diseases = sorted(table["disease_id"].unique().tolist())
        return incidence(table, "disease_id", diseases, self.graph)


def incidence(table: pd.DataFrame, column: str, items: list[str], graph: OntologyGraph) -> csr_array:
    """Items of `column` against the terms of `hpo_id` as a matrix of ones, [len(items), n_terms]."""
    item = pd.Index(items).get_indexer(pd.Index(table[column]))
    term = pd.Index(graph.ids).get_indexer(pd.Index(table["hpo_id"]))
    matrix = csr_array((np.ones(len(table), dtype=np.int32), (item, term)), (len(items), len(graph.ids)))
    matrix.sum_duplicates()
    matrix.data = np.ones(matrix.nnz, dtype=np.int8)
    return matrix


def from_genes_to_phenotype(
    gene_rows: pd.DataFrame,
    graph: OntologyGraph,
    hpoa_rows: pd.DataFrame | None = None,
    *,
    branch: str | None = None,
    obsolete: ObsoletePolicy = "unique",
) -> KnowledgeBase:
    """Knowledge base from the release's gene table, with no filter on frequency.

    Args:
        gene_rows: rows of read_gene_annotations.
        graph: ontology to resolve terms against.
        hpoa_rows: rows of read_hpoa, the evidence behind each annotation. Only rows qualified NOT are ignored,
            as the gene table itself ignores them. Without it nothing can be traced to a publication.
        branch: keep only terms at or below this one (PHENOTYPIC_ABNORMALITY leaves out inheritance and clinical
            course); default all, as the published ranker does.
        obsolete: what to do with obsolete terms, see OntologyGraph.resolve.

    Returns:
        The knowledge base. Annotations without any evidence row are kept and counted.
    """
    terms = TermFilter(graph, branch, obsolete)
    contributions, report = terms.apply(gene_rows[_CONTRIBUTION], "gene_rows")
    evidence = pd.DataFrame(columns=_EVIDENCE)
    if hpoa_rows is not None:
        evidence, counts = _evidence(hpoa_rows[~hpoa_rows["negated"]], terms)
        report |= counts
    return _assemble("genes_to_phenotype", graph, contributions, evidence, report)


def from_hpoa(
    hpoa_rows: pd.DataFrame,
    disease_genes: pd.DataFrame,
    graph: OntologyGraph,
    *,
    branch: str | None = None,
    obsolete: ObsoletePolicy = "unique",
) -> KnowledgeBase:
    """Knowledge base from present disease annotations (neither NOT nor 0 of n) and disease-gene links.

    Args:
        hpoa_rows: rows of read_hpoa.
        disease_genes: disease_id, gene_symbol.
        graph: ontology to resolve terms against.
        branch: keep only terms at or below this one (PHENOTYPIC_ABNORMALITY leaves out inheritance and clinical
            course); default all, as the published ranker does.
        obsolete: what to do with obsolete terms, see OntologyGraph.resolve.

    Returns:
        The knowledge base; diseases without a gene are kept as evidence and counted.
    """
    present = hpoa_rows[hpoa_rows["present"]]
    evidence, counts = _evidence(present, TermFilter(graph, branch, obsolete))
    pairs = evidence[["disease_id", "hpo_id"]].drop_duplicates()
    contributions = pairs.merge(disease_genes[["disease_id", "gene_symbol"]], on="disease_id")
    orphans = ~pairs["disease_id"].drop_duplicates().isin(disease_genes["disease_id"])
    report = counts | {
        "evidence_rows_absent": len(hpoa_rows) - len(present),
        "diseases_without_gene": int(orphans.sum()),
    }
    return _assemble("hpoa", graph, contributions, evidence, report)


def _assemble(
    source: Source,
    graph: OntologyGraph,
    contributions: pd.DataFrame,
    evidence: pd.DataFrame,
    report: dict[str, int],
) -> KnowledgeBase:
    table = contributions[_CONTRIBUTION].drop_duplicates().sort_values(_CONTRIBUTION, ignore_index=True)
    if table.empty:
        raise EmptyResultError(
            f"building the {source} knowledge base", "no gene annotation left", "check terms and disease links"
        )
    pairs = pd.MultiIndex.from_frame(table[["disease_id", "hpo_id"]])
    backed = pairs.isin(pd.MultiIndex.from_frame(evidence[["disease_id", "hpo_id"]]))
    counts = {
        "genes": table["gene_symbol"].nunique(),
        "diseases": table["disease_id"].nunique(),
        "gene_term_edges": len(table[["gene_symbol", "hpo_id"]].drop_duplicates()),
        "contributions": len(table),
        "contributions_without_evidence": int((~backed).sum()),
    }
    return KnowledgeBase(source, graph, table, evidence, report | counts)


def _evidence(rows: pd.DataFrame, terms: TermFilter) -> tuple[pd.DataFrame, dict[str, int]]:
    resolved, report = terms.apply(rows[["disease_id", "hpo_id", "row", "pmids"]], "evidence_rows")
    long = resolved.explode("pmids").rename(columns={"pmids": "pmid"})
    long["pmid"] = long["pmid"].astype("str").fillna("")
    return long[_EVIDENCE].drop_duplicates().sort_values(_EVIDENCE, ignore_index=True), report
