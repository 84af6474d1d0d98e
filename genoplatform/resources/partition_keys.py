"""Which partitions a profile has, of the kinds that grow with its data: its settings and directories decide.

A key is a file name in the store: no slash, no leading dot.
"""

import re
from collections.abc import Callable, Iterable

import dagster as dg

from genoplatform.errors import BadInputError
from genoplatform.resources.expression_cohorts import expression_cohort_keys
from genoplatform.resources.expression_problems import expression_problem_keys
from genoplatform.resources.literature_packages import package_keys
from genoplatform.resources.platform import PlatformResource

EXPRESSION_COHORT = "expression_cohort"  # Trait|Cohort
EXPRESSION_PROBLEM = "expression_problem"  # Trait|Condition
LITERATURE_PACKAGE = "literature_package"
KINDS = (EXPRESSION_COHORT, EXPRESSION_PROBLEM, LITERATURE_PACKAGE)
_KEY = re.compile(r"[^./\\\x00-\x1f][^/\\\x00-\x1f]*")


def keys_of(kind: str, platform: PlatformResource) -> list[str]:
    """Keys of one kind in the profile in force, sorted; none where the profile has no such data.

    Raises:
        BadInputError: a key cannot name a file.
    """
    found: dict[str, Callable[[], Iterable[str]]] = {
        EXPRESSION_COHORT: lambda: expression_cohort_keys(platform.settings()),
        EXPRESSION_PROBLEM: lambda: expression_problem_keys(platform),
        LITERATURE_PACKAGE: lambda: package_keys(platform.settings()),
    }
    keys = sorted(set(found[kind]()))
    if wrong := [key for key in keys if not _KEY.fullmatch(key)]:
        raise BadInputError(f"naming partitions of {kind}", f"{wrong}", "use names without a slash or a leading dot")
    return keys


def keys_in(partitions: dg.PartitionsDefinition[str], platform: PlatformResource) -> list[str]:
    """Keys of a partitions definition; dynamic ones as the profile has them."""
    if isinstance(partitions, dg.DynamicPartitionsDefinition):
        return keys_of(str(partitions.name), platform)
    return list(partitions.get_partition_keys())


def register_keys(instance: dg.DagsterInstance, platform: PlatformResource) -> None:
    """Make an instance know exactly the profile's keys."""
    for kind in KINDS:
        wanted, known = keys_of(kind, platform), instance.get_dynamic_partitions(kind)
        if missing := [key for key in wanted if key not in known]:
            instance.add_dynamic_partitions(kind, missing)
        for key in known:
            if key not in wanted:
                instance.delete_dynamic_partition(kind, key)
