"""What every cohort is built against, and its declared parameters.

Here: the reference tables and the options, as two bundles. Not here: reading them from files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import pandas as pd

from genoplatform.cohort.inclusion import MIN_HPO_TERMS
from genoplatform.cohort.pmid_years import YearAnchors
from genoplatform.cohort.sampling import RANDOM_SEED
from genoplatform.cohort.terms import ObsoletePolicy
from genoplatform.ontology.graph import OntologyGraph


@dataclass(frozen=True)
class References:
    """Reference tables of one run.

    Attributes:
        knowledge: ``HpoaRelease.raw`` of the knowledge base, which decides exposure and density.
        graph: the HPO release the cases' terms are resolved against.
        coding: approved protein-coding symbols.
        mapping: MONDO-OMIM exact matches, columns mondo_id, disease_id.
        ancestors: reflexive MONDO ancestors, columns id, ancestor.
        pmid_dates: PMID digits -> ISO date, where a file of dates is at hand.
        anchors: first PMID of each year, for the other publications; None leaves their year unknown.
    """

    knowledge: pd.DataFrame
    graph: OntologyGraph
    coding: Collection[str]
    mapping: pd.DataFrame
    ancestors: pd.DataFrame
    pmid_dates: Mapping[str, str] | None = None
    anchors: YearAnchors | None = None


@dataclass(frozen=True)
class CohortOptions:
    """Declared parameters of a cohort.

    Attributes:
        min_terms: fewest distinct observed HPO terms of a case.
        seed: of the stratified sample.
        obsolete: what becomes of obsolete terms (see `OntologyGraph.resolve`).
        reduce: keep only the most specific observed and the most general excluded terms; they are counted
            before, and always reported. Off, as in the published cohort.
        max_unknown_share: largest share of features the ontology may not know.
    """

    min_terms: int = MIN_HPO_TERMS
    seed: int = RANDOM_SEED
    obsolete: ObsoletePolicy = "unique"
    reduce: bool = False
    max_unknown_share: float = 0.05


DEFAULTS = CohortOptions()
