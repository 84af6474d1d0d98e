"""Partitions that grow with the data of a profile. Which keys there are: `resources.partition_keys`."""

import dagster as dg

from genoplatform.resources.partition_keys import EXPRESSION_COHORT, EXPRESSION_PROBLEM, LITERATURE_PACKAGE

COHORTS = dg.DynamicPartitionsDefinition(name=EXPRESSION_COHORT)
PROBLEMS = dg.DynamicPartitionsDefinition(name=EXPRESSION_PROBLEM)
PACKAGES = dg.DynamicPartitionsDefinition(name=LITERATURE_PACKAGE)
