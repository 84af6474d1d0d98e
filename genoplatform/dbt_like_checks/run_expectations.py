"""Tests Great Expectations knows, run through it: null, unique, values, range, regex, combination, row count."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from genoplatform.dbt_like_checks import vocabulary as v
from genoplatform.dbt_like_checks.declared import DeclaredTest
from genoplatform.dbt_like_checks.outcome import TestOutcome
from genoplatform.dbt_like_checks.run_tables import select_rows

Expectation = Callable[[Any, str | None, Any], Any]

EXPECTATIONS: dict[type[v.TestArguments], Expectation] = {
    v.NotNull: lambda gxe, column, a: gxe.ExpectColumnValuesToNotBeNull(column=column, mostly=a.mostly),
    v.Unique: lambda gxe, column, a: gxe.ExpectColumnValuesToBeUnique(column=column, mostly=a.mostly),
    v.AcceptedValues: lambda gxe, column, a: gxe.ExpectColumnValuesToBeInSet(
        column=column, value_set=a.values, mostly=a.mostly
    ),
    v.AcceptedRange: lambda gxe, column, a: gxe.ExpectColumnValuesToBeBetween(
        column=column,
        min_value=a.lower,
        max_value=a.upper,
        strict_min=a.above is not None,
        strict_max=a.below is not None,
        mostly=a.mostly,
    ),
    v.MatchesRegex: lambda gxe, column, a: gxe.ExpectColumnValuesToMatchRegex(
        column=column, regex=v.whole(a.pattern), mostly=a.mostly
    ),
    v.UniqueCombination: lambda gxe, column, a: gxe.ExpectCompoundColumnsToBeUnique(
        column_list=a.columns, mostly=a.mostly
    ),
    v.RowCount: lambda gxe, column, a: gxe.ExpectTableRowCountToBeBetween(min_value=a.min, max_value=a.max),
}


def run_expectations(frame: pd.DataFrame, tests: list[DeclaredTest]) -> list[TestOutcome]:
    """Run tests of the vocabulary above on one frame, in order, in one ephemeral Great Expectations context.

    Returns:
        Outcomes in the order of `tests`; failing rows are positions in `frame` (its index must be a RangeIndex).

    Raises:
        RuntimeError: an expectation crashed; that is a broken check, not bad data.
    """
    if not tests:
        return []
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    import great_expectations as gx
    from great_expectations import expectations as gxe
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False, metric_calculations=False)
    definition = (
        context.data_sources.add_pandas("store")
        .add_dataframe_asset("table")
        .add_batch_definition_whole_dataframe("all")
    )
    outcomes: dict[str, TestOutcome] = {}
    for where, group in _by_where(tests):
        rows = _select(frame, dict(where), group)
        suite = gx.ExpectationSuite(name="declared", expectations=[_expectation(gxe, test) for test in group])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*has match groups")
            results = definition.get_batch({"dataframe": rows}).validate(suite, result_format="COMPLETE")
        by_name = {item.expectation_config.meta["test"]: item for item in results.results}
        outcomes |= {test.name: _outcome(by_name[test.name], rows, test) for test in group}
    return [outcomes[test.name] for test in tests]


def _by_where(tests: list[DeclaredTest]) -> list[tuple[tuple[tuple[str, Any], ...], list[DeclaredTest]]]:
    groups: dict[tuple[tuple[str, Any], ...], list[DeclaredTest]] = {}
    for test in tests:
        where = test.arguments.where if isinstance(test.arguments, v.Filtered) else {}
        groups.setdefault(tuple(sorted(where.items())), []).append(test)
    return list(groups.items())


def _expectation(gxe: Any, test: DeclaredTest) -> Any:
    made = EXPECTATIONS[type(test.arguments)](gxe, test.column, test.arguments)
    made.meta = {"test": test.name}
    return made


def _select(frame: pd.DataFrame, where: dict[str, Any], tests: list[DeclaredTest]) -> pd.DataFrame:
    # Great Expectations pickles the frame to name its batch: lists in it cost seconds, and are not needed.
    used = {name for test in tests for name in test.used_columns}
    return select_rows(frame, where)[[name for name in frame.columns if name in used] or list(frame.columns[:1])]


def _outcome(result: Any, rows: pd.DataFrame, test: DeclaredTest) -> TestOutcome:
    if messages := _crashes(result.exception_info or {}):
        raise RuntimeError(f"{test.name} crashed: {'; '.join(messages)}")
    arguments: Any = test.arguments
    if isinstance(arguments, v.RowCount):
        return TestOutcome(bool(result.success), len(rows), detail=f"{result.result['observed_value']} rows")
    failing = result.result.get("unexpected_index_list") or []
    if len(failing) != result.result["unexpected_count"]:
        raise RuntimeError(f"{test.name} found {result.result['unexpected_count']} rows but names {len(failing)}")
    return TestOutcome.of_rows(np.asarray(failing, dtype=np.int64), len(failing), len(rows), arguments)


def _crashes(info: dict[str, Any]) -> list[str]:
    # One record of the expectation, or one each of the metrics it is computed from.
    records = [info] if "raised_exception" in info else list(info.values())
    return [str(record.get("exception_message")) for record in records if record.get("raised_exception")]
