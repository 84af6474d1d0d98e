"""The likelihood-ratio ranker: cases against all genes, by the phenotype-only method of LIRICAL 2.x.

Here: a release's rows to a ranker, scores of diseases and genes, and the account of one score. Not here:
candidate lists and ranks (genoplatform.prioritisation.ranking), removal of a publication (counterfactual.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from genoplatform.errors import BadInputError
from genoplatform.ontology.graph import OntologyGraph
from genoplatform.prioritisation.likelihood.annotations import (
    COHORT_SIZE,
    PREFIXES,
    PhenotypeRows,
    phenotype_rows,
)
from genoplatform.prioritisation.likelihood.background import Background
from genoplatform.prioritisation.likelihood.genes import GeneDiseases
from genoplatform.prioritisation.likelihood.log_ratios import LogRatios
from genoplatform.prioritisation.likelihood.queries import LikelihoodQueries
from genoplatform.prioritisation.likelihood.ratios import RatioModel, Rule
from genoplatform.prioritisation.likelihood.tables import DiseaseTables, step_decay
from genoplatform.prioritisation.resnik import case_slices

# Cases scored in one pass; 17 MB of disease scores for OMIM and DECIPHER.
CHUNK = 256


@dataclass(frozen=True)
class LikelihoodRanker:
    """Scores cases against all genes linked to a disease of the release.

    Attributes:
        rows: the annotation rows it is made of; its `diseases` are the columns of disease scores.
        gene_diseases: links; `genes` are the columns of gene scores.
        log_ratios: the ratio model with its cached columns.
        decay: 10^steps between terms, kept to carry other annotations up the same graph.
        report: what reading the annotations counted.
    """

    rows: PhenotypeRows
    gene_diseases: GeneDiseases
    log_ratios: LogRatios
    decay: csr_array
    report: dict[str, int]

    @classmethod
    def from_rows(
        cls,
        rows: pd.DataFrame,
        links: pd.DataFrame,
        graph: OntologyGraph,
        *,
        prefixes: Sequence[str] = PREFIXES,
        cohort_size: int = COHORT_SIZE,
    ) -> LikelihoodRanker:
        """Prepare the ranker.

        Args:
            rows: annotation rows, see phenotype_rows.
            links: disease_id, gene_symbol.
            graph: the ontology.
            prefixes: disease databases to rank.
            cohort_size: patients behind a frequency stated without counts.
        """
        used = phenotype_rows(rows, graph, prefixes=prefixes, cohort_size=cohort_size)
        annotations = used.pool()
        ancestors, decay = csr_array(graph.ancestors), step_decay(graph)
        tables = DiseaseTables.from_annotations(annotations, ancestors, decay)
        model = RatioModel(graph, tables, Background.from_tables(tables), ancestors)
        genes = GeneDiseases.from_links(links, used.diseases)
        report = used.report | {
            "annotations": len(annotations.term),
            "annotations_absent": int(annotations.absent.sum()),
            "genes": len(genes.genes),
        }
        return cls(used, genes, LogRatios(model), decay, report)

    @property
    def diseases(self) -> list[str]:
        """Columns of every disease score matrix, code-point order."""
        return self.rows.diseases

    @property
    def genes(self) -> list[str]:
        """Columns of every gene score matrix, code-point order."""
        return self.gene_diseases.genes

    @property
    def model(self) -> RatioModel:
        """The ratio rules over this release."""
        return self.log_ratios.model

    def queries(
        self, observed: Sequence[Sequence[str]], excluded: Sequence[Sequence[str]] | None = None
    ) -> LikelihoodQueries:
        """Resolve cases. Without `excluded` this is the observed-only variant."""
        return LikelihoodQueries.build(observed, excluded, self.model.graph)

    def disease_scores(self, queries: LikelihoodQueries, part: slice = slice(None)) -> NDArray[np.float64]:
        """log10 likelihood ratio of each disease, [n_cases of `part`, n_diseases]; -inf = impossible."""
        return self.log_ratios.sums(*queries.matrices(part))

    def score(self, queries: LikelihoodQueries, part: slice = slice(None)) -> NDArray[np.float64]:
        """log10 likelihood ratio of each gene's best disease, [n_cases of `part`, n_genes]."""
        return self.gene_diseases.best(self.disease_scores(queries, part))

    def iter_scores(
        self, queries: LikelihoodQueries, *, chunk: int = CHUNK
    ) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Yield (slice of the cases, their gene scores [n, n_genes]) in order."""
        for part in case_slices(len(queries), chunk):
            yield part, self.score(queries, part)

    def explain(self, observed: Sequence[str], excluded: Sequence[str], disease_id: str) -> pd.DataFrame:
        """The ratio of every term of one case in one disease, and the rule that gave it.

        Returns:
            hpo_id, name, excluded, ratio, rule; observed terms first, each kind in ontology order.

        Raises:
            BadInputError: the disease is not ranked.
        """
        if disease_id not in self.diseases:
            raise BadInputError("explaining a score", f"{disease_id} is not a ranked disease")
        at, graph = self.diseases.index(disease_id), self.model.graph
        queries = self.queries([observed], [excluded])
        rows = []
        for absent, part in ((False, queries.observed), (True, queries.excluded)):
            for term in part.matrix.indices if part is not None else ():
                ratios = self.model.excluded(int(term)) if absent else self.model.observed(int(term))
                rule = Rule(int(ratios.rules[at])).name
                rows.append((graph.ids[term], graph.names[term], absent, float(ratios.values[at]), rule))
        return pd.DataFrame(rows, columns=["hpo_id", "name", "excluded", "ratio", "rule"])


def post_test_probability(log10_ratios: NDArray[np.float64], n_diseases: int) -> NDArray[np.float64]:
    """Probability of a disease after the phenotype, from a uniform prior over `n_diseases` (at least 2).

    It saturates at 1.0 for several diseases of a telling phenotype: rank by the ratio, show this.
    """
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + (n_diseases - 1) * 10.0**-log10_ratios), dtype=np.float64)
