"""Likelihood-ratio ranking of genes by phenotype, native and vectorised: the phenotype-only method of LIRICAL 2.x."""

from genoplatform.prioritisation.likelihood.annotations import PhenotypeRows, phenotype_rows
from genoplatform.prioritisation.likelihood.counterfactual import LikelihoodCounterfactual
from genoplatform.prioritisation.likelihood.genes import GeneDiseases
from genoplatform.prioritisation.likelihood.queries import LikelihoodQueries
from genoplatform.prioritisation.likelihood.ranker import LikelihoodRanker, post_test_probability
from genoplatform.prioritisation.likelihood.removal import CitedRows

__all__ = [
    "CitedRows",
    "GeneDiseases",
    "LikelihoodCounterfactual",
    "LikelihoodQueries",
    "LikelihoodRanker",
    "PhenotypeRows",
    "phenotype_rows",
    "post_test_probability",
]
