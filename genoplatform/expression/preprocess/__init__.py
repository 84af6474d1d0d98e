"""Preprocessing of one cohort: probes to genes, clinical values, linking, missing values, bias, the final record.

Two families of rules: `sound`, and `compat_v2` / `compat_v1`, which keep what the benchmark's releases do, quirks
included. What a decision is, and who makes it, is curation's concern.
"""

from genoplatform.expression.preprocess.clinical import ClinicalTable, clinical_table
from genoplatform.expression.preprocess.gene_table import GeneTable, gene_table
from genoplatform.expression.preprocess.link import Linked, link
from genoplatform.expression.preprocess.record import CohortRecord, record_of, record_table

__all__ = [
    "ClinicalTable",
    "CohortRecord",
    "GeneTable",
    "Linked",
    "clinical_table",
    "gene_table",
    "link",
    "record_of",
    "record_table",
]
