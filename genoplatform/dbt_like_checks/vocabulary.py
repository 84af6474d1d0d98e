"""The test vocabulary: the name a test has in YAML, and its argument model."""

from __future__ import annotations

from genoplatform.dbt_like_checks.arguments import Filtered, RowTest, TestArguments, is_of, whole
from genoplatform.dbt_like_checks.vocabulary_columns import (
    AcceptedRange,
    AcceptedValues,
    ListLength,
    ListUnique,
    MatchesRegex,
    NotNull,
    Relationships,
    Unique,
)
from genoplatform.dbt_like_checks.vocabulary_tables import (
    Columns,
    Drift,
    Expression,
    PartitionsPresent,
    RowCount,
    UniqueCombination,
)

__all__ = [
    "VOCABULARY", "AcceptedRange", "AcceptedValues", "Columns", "Drift", "Expression", "Filtered", "ListLength",
    "ListUnique", "MatchesRegex", "NotNull", "PartitionsPresent", "Relationships", "RowCount", "RowTest",
    "TestArguments", "Unique", "UniqueCombination", "is_of", "whole",
]  # fmt: skip

VOCABULARY: dict[str, type[TestArguments]] = {
    "not_null": NotNull,
    "unique": Unique,
    "accepted_values": AcceptedValues,
    "accepted_range": AcceptedRange,
    "matches_regex": MatchesRegex,
    "relationships": Relationships,
    "list_length": ListLength,
    "list_unique": ListUnique,
    "unique_combination": UniqueCombination,
    "row_count": RowCount,
    "columns": Columns,
    "expression": Expression,
    "partitions_present": PartitionsPresent,
    "drift": Drift,
}
