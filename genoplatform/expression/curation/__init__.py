"""Curation of one cohort: which facts mean what. Decisions come out as data (`genoplatform.expression.decisions`)."""

from genoplatform.expression.curation.codes import code_of
from genoplatform.expression.curation.curate import curate
from genoplatform.expression.curation.facts import CharacteristicsRow, CohortFacts
from genoplatform.expression.curation.overrides import Override, apply_overrides, read_overrides
from genoplatform.expression.curation.tcga import curate_clinical_columns

__all__ = [
    "CharacteristicsRow",
    "CohortFacts",
    "Override",
    "apply_overrides",
    "code_of",
    "curate",
    "curate_clinical_columns",
    "read_overrides",
]
