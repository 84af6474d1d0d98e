"""Released artefacts: published rankings and the published cohort, read and checked, so that they need no inference.

Here: the released layout, its files, and the tables they become. Not here: metrics and tests
(`genoplatform.inference`), or running a system.
Source of the layout: rare-disease specification, section 13 (the geno_agent releases).
"""

from genoplatform.prioritisation.released.case_table import read_case_table
from genoplatform.prioritisation.released.cohort import ReleasedCohort, read_released_cohort
from genoplatform.prioritisation.released.leaks import read_leaks
from genoplatform.prioritisation.released.rankings import ReleasedRankings, read_rankings

__all__ = [
    "ReleasedCohort",
    "ReleasedRankings",
    "read_case_table",
    "read_leaks",
    "read_rankings",
    "read_released_cohort",
]
