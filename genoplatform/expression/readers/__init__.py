"""Readers of GEO and Xena files: bytes to typed tables, streaming, with everything skipped or repaired counted.

What the facts mean (which row is the trait, which samples are cases) is decided elsewhere.
"""

from genoplatform.expression.readers.annotation import Annotation, read_annotation, read_annotation_v2
from genoplatform.expression.readers.cohort import read_expression, read_facts
from genoplatform.expression.readers.family_soft import FamilySoft, read_family_soft
from genoplatform.expression.readers.number_table import ExpressionTable
from genoplatform.expression.readers.platform_choice import CohortSource
from genoplatform.expression.readers.series_matrix import SeriesMatrix, read_series_matrix
from genoplatform.expression.readers.xena import read_xena_clinical, read_xena_expression

__all__ = [
    "Annotation",
    "CohortSource",
    "ExpressionTable",
    "FamilySoft",
    "SeriesMatrix",
    "read_annotation",
    "read_annotation_v2",
    "read_expression",
    "read_facts",
    "read_family_soft",
    "read_series_matrix",
    "read_xena_clinical",
    "read_xena_expression",
]
