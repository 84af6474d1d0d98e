"""Declared tests become Dagster asset checks: one `multi_asset_check` a table, one load."""

from collections.abc import Iterator

import dagster as dg

from genoplatform.dbt_like_checks.declared import DeclaredTable, DeclaredTest, declared_tables
from genoplatform.dbt_like_checks.results import check_results
from genoplatform.dbt_like_checks.vocabulary import Relationships
from genoplatform.resources.platform import PlatformResource


def table_checks(table: DeclaredTable) -> dg.AssetChecksDefinition:
    """The checks of one declared table."""
    tests = table.declared_tests()
    key = dg.AssetKey(table.asset.split("/"))
    specs = [
        dg.AssetCheckSpec(
            test.name,
            asset=key,
            description=test.describe(),
            blocking=test.severity == "error",
            additional_deps=_other_tables(test),
        )
        for test in tests
    ]

    @dg.multi_asset_check(
        name=f"checks_{table.asset.replace('/', '__')}",
        specs=specs,
        can_subset=True,
        required_resource_keys={"platform"},
    )
    def run(context: dg.AssetCheckExecutionContext) -> Iterator[dg.AssetCheckResult]:
        platform: PlatformResource = context.resources.platform
        wanted = {item.name for item in context.selected_asset_check_keys}
        chosen = [test for test in tests if test.name in wanted]
        partition = context.partition_key if context.has_partition_key else None
        yield from check_results(platform, table, chosen, partition)

    return run


def _other_tables(test: DeclaredTest) -> list[dg.AssetKey]:
    # Without it a check may run before a table it compares with is made: neither needs to be upstream of the other.
    arguments = test.arguments
    if not isinstance(arguments, Relationships) or arguments.to == test.asset:
        return []
    return [dg.AssetKey(arguments.to.split("/"))]


def all_checks() -> list[dg.AssetChecksDefinition]:
    """Checks of every declared table."""
    return [table_checks(table) for table in declared_tables().values()]
