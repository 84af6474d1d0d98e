"""PhenoDigm ranking of genes by phenotype, native and vectorised: what human-only hiPhive computes."""

from genoplatform.prioritisation.phenodigm.counterfactual import PhenodigmCounterfactual
from genoplatform.prioritisation.phenodigm.profiles import ModelRows, model_rows
from genoplatform.prioritisation.phenodigm.ranker import PhenodigmRanker
from genoplatform.prioritisation.phenodigm.termsim import TermSimilarity

__all__ = ["ModelRows", "PhenodigmCounterfactual", "PhenodigmRanker", "TermSimilarity", "model_rows"]
