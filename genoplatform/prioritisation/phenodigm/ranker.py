"""The PhenoDigm ranker: cases against all genes by their human disease models (human-only hiPhive).

Here: a release's rows to a ranker and scores of genes. Not here: candidate lists and ranks
(genoplatform.prioritisation.ranking), removal of a publication (counterfactual.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import SettingsError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.annotations import Corpus
from genoplatform.prioritisation.information_content import InformationContent, information_content, propagate
from genoplatform.prioritisation.likelihood.genes import GeneDiseases
from genoplatform.prioritisation.phenodigm.profiles import ModelRows, RowPolicy, model_rows
from genoplatform.prioritisation.phenodigm.scores import ModelScores
from genoplatform.prioritisation.phenodigm.termsim import MIN_CONTENT, TermSimilarity
from genoplatform.prioritisation.queries import Queries, build_queries
from genoplatform.prioritisation.resnik import case_slices

# Cases scored in one pass; some 60 MB of scores and their parts.
CHUNK = 256


@dataclass(frozen=True)
class PhenodigmRanker:
    """Scores cases against all genes with a disease model.

    Attributes:
        graph: the ontology.
        rows: the annotation rows it is made of; the first of its `diseases`, those with a gene, are the models.
        gene_diseases: links; `genes` are the columns of gene scores.
        models: scores of disease models with what is cached.
        content: information content over `corpus`.
        corpus: what information content is counted over.
        report: what building the models counted.
    """

    graph: OntologyGraph
    rows: ModelRows
    gene_diseases: GeneDiseases
    models: ModelScores
    content: InformationContent
    corpus: Corpus
    report: dict[str, int]

    @classmethod
    def from_rows(
        cls,
        rows: pd.DataFrame,
        links: pd.DataFrame,
        graph: OntologyGraph,
        *,
        corpus: Corpus = "diseases",
        policy: RowPolicy = "present",
        min_content: float = MIN_CONTENT,
    ) -> PhenodigmRanker:
        """Prepare the ranker.

        Args:
            rows: rows of read_hpoa.
            links: disease_id, gene_symbol.
            graph: the ontology.
            corpus: count information content over all "diseases" of the release, with or without a gene, or
                over the linked "genes".
            policy: which rows make a model, see `profiles`.
            min_content: bits that a common ancestor must have.
        """
        used = model_rows(rows, links["disease_id"].unique().tolist(), graph, policy)
        genes = GeneDiseases.from_links(links, used.diseases)
        profiles = used.matrix(len(graph.ids))
        counted = profiles if _check(corpus) == "diseases" else _by_gene(profiles, genes)
        content = information_content(propagate(counted, csr_array(graph.ancestors)))
        similarity = TermSimilarity.from_graph(graph, bits(content), min_content)
        models = ModelScores.from_models(similarity, profiles[: used.n_linked])
        return cls(graph, used, genes, models, content, corpus, used.report | {"genes": len(genes.genes)})

    @property
    def genes(self) -> list[str]:
        """Columns of every gene score matrix, code-point order."""
        return self.gene_diseases.genes

    def queries(self, observed: Sequence[Sequence[str]]) -> Queries:
        """Resolve the observed terms of each case; excluded terms are not used by this method."""
        return build_queries(observed, self.graph)

    def score(self, matrix: csr_array) -> NDArray[np.float64]:
        """Score of each gene's best model, [n_cases, n_terms] to [n_cases, n_genes] in [0, 1]."""
        return self.gene_diseases.best(self.models.scores(matrix))

    def iter_scores(self, queries: Queries, *, chunk: int = CHUNK) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their gene scores [n, n_genes]) in order."""
        for part in case_slices(queries.matrix.shape[0], chunk):
            yield part, self.score(queries.matrix[part])


def bits(content: InformationContent) -> NDArray[np.float64]:
    """Content of every term in bits, [n_terms]."""
    return np.asarray(content.values / np.log(2.0), dtype=np.float64)


def _check(corpus: Corpus) -> Corpus:
    if corpus not in ("diseases", "genes"):
        raise SettingsError("choosing what information content is counted over", repr(corpus), "diseases or genes")
    return corpus


def _by_gene(profiles: csr_array, genes: GeneDiseases) -> csr_array:
    """Terms of each gene through any of its diseases, [n_genes, n_terms] of ones."""
    offsets = np.append(genes.offsets, len(genes.disease))
    links = csr_array((np.ones(len(genes.disease)), genes.disease, offsets), (len(genes.genes), profiles.shape[0]))
    union = csr_array(links @ profiles)
    union.data = np.ones(union.nnz)
    return union
